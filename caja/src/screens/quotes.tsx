import { useState } from "react";
import { day, pesos } from "../../../register/format.ts";
import { numberOf, type Quote, type QuoteState, stateOf } from "../../../register/quote.ts";
import { useScan } from "../scan/use-scan.ts";
import { play } from "../ui/sounds.ts";
import { useNews, useOpen } from "../use-device.ts";
import { QuoteDialog } from "./quote-dialog.tsx";

const shownAtOnce = 100;
const stateNames: Record<QuoteState, string> = {
  open: "vigente",
  expired: "vencida",
  converted: "vendida",
  rejected: "rechazada",
};

/** The quotes of the business, whichever register made them, newest first. */
export function QuotesScreen({ onTakenUp }: { onTakenUp: () => void }) {
  const { quotes, counter } = useOpen();
  useNews();
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<Quote>();
  const found = quotes.find(query);
  const now = new Date();
  useScan({
    isKnown: (code) => counter.find(code) !== undefined,
    take(code) {
      const text = counter.find(code)?.product.name ?? code;
      play(quotes.find(text).length > 0 ? "added" : "unknown");
      setQuery(text);
      setOpened(undefined);
      return undefined;
    },
  });
  return (
    <section className="list">
      <h2>Cotizaciones</h2>
      <input
        type="search"
        aria-label="Buscar en las cotizaciones"
        placeholder="Número, cliente, producto o valor"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <p className="empty">
          {query.trim() === ""
            ? "Todavía no hay cotizaciones. Arme un tiquete y toque Cotizar."
            : "Ninguna cotización coincide."}
        </p>
      )}
      <ul className="rows quotes">
        {found.slice(0, shownAtOnce).map((quote) => (
          <li key={quote.id}>
            <button type="button" onClick={() => setOpened(quote)}>
              <span>
                <strong>{numberOf(quote)}</strong> · {day(quote.issued_at)}
              </span>
              <span>{quote.customer_name ?? quote.items[0]?.description}</span>
              <span>{stateNames[stateOf(quote, now)]}</span>
              <strong>{pesos(quote.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {found.length > shownAtOnce && <p>Hay {found.length}: busque por número, cliente o producto.</p>}
      {opened && <QuoteDialog quote={opened} onClose={() => setOpened(undefined)} onTakenUp={onTakenUp} />}
    </section>
  );
}
