import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { fulfilmentTitles, orderWords } from "../../../src/api/portal/lists/words.ts";
import { paymentName } from "../../../src/taxes/means.ts";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { pesos } from "../lib/format.ts";
import { refreshMs } from "../lib/queries.ts";
import { Allowed } from "../ui/allowed.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Heading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { AcceptDialog, RejectDialog } from "./order-dialogs.tsx";
import { SaleLines, SaleTaxes } from "./sale-parts.tsx";

const back = { to: "/pedidos", label: "Pedidos" };
type Shown = Answer<"GET /orders/:id">["order"];

export default function Order({ id }: { id: string }) {
  const [open, setOpen] = useState<"accept" | "reject">();
  const detail = useQuery({
    queryKey: ["order", id],
    queryFn: ({ signal }) => get<Answer<"GET /orders/:id">>(`/orders/${id}`, signal),
    refetchInterval: refreshMs,
  });
  if (!detail.data) return <DetailPending record={detail} heading="Pedido" none="Este pedido no existe" back={back} />;
  const { order } = detail.data;
  const isOpen = ["placed", "accepted", "ready"].includes(order.status);
  return (
    <>
      <Heading title={`Pedido ${order.number}`} lead={order.contact?.name ?? order.source} back={back}>
        <StateBadge {...orderWords[order.status]} />
        <Allowed to="orders:write">
          {order.status === "placed" && <Button onClick={() => setOpen("accept")}>Aceptar…</Button>}
          {isOpen && (
            <Button variant="default" onClick={() => setOpen("reject")}>
              Rechazar…
            </Button>
          )}
        </Allowed>
      </Heading>
      <Figures label="El pedido en números">
        <Figure isMain label="Total" value={pesos(order.total)} />
        {order.delivery_fee > 0 && <Figure label="Domicilio" value={pesos(order.delivery_fee)} />}
        {order.discount > 0 && <Figure label="Descuento" value={pesos(order.discount)} />}
        {order.tip > 0 && <Figure label="Propina" value={pesos(order.tip)} />}
        <Figure label="Impuestos" value={pesos(order.tax)} />
      </Figures>
      <Detail aside={<About order={order} />}>
        <SaleLines sale={{ ...order, items: order.items.map(charged), tip_amount: order.tip }} />
        <SaleTaxes sale={order} />
      </Detail>
      {open === "accept" && <AcceptDialog order={order} onClose={() => setOpen(undefined)} />}
      {open === "reject" && <RejectDialog order={order} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** As it is charged: what is taken off each unit is off its price. */
const charged = (item: Shown["items"][number]) => ({ ...item, unit_price: item.unit_price - item.discount });

function About({ order }: { order: Shown }) {
  const { contact, fulfilment, payment } = order;
  const time = (at: string | null) => at && <Time key="at" at={at} />;
  return (
    <Section title="Datos">
      <Facts
        facts={[
          ["Fuente", order.source],
          ["Su número", order.external_id],
          ["Teléfono", contact?.phone],
          ["Correo", contact?.email],
          [
            "Entrega",
            [fulfilmentTitles[fulfilment.type], fulfilment.address, fulfilment.table].filter(Boolean).join(" · "),
          ],
          ["Indicaciones", fulfilment.notes],
          [
            "Pago",
            payment && (payment.status === "paid" ? `Pagado, ${paymentName(payment.method ?? "OTHER")}` : "Al recibir"),
          ],
          ["Precios", order.price_differs ? "Algunos no son los del negocio" : null],
          ["Llegó", time(order.created_at)],
          ["Para", time(order.due_at)],
          ["Prometido", time(order.promised_at)],
          ["Aceptado", time(order.accepted_at)],
          ["Listo", time(order.ready_at)],
          ["Entregado", time(order.completed_at)],
          ["Rechazado", time(order.rejected_at)],
          ["Cancelado", time(order.cancelled_at)],
          ["Venció", time(order.expired_at)],
          ["Motivo", order.rejected_reason ?? order.cancelled_reason],
          [
            "Venta",
            order.sale_id && (
              <Link key="to" href={`/ventas/${order.sale_id}`}>
                Ver la venta
              </Link>
            ),
          ],
          ["Notas", order.notes],
        ]}
      />
    </Section>
  );
}
