import { type ReactNode, type RefObject, useRef, useState } from "react";
import { pesos } from "../../../register/format.ts";
import type { OrderView } from "../../../register/order.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { paymentNames } from "../../../src/taxes/means.ts";
import { storeProblem } from "../ui/problems.ts";
import { useCounterPart, useDevice, useOpen } from "../use-device.ts";
import { useOrders } from "../use-orders.ts";
import { OrderCard } from "./order-card.tsx";
import { OrderPaperDialog, RejectDialog } from "./order-dialogs.tsx";
import { SaleDialog } from "./sale-dialog.tsx";

const endedShown = 20;

type Asking = { kind: "reject" | "paper"; order: OrderView };

/** What was ordered from outside: waiting, being made, ready to hand over, and what became of the last ones. */
export function OrdersScreen({ onTakenUp }: { onTakenUp: () => void }) {
  const { counter } = useOpen();
  const hasShift = useCounterPart((state) => state.shift !== undefined);
  const { orders, now } = useOrders();
  const [asking, setAsking] = useState<Asking>();
  const [sold, setSold] = useState<{ number: number; sale: KeptSale }>();
  const [opened, setOpened] = useState<KeptSale>();
  const heading = useRef<HTMLHeadingElement>(null);
  const { run, problem } = useRun(heading);
  function sell({ id }: OrderView): void {
    counter.takeUpOrder(id);
    onTakenUp();
  }
  const card = (order: OrderView) => (
    <OrderCard
      key={order.id}
      order={order}
      now={now}
      hasShift={hasShift}
      onAccept={(minutes) => void run(() => counter.acceptOrder(order.id, minutes))}
      onReady={() => void run(() => counter.readyOrder(order.id))}
      onHandOver={() =>
        void run(async () => setSold({ number: order.number, sale: await counter.handOverOrder(order.id) }))
      }
      onSell={() => sell(order)}
      onReject={() => setAsking({ kind: "reject", order })}
      onPaper={() => setAsking({ kind: "paper", order })}
    />
  );
  const those = (status: OrderView["status"], isOver = false) =>
    orders.filter((one) => one.status === status && one.isOver === isOver);
  const over = orders.filter(({ isOver }) => isOver);
  const ended = orders.filter(({ status }) => !["placed", "accepted", "ready"].includes(status)).toReversed();
  const open = those("placed").length + those("accepted").length + those("ready").length + over.length;
  return (
    <section className="list orders">
      <h2 ref={heading} tabIndex={-1}>
        Pedidos
      </h2>
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {sold && <HandedOver {...sold} onOpen={() => setOpened(sold.sale)} onRead={() => setSold(undefined)} />}
      {open === 0 && (
        <p className="empty">No hay pedidos por atender. Los nuevos llegan aquí solos, y la caja suena.</p>
      )}
      <Group title="Nuevos" orders={those("placed")} card={card} />
      <Group title="En preparación" orders={those("accepted")} card={card} />
      <Group title="Listos para entregar" orders={those("ready")} card={card} />
      <Group title="Vencidos" orders={over} card={card} />
      {ended.length > 0 && <Ended orders={ended.slice(0, endedShown)} />}
      {asking?.kind === "reject" && (
        <RejectDialog
          order={asking.order}
          onReject={(reason) => {
            setAsking(undefined);
            void run(() => counter.rejectOrder(asking.order.id, reason));
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.kind === "paper" && <OrderPaperDialog order={asking.order} onClose={() => setAsking(undefined)} />}
      {opened && <SaleDialog sale={opened} onChange={setOpened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

/** One step after the other; what was touched twice is done once. */
function useRun(heading: RefObject<HTMLElement | null>) {
  const device = useDevice();
  const [problem, setProblem] = useState<string>();
  const isRunning = useRef(false);
  /** Whoever pressed a button that is gone stands on no other: an Enter more does nothing. */
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setProblem(undefined);
    try {
      await work();
      device.wake();
    } catch (error) {
      setProblem(storeProblem(error));
    }
    isRunning.current = false;
    heading.current?.focus({ preventScroll: true });
  }
  return { run, problem };
}

function HandedOver(props: { number: number; sale: KeptSale; onOpen: () => void; onRead: () => void }) {
  const { number, sale, onOpen, onRead } = props;
  return (
    <p role="status" className="notice remark">
      <span>
        Pedido {number} entregado: venta {sale.number}, {pesos(sale.data.total)} en {paymentNames(sale.charge.payments)}
        .
      </span>
      <button type="button" onClick={onOpen}>
        Ver el tiquete
      </button>
      <button type="button" onClick={onRead}>
        Entendido
      </button>
    </p>
  );
}

function Group(props: { title: string; orders: readonly OrderView[]; card: (order: OrderView) => ReactNode }) {
  const { title, orders, card } = props;
  if (orders.length === 0) return null;
  return (
    <section className="order-group" aria-label={title}>
      <h3>
        {title} <span className="count-of">{orders.length}</span>
      </h3>
      <ul className="order-cards">{orders.map(card)}</ul>
    </section>
  );
}

const endWords: Partial<Record<OrderView["status"], string>> = {
  completed: "entregado",
  rejected: "rechazado",
  cancelled: "cancelado",
  expired: "vencido",
};

function Ended({ orders }: { orders: readonly OrderView[] }) {
  return (
    <details className="order-group">
      <summary>Terminados</summary>
      <ul className="rows plain">
        {orders.map((order) => (
          <li key={order.id}>
            <span>
              <strong>{order.number}</strong> · {endWords[order.status]}
            </span>
            <span className="dim">{order.rejected_reason ?? order.cancelled_reason ?? order.source}</span>
            <span>{order.contact?.name}</span>
            <strong>{pesos(order.total)}</strong>
          </li>
        ))}
      </ul>
    </details>
  );
}
