import { useEffect, useState } from "react";
import type { SaleDocument } from "../../../register/counter.ts";
import { dayOf, methodName, pesos, time } from "../../../register/format.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { folded } from "../../../register/search.ts";
import { useCounter, useNews, useOpen } from "../use-device.ts";
import { SaleDialog } from "./sale-dialog.tsx";

/** A sale with its documents, by whose numbers people ask for it. */
interface Listed {
  sale: KeptSale;
  documents: SaleDocument[];
}

const dayMs = 86_400_000;
const dayBefore = (day: string) => dayOf(new Date(new Date(`${day}T12:00:00-05:00`).getTime() - dayMs).toISOString());

/** The sales of this register: of the shift, or of any day that it still has. */
export function SalesScreen({ shiftId }: { shiftId: string | undefined }) {
  const today = dayOf(new Date().toISOString());
  /** A day, or the open shift. */
  const [period, setPeriod] = useState<string>(shiftId ? "shift" : today);
  const listed = useSales(period, shiftId);
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<KeptSale>();
  /** Somebody may have closed it while the change was being stored. */
  const showIfOpen = (changed: KeptSale) => setOpened((current) => (current?.id === changed.id ? changed : current));
  const wanted = folded(query.trim());
  const shown = (listed ?? []).filter((one) => wanted === "" || textOf(one).includes(wanted));
  const chip = (key: string, title: string) => (
    <button type="button" aria-pressed={period === key} onClick={() => setPeriod(key)}>
      {title}
    </button>
  );
  return (
    <section className="list">
      <h2>Ventas</h2>
      <div className="periods">
        <fieldset className="bare chips" aria-label="De cuándo">
          {shiftId && chip("shift", "Este turno")}
          {chip(today, "Hoy")}
          {chip(dayBefore(today), "Ayer")}
        </fieldset>
        <input
          type="date"
          aria-label="De otro día"
          max={today}
          value={period === "shift" ? "" : period}
          onChange={(event) => setPeriod(event.currentTarget.value || today)}
        />
      </div>
      <input
        type="search"
        aria-label="Buscar en las ventas"
        placeholder="Tiquete, documento, producto, cliente o valor"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {listed && shown.length > 0 && <Sum shown={shown} />}
      {listed && shown.length === 0 && (
        <p className="empty">
          {listed.length > 0
            ? "Ninguna coincide."
            : period === "shift"
              ? "Todavía no hay ventas."
              : "Esta caja no tiene ventas de ese día."}
        </p>
      )}
      <ul className="rows">
        {shown.map(({ sale, documents }) => (
          <li key={sale.id}>
            <button type="button" onClick={() => setOpened(sale)}>
              <span>
                <strong>{sale.number}</strong> · {time(sale.data.occurred_at)}
                {sale.data.status === "cancelled" ? " · anulada" : sale.returns?.length ? " · con devolución" : ""}
              </span>
              <span>
                {sale.customer_name ?? sale.data.items[0]?.description}
                {documents.length > 0 && <small className="dim"> {numbersOf(documents)}</small>}
              </span>
              <span>{sale.charge.payments.map(({ payment_method }) => methodName(payment_method)).join(" + ")}</span>
              <strong>{pesos(sale.data.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {opened && <SaleDialog sale={opened} onChange={showIfOpen} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function Sum({ shown }: { shown: readonly Listed[] }) {
  const made = shown.filter(({ sale }) => sale.data.status === "completed");
  const total = made.reduce((sum, { sale }) => sum + sale.data.total, 0);
  return (
    <p className="dim" role="status">
      {made.length === 1 ? "1 venta" : `${made.length.toLocaleString("es-CO")} ventas`} · {pesos(total)}
    </p>
  );
}

/** Reads them again when a sale, a cancellation or a document changes them. */
function useSales(period: string, shiftId: string | undefined): Listed[] | undefined {
  const { counter } = useOpen();
  const { shift } = useCounter();
  const news = useNews();
  const [listed, setListed] = useState<Listed[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sale or a cancellation changes the shift, a document the news
  useEffect(() => {
    let isWanted = true;
    async function read(): Promise<void> {
      const sales = await (period === "shift" && shiftId ? counter.salesOf(shiftId) : counter.salesOn(period));
      const documents = await Promise.all(sales.map(({ id }) => counter.documentsOf(id)));
      if (isWanted) setListed(sales.map((sale, i) => ({ sale, documents: documents[i]! })));
    }
    void read();
    return () => {
      isWanted = false;
    };
  }, [counter, period, shiftId, shift, news]);
  return listed;
}

function numbersOf(documents: readonly SaleDocument[]): string {
  return documents.flatMap(({ prefix, number }) => (number ? [`${prefix ?? ""}${number}`] : [])).join(" ");
}

function textOf({ sale, documents }: Listed): string {
  const { number, data, customer_name, customer_document } = sale;
  const products = data.items.map(({ description }) => description);
  return folded([number, data.total, customer_name, customer_document, numbersOf(documents), ...products].join(" "));
}
