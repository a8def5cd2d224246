import type { OrderStatus } from "../src/business/orders/states.ts";
import { actsOf, keptTicket, withActs, withFixedDiscount } from "./acts.ts";
import type { Permit } from "./cashiers.ts";
import type { Catalog, CatalogProduct } from "./catalog.ts";
import { type ChargeProblem, charge as chargeTotal } from "./charge.ts";
import type { CounterCore, CounterState } from "./counter-state.ts";
import { type OrderStep, stepsRow } from "./order.ts";
import type { Prices } from "./prices.ts";
import type { Draft, Payment } from "./protocol.ts";
import { conversionOf, isInForce, type Quote } from "./quote.ts";
import { buyerIn, type KeptSale, saleData, saleDrafts, saleRow } from "./sale.ts";
import { shelfRow, withSold } from "./shelf.ts";
import { type Shift, shiftDraft, shiftRow, withSale } from "./shift.ts";
import { allActs } from "./shown-acts.ts";
import { type Ticket, ticketKey, ticketRow, totalsOf } from "./ticket.ts";
import { ownWarehouse } from "./warehouses.ts";

/** The tickets on the counter, from their first line to the sale. */
export interface Selling {
  /**
   * Changes the current ticket; it is stored at once and survives a reload. While a sale is being stored the change waits, and
   * is for the next ticket. What it takes off a ticket that was on hold is told to the owner.
   */
  edit(change: (ticket: Ticket) => Ticket, permits?: readonly Permit[]): void;
  /** Puts the current ticket aside, if it has lines, and begins another one. */
  beginTicket(): void;
  select(ticketId: string): void;
  /** Throws a ticket away; the owner is told. */
  drop(ticketId: string, permit?: Permit): void;
  /** The ticket became something else. */
  forget(ticketId: string): void;
  /** Changes a ticket wherever it lies, and tells the owner; one without lines goes. */
  amend(after: Ticket, told?: readonly Draft[]): void;
  /** Does it now, or once the sale that is being stored is. */
  onceStored(act: () => void): void;
  /** When it resolves with a sale, the sale is durable. It rejects when it could not be stored: then nothing was sold. */
  charge(others: readonly Payment[], tendered?: number): Promise<{ sale: KeptSale } | { problem: ChargeProblem }>;
}

export function selling(core: CounterCore, { totals }: Prices): Selling {
  const { state, set, begin, acts } = core;
  /** Two taps on one button must not charge twice. */
  let charging = false;
  /** What was scanned while the sale before was being stored. */
  const meanwhile: (() => void)[] = [];

  function forget(ticketId: string, told: readonly Draft[] = []): void {
    const tickets = keepTicket(core, begin(ticketId), told);
    const isCurrent = state().current.id === ticketId;
    set({ tickets, ...(isCurrent && { current: begin() }) });
  }
  /** What waits while another ticket is in front is kept: from then on taking something off it takes a right. */
  function hold(): Pick<CounterState, "tickets"> {
    const { current, tickets } = state();
    return { tickets: current.lines.length > 0 ? keepTicket(core, keptTicket(current)) : tickets };
  }
  /** It counts from its first line: what lies empty in front is nobody's yet. */
  function begun(before: Ticket, ticket: Ticket): Ticket {
    const isFirst = before.lines.length === 0 && ticket.lines.length > 0;
    return isFirst ? { ...ticket, opened_at: begin(ticket.id).opened_at } : ticket;
  }
  function edit(change: (ticket: Ticket) => Ticket, permits: readonly Permit[] = []): void {
    if (charging) return void meanwhile.push(() => edit(change, permits));
    const { current: before, cashier } = state();
    const changed = withFixedDiscount(before, begun(before, change(before)), permits, totals);
    const done = actsOf(cashier?.id, permits);
    const current = done.length > 0 ? { ...changed, acts: withActs(changed.acts, done) } : changed;
    set({ current, tickets: keepTicket(core, current, acts.removal(before, current, permits)) });
  }
  return {
    edit,
    beginTicket() {
      if (state().current.lines.length > 0) set({ ...hold(), current: begin() });
    },
    select(ticketId) {
      const chosen = state().tickets.find(({ id }) => id === ticketId);
      if (chosen && chosen.id !== state().current.id) set({ ...hold(), current: chosen });
    },
    drop(ticketId, permit) {
      const ticket = state().tickets.find(({ id }) => id === ticketId);
      forget(ticketId, ticket && acts.drop(ticket, permit?.by));
    },
    forget: (ticketId) => forget(ticketId),
    amend(after, told = []) {
      const tickets = keepTicket(core, after, told);
      const isCurrent = state().current.id === after.id;
      set({ tickets, ...(isCurrent && { current: after.lines.length > 0 ? after : begin() }) });
    },
    onceStored: (act) => (charging ? void meanwhile.push(act) : act()),
    async charge(others, tendered) {
      const { current: ticket, business } = state();
      if (charging || ticket.lines.length === 0) throw new Error("there is nothing to charge");
      const result = chargeTotal(totals(ticket).total, others, { rounding: business.cash_rounding, tendered });
      if ("problem" in result) return result;
      charging = true;
      try {
        return await core.atTheDrawer(() => sell(core, ticket, result.charge));
      } finally {
        charging = false;
        for (const later of meanwhile.splice(0)) later();
      }
    },
  };
}

/** Open tickets are drafts: losing the last keystroke with the power costs nobody money. */
function keepTicket({ state, register, store }: CounterCore, ticket: Ticket, told: readonly Draft[] = []): Ticket[] {
  const others = state().tickets.filter(({ id }) => id !== ticket.id);
  const isEmpty = ticket.lines.length === 0;
  const change = isEmpty ? { remove: [ticketKey(ticket.id)] } : { put: [ticketRow(ticket)] };
  const done = told.length > 0 ? register.record(told, change) : store.commit(change);
  void Promise.resolve(done).catch(() => {});
  return isEmpty ? others : [...others, ticket].sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
}

/** Makes a ticket a sale, whichever stands in front. */
export async function sell(
  core: CounterCore,
  ticket: Ticket,
  payment: KeptSale["charge"],
): Promise<{ sale: KeptSale }> {
  const { state, set, register, catalog, newId } = core;
  const shift = core.requireShift();
  const sale = makeSale(core, ticket, shift, payment);
  const after = withSale(shift, sale);
  const shelf = withSold(state().shelf, sale);
  const drafts = [...saleDrafts(sale, ownWarehouse(catalog), newId), ...core.acts.ofTicket(ticket, becameSale(sale))];
  const quote = ticket.quote_id ? conversionOf(ticket.quote_id, sale) : undefined;
  const orderSteps = ticket.order_id
    ? [...state().orderSteps, handedOver(core, { ...ticket, order_id: ticket.order_id }, sale)]
    : undefined;
  await register.record([...drafts, ...(quote ? [quote] : []), shiftDraft(after)], {
    put: [saleRow(sale), shiftRow(after), shelfRow(shelf), ...(orderSteps ? [stepsRow(orderSteps)] : [])],
    remove: [ticketKey(ticket.id)],
  });
  if (quote) keepConverted(core, quote);
  const tickets = state().tickets.filter(({ id }) => id !== ticket.id);
  const isInFront = state().current.id === ticket.id;
  set({ shift: after, shelf, tickets, ...(isInFront && { current: core.begin() }), ...(orderSteps && { orderSteps }) });
  return { sale };
}

function handedOver(
  { catalog }: CounterCore,
  { order_id, despite }: { order_id: string; despite?: OrderStatus | undefined },
  { id, data }: KeptSale,
): OrderStep {
  const number: number = catalog.get("order", order_id)?.number ?? 0;
  const step = { order_id, number, at: data.occurred_at, sale_id: id };
  return { ...step, status: "completed", ...(despite && { despite }) };
}

const becameSale = ({ id, number, data }: KeptSale) => ({
  ...{ sale_id: id, label: `Venta ${number}`, discount: data.discount },
});

function makeSale(
  { state, catalog, profile, now }: CounterCore,
  ticket: Ticket,
  shift: Shift,
  payment: KeptSale["charge"],
): KeptSale {
  const totals = totalsOf(ticket, profile(), now());
  const { cashier } = state();
  const productOf = (id: string) => catalog.get("product", id) as CatalogProduct | undefined;
  const acts = allActs(ticket, { cashier, totals, productOf, isOffered: isOffered(ticket, catalog, now()) });
  const lines = ticket.lines.map((line) => ({ ...line, discount_percent: 0 }));
  const isReduced = ticket.lines.some(({ discount_percent }) => discount_percent > 0);
  const full = isReduced ? totalsOf({ ...ticket, lines, discount: null }, profile(), now()) : totals;
  return {
    id: ticket.id,
    number: shift.last_number + 1,
    shift_id: shift.id,
    data: saleData(ticket, totals, payment, { at: now(), shiftId: shift.id }),
    charge: payment,
    cashier_id: cashier?.id ?? null,
    cashier_name: cashier?.name ?? null,
    ...buyerIn(catalog, ticket.customer_id),
    stocked: ticket.lines.filter(({ has_stock }) => has_stock).map(({ id }) => id),
    ...(acts.length > 0 && { acts }),
    ...(isReduced && { line_discount: full.subtotal - totals.subtotal }),
  };
}

/** Whether its prices were agreed with whoever buys it. */
function isOffered({ quote_id, order_id, despite }: Ticket, catalog: Catalog, at: Date): boolean {
  const quote = quote_id ? (catalog.get("quote", quote_id) as Quote | undefined) : undefined;
  return quote ? isInForce(quote, at) : Boolean(order_id) && despite === undefined;
}

/** The feed brings it too; this only spares the list of quotes from showing it as open meanwhile. */
function keepConverted({ store, catalog }: CounterCore, { id, data }: Draft): void {
  void Promise.resolve(store.commit({ put: [catalog.keep("quote", id, data)] })).catch(() => {});
}
