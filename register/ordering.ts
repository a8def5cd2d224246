import type { CatalogProduct } from "./catalog.ts";
import { charge as chargeTotal } from "./charge.ts";
import type { CounterCore } from "./counter-state.ts";
import { inTurn } from "./in-turn.ts";
import { endOf, endText, nextText, paidHere, paidText, withoutOrder } from "./lost-order.ts";
import {
  type Around,
  isPaid,
  type LostOrder,
  type Order,
  type OrderStep,
  type OrderView,
  orderView,
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
  /** The feed brought news of orders, or their time went on. */
  settleOrders(): void;
  /** Puts what was ordered back on a ticket although the order ended otherwise: a sale like any other. */
  sellAnyway(orderId: string): void;
  /** The cashier has read what came too late. */
  dismissLost(): void;
}

/** Without an answer for so long, while everything was uploaded: the service kept it aside. */
const forgottenMs = 120_000;
/** What ended is of use to nobody here after some days. */
const keptMs = 3 * 86_400_000;

export function ordering(
  core: CounterCore,
  selling: Pick<Selling, "beginTicket" | "edit" | "select" | "amend" | "onceStored">,
): Ordering {
  const { state, set, register, catalog, now, newId, begin, profile } = core;
  const oneByOne = inTurn();
  const ownId = () => register.identity().device_id;
  const stored = () => catalog.all("order") as Order[];
  const view = (order: Order) => orderView(order, state().orderSteps, ownId(), now());
  const around = { newId, productOf: (id: string) => catalog.get("product", id) as CatalogProduct | undefined };

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
  const settling = settlingOrders(core, selling, { view, around });
  const settle = () => selling.onceStored(settling);
  settle();
  void forgetOld(core).catch(() => {});
  return {
    orders: () =>
      stored()
        .map(view)
        .sort((a, b) => a.number - b.number),
    acceptOrder: (id, minutes) => record(id, ["placed"], { status: "accepted", minutes }),
    readyOrder: (id) => record(id, ["accepted"], { status: "ready" }),
    async rejectOrder(id, reason) {
      await record(id, ["placed", "accepted", "ready"], { status: "rejected", reason });
      settle();
    },
    takeUpOrder(orderId) {
      const order = viewOf(orderId);
      const despite = endOf(order);
      if (despite !== undefined && !order.isOver) throw new Error("it has ended");
      const open = state().tickets.find(({ order_id }) => order_id === orderId);
      if (open) return selling.select(open.id);
      selling.beginTicket();
      selling.edit((ticket) => ({ ...ticketOfOrder(order, ticket, around), ...(despite && { despite }) }));
    },
    sellAnyway: (orderId) => sellLost(core, selling, viewOf(orderId), around),
    handOverOrder: (orderId) =>
      core.atTheDrawer(async () => {
        const order = viewOf(orderId);
        const ticket = ticketOfOrder(order, begin(), around);
        const { total } = totalsOf(ticket, profile(), now());
        const result = chargeTotal(total, ticket.parts ?? [], { rounding: 0 });
        const isWhole = isPaid(order) && total === order.total && "charge" in result;
        if (!isWhole || !isOneOf(order, "placed", "accepted", "ready")) throw new Error("it is not paid");
        const { sale } = await sell(core, ticket, result.charge);
        settle();
        return sale;
      }),
    settleOrders: settle,
    dismissLost: () => set({ lostOrders: [] }),
  };
}

/** On the ticket where it was, if that is in front still. */
function sellLost(
  { state, set }: CounterCore,
  selling: Pick<Selling, "beginTicket" | "edit">,
  order: OrderView,
  around: Around,
): void {
  const despite = endOf(order);
  const { lostOrders, current } = state();
  const lost = lostOrders.find(({ id, canSell }) => id === order.id && canSell);
  if (!lost || despite === undefined) throw new Error("there is nothing to sell");
  if (lost.ticket_id !== current.id) selling.beginTicket();
  selling.edit((ticket) => {
    const made = ticketOfOrder(order, ticket, around);
    const discount = made.discount ?? ticket.discount;
    return { ...made, discount, lines: [...made.lines, ...ticket.lines], despite };
  });
  set({ lostOrders: state().lostOrders.filter((one) => one !== lost) });
}

interface Settling {
  view: (order: Order) => OrderView;
  around: Around;
}

/** Once it is known how an order stands, what was done here is true, still under way, or came too late. */
function settlingOrders(core: CounterCore, selling: Pick<Selling, "amend">, { view, around }: Settling) {
  const { state, set, register, store, catalog, now } = core;
  const orderOf = (id: string) => catalog.get("order", id) as Order | undefined;
  function keepSteps(orderSteps: readonly OrderStep[]): void {
    void Promise.resolve(store.commit({ put: [stepsRow(orderSteps)] })).catch(() => {});
    set({ orderSteps });
  }
  /** What was asked of the service and not granted. */
  function lostSteps(): LostOrder[] {
    const { orderSteps } = state();
    const lost: LostOrder[] = [];
    const left = [...Map.groupBy(orderSteps, ({ order_id }) => order_id)].flatMap(([id, steps]) => {
      const order = orderOf(id);
      const isForgotten = register.pending() === 0 && now().getTime() - Date.parse(steps[0]!.at) > forgottenMs;
      if (!order) return isForgotten ? [] : steps;
      const settled = settleSteps(order, steps, register.identity().device_id);
      if (settled.lost) lost.push(settled.lost);
      // What was charged here is handed over, whatever becomes of its upload.
      return isForgotten ? settled.left.filter(({ status }) => status === "completed") : settled.left;
    });
    if (left.length !== orderSteps.length) keepSteps(left);
    return lost;
  }
  /** The open tickets whose order ended otherwise; who sells one all the same knows. */
  function lostTickets(): LostOrder[] {
    return state().tickets.flatMap(({ order_id, despite }) => {
      const order = order_id && orderOf(order_id);
      const end = order ? endOf(view(order)) : undefined;
      return order && end && end !== despite
        ? [{ id: order.id, number: order.number, text: endText(view(order), end) }]
        : [];
    });
  }
  /** Whoever was first has it: what was begun here for it goes, unless money was taken for it. */
  function giveUp(lost: LostOrder): LostOrder {
    const order = orderOf(lost.id);
    const ticket = state().tickets.find(({ order_id }) => order_id === lost.id);
    if (!order || !ticket) return lost;
    const end = endOf(view(order));
    const paid = paidHere(ticket, order);
    if (paid.length > 0) {
      if (end) selling.amend({ ...ticket, despite: end });
      return { ...lost, text: `${lost.text} ${paidText(paid)}` };
    }
    const { left, gone } = withoutOrder(ticket, order, around);
    // Nobody took it off: it is nobody's act, on hold or not.
    const { kept: _kept, ...dropped } = { ...ticket, lines: gone };
    selling.amend(left, gone.length > 0 ? core.acts.drop(dropped, undefined, `${lost.text} `) : []);
    const canSell = end !== undefined && end !== "completed";
    return { ...lost, text: `${lost.text} ${nextText(end, left)}`, ticket_id: ticket.id, canSell };
  }
  return function settle(): void {
    const late = lostSteps();
    const ended = lostTickets().filter(({ id }) => !late.some((one) => one.id === id));
    const lost = [...late, ...ended].map(giveUp);
    if (lost.length > 0) set({ lostOrders: [...state().lostOrders, ...lost] });
  };
}

async function forgetOld({ catalog, store, now }: CounterCore): Promise<void> {
  const before = new Date(now().getTime() - keptMs).toISOString();
  const old = (catalog.all("order") as Order[]).filter(
    ({ status, updated_at }) => !["placed", "accepted", "ready"].includes(status) && updated_at < before,
  );
  for (const { id } of old) catalog.drop(id);
  if (old.length > 0) await store.commit({ remove: old.map(({ id }) => ({ table: "catalog", key: id })) });
}
