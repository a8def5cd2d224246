import { quoteList } from "../../../src/api/portal/lists/quotes.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos } from "../lib/format.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Time } from "../ui/parts.tsx";

export default function Quotes() {
  return (
    <ListPage
      list={quoteList}
      heading={{ lead: "Lo que se ofreció a un cliente, y qué pasó con cada oferta." }}
      cells={{ expires_at: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : "No vence") }}
      href={({ id }) => `/cotizaciones/${id}`}
      totals={(asked) => <Totals asked={asked} />}
      words={{
        icon: "quote",
        none: "Todavía no hay cotizaciones",
        noMatch: "Ninguna cotización coincide",
        hint: "Se hacen en una caja y aparecen aquí cuando sincroniza.",
      }}
    />
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /quotes/totals">>("/quotes", asked);
  if (!data || data.count === 0) return null;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure isMain label="Cotizado" value={pesos(data.total)} />
      <Figure label="Cotizaciones" value={number(data.count)} />
      <Figure label="Cotización promedio" value={pesos(Math.round(data.total / data.count))} />
    </Figures>
  );
}
