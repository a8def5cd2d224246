import { payableList } from "../../../src/api/portal/lists/payables.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos } from "../lib/format.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { Figure, Figures } from "../ui/figure.tsx";

export default function Payables() {
  return (
    <ListPage
      list={payableList}
      heading={{ lead: "Lo que se debe por lo que llegó: lo que vence primero, arriba." }}
      href={({ id }) => `/compras/${id}`}
      totals={(asked) => <Totals asked={asked} />}
      words={{
        icon: "receipt",
        none: "No se debe nada",
        noMatch: "Nada por pagar coincide",
        hint: "Cuando reciba una compra, aquí aparece lo que se debe por ella y cuándo se paga.",
      }}
    />
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /payables/totals">>("/payables", asked);
  if (!data || data.count === 0) return null;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure isMain label="Por pagar" value={pesos(data.balance)} />
      <Figure label="Vencido" value={pesos(data.overdue)} />
      <Figure label="Esta semana" value={pesos(data.soon)} />
      <Figure label="Proveedores" value={number(data.suppliers)} />
    </Figures>
  );
}
