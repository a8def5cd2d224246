import { charge as chargeTotal } from "./charge.ts";
import type { CounterCore } from "./counter-state.ts";
import { inTurn } from "./in-turn.ts";
import {
  isPaid,
  type LostOrder,
  type Order,
  type OrderStep,
  type OrderView,
  orderView,
  paidPart,
  settleSteps,
  stepDraft,
  stepsRow,
  ticketOfOrder,
} from "./order.ts";
import type { KeptSale } from "./sale.ts";
import { type Selling, sell } from "./selling.ts";
import { totalsOf } from "./ticket.ts";

/** The orders of this register's sede, and what is done about them here. Each step is durable when it resolves, online or not. */
export interface Ordering {
  /** As they stand here, the oldest first. */
  orders(): OrderView[];
  acceptOrder(orderId: string, minutes: number | null): Promise<void>;
  readyOrder(orderId: string): Promise<void>;
  rejectOrder(orderId: string, reason: string): Promise<void>;
  /** Begins a ticket with what was ordered, or goes on with the one that was begun. Charging it completes the order. */
  takeUpOrder(orderId: string): void;
  /** Hands over one that is paid: its sale, without the drawer. */
  handOverOrder(orderId: string): Promise<KeptSale>;
  /** The feed brought news of orders. */
  settleOrders(): void;
  /** The cashier has read what came too late. */
  dismissLost(): void;
}

/** Without an answer for so long, while everything was uploaded: the service kept it aside. */
const forgottenMs = 120_000;
/** What ended is of use to nobody here after some days. */
const keptMs = 3 * 86_400_000;

export function ordering(
  core: CounterCore,
  selling: Pick<Selling, "beginTicket" | "edit" | "select" | "forget">,
): Ordering {
  const { state, set, register, catalog, now, newId, begin, profile } = core;
  const oneByOne = inTurn();
  const ownId = () => register.identity().device_id;
  const stored = () => catalog.all("order") as Order[];
  const view = (order: Order) => orderView(order, state().orderSteps, ownId(), now());
  const productOf = (id: string) => catalog.get("product", id);

  function viewOf(orderId: string): OrderView {
    const order = catalog.get("order", orderId) as Order | undefined;
    if (!order) throw new Error("there is no such order");
    return view(order);
  }
  const isOneOf = (order: OrderView, ...from: Order["status"][]) => from.includes(order.status) && !order.isOver;

  function record(orderId: string, from: Order["status"][], step: Pick<OrderStep, "status" | "minutes" | "reason">) {
    return oneByOne(async () => {
      const order = viewOf(orderId);
      if (!isOneOf(order, ...from)) return;
      const done: OrderStep = { order_id: orderId, number: order.number, at: now().toISOString(), ...step };
      const orderSteps = [...state().orderSteps, done];
      await register.record([stepDraft(done)], { put: [stepsRow(orderSteps)] });
      set({ orderSteps });
    });
  }
  const settle = settlingOrders(core, selling);
  settle();
  void forgetOld(core).catch(() => {});
  return {
    orders: () =>
      stored()
        .map(view)
        .sort((a, b) => a.number - b.number),
    acceptOrder: (id, minutes) => record(id, ["placed"], { status: "accepted", minutes }),
    readyOrder: (id) => record(id, ["accepted"], { status: "ready" }),
    rejectOrder: (id, reason) => record(id, ["placed", "accepted", "ready"], { status: "rejected", reason }),
    takeUpOrder(orderId) {
      const order = viewOf(orderId);
      if (order.status === "completed") throw new Error("it was handed over");
      const open = state().tickets.find(({ order_id }) => order_id === orderId);
      if (open) return selling.select(open.id);
      selling.beginTicket();
      selling.edit((ticket) => ticketOfOrder(order, ticket, { newId, productOf }));
    },
    handOverOrder: (orderId) =>
      core.atTheDrawer(async () => {
        const order = viewOf(orderId);
        const ticket = ticketOfOrder(order, begin(), { newId, productOf });
        const { total } = totalsOf(ticket, profile(), now());
        const result = chargeTotal(total, ticket.parts ?? [], { rounding: 0 });
        const isWhole = isPaid(order) && total === order.total && "charge" in result;
        if (!isWhole || !isOneOf(order, "placed", "accepted", "ready")) throw new Error("it is not paid");
        return (await sell(core, ticket, result.charge)).sale;
      }),
    settleOrders: settle,
    dismissLost: () => set({ lostOrders: [] }),
  };
}

/** Once the service has said how an order stands, what was done here is true, still under way, or came too late. */
function settlingOrders({ state, set, register, store, catalog, now }: CounterCore, selling: Pick<Selling, "forget">) {
  function keepSteps(orderSteps: readonly OrderStep[]): void {
    void Promise.resolve(store.commit({ put: [stepsRow(orderSteps)] })).catch(() => {});
    set({ orderSteps });
  }
  /** Whoever was first has it: what was begun here for it goes, unless money was taken for it. */
  function giveUp({ id }: LostOrder): void {
    const order = catalog.get("order", id) as Order | undefined;
    const ticket = state().tickets.find(({ order_id }) => order_id === id);
    const paid = order && paidPart(order) ? 1 : 0;
    if (ticket && (ticket.parts?.length ?? 0) <= paid) selling.forget(ticket.id);
  }
  function settle(): void {
    const { orderSteps, lostOrders } = state();
    const lost: LostOrder[] = [];
    const left = [...Map.groupBy(orderSteps, ({ order_id }) => order_id)].flatMap(([id, steps]) => {
      const order = catalog.get("order", id) as Order | undefined;
      const isForgotten = register.pending() === 0 && now().getTime() - Date.parse(steps[0]!.at) > forgottenMs;
      if (!order) return isForgotten ? [] : steps;
      const settled = settleSteps(order, steps, register.identity().device_id);
      if (settled.lost) lost.push(settled.lost);
      // What was charged here is handed over, whatever becomes of its upload.
      return isForgotten ? settled.left.filter(({ status }) => status === "completed") : settled.left;
    });
    if (left.length !== orderSteps.length) keepSteps(left);
    if (lost.length > 0) set({ lostOrders: [...lostOrders, ...lost] });
    lost.forEach(giveUp);
  }
  return settle;
}

async function forgetOld({ catalog, store, now }: CounterCore): Promise<void> {
  const before = new Date(now().getTime() - keptMs).toISOString();
  const old = (catalog.all("order") as Order[]).filter(
    ({ status, updated_at }) => !["placed", "accepted", "ready"].includes(status) && updated_at < before,
  );
  for (const { id } of old) catalog.drop(id);
  if (old.length > 0) await store.commit({ remove: old.map(({ id }) => ({ table: "catalog", key: id })) });
}
