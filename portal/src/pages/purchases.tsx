import { Button } from "@mantine/core";
import { Link } from "wouter";
import { purchaseList } from "../../../src/api/portal/lists/purchases.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos } from "../lib/format.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { InvoiceProblem, UploadInvoice, useInvoices } from "./upload-invoice.tsx";

export default function Purchases() {
  const reading = useInvoices();
  return (
    <ListPage
      list={purchaseList}
      heading={{ lead: "Lo que se pide, lo que llega y lo que se debe." }}
      actions={
        <Allowed to="purchases:write">
          <UploadInvoice reading={reading} />
          <Button component={Link} href="/compras/nueva" leftSection={<Icon name="plus" size={18} />}>
            Nueva compra
          </Button>
        </Allowed>
      }
      href={({ id }) => `/compras/${id}`}
      top={() => <InvoiceProblem reading={reading} />}
      totals={(asked) => <Totals asked={asked} />}
      words={{
        icon: "truck",
        none: "Todavía no hay compras",
        noMatch: "Ninguna compra coincide",
        hint: "Suba la factura electrónica de su proveedor, o haga una con lo que va a pedir: al recibirla entra al inventario con su costo.",
      }}
    />
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /purchases/totals">>("/purchases", asked);
  if (!data || data.count === 0) return null;
  return (
    <Figures label="Totales de lo filtrado">
      <Figure isMain label="Por pagar" value={pesos(data.balance)} />
      <Figure label="En camino" value={number(data.awaited)} />
      <Figure label="Compras" value={number(data.count)} />
      <Figure label="Total" value={pesos(data.total)} />
    </Figures>
  );
}
