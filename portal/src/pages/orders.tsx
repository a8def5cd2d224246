import { orderList } from "../../../src/api/portal/lists/orders.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos } from "../lib/format.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { Figure, Figures } from "../ui/figure.tsx";

export default function Orders() {
  return (
    <ListPage
      list={orderList}
      heading={{ lead: "Lo que piden de afuera: una tienda web, un domicilio, una mesa." }}
      href={({ id }) => `/pedidos/${id}`}
      totals={(asked) => <Totals asked={asked} />}
      words={{
        icon: "order",
        none: "Todavía no hay pedidos",
        noMatch: "Ningún pedido coincide",
        hint: "Los hace un sistema suyo por la API: vea «Conectar una tienda» en las guías.",
      }}
    />
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /orders/totals">>("/orders", asked);
  if (!data || data.count === 0) return null;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure isMain label="Por atender" value={number(data.open)} />
      <Figure label="Pedidos" value={number(data.count)} />
      <Figure label="Entregado" value={pesos(data.total)} />
    </Figures>
  );
}
