import { type AfterSale, afterSale } from "./after-sale.ts";
import { type BusinessInfo, businessIn, profileOf } from "./business.ts";
import { type Cashier, isPin } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import { type ChargeProblem, charge as chargeTotal } from "./charge.ts";
import { dayOf } from "./format.ts";
import type { Payment } from "./protocol.ts";
import { conversionOf } from "./quote.ts";
import type { Draft, Register } from "./register.ts";
import { buyerIn, type KeptSale, saleData, saleDrafts, saleRow } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { emptyShelf, type Shelf, shelfRow, withFavourite, withSold } from "./shelf.ts";
import {
  type CashMovement,
  closeShift,
  openShift,
  type Shift,
  shiftDraft,
  shiftRow,
  withMovement,
  withSale,
} from "./shift.ts";
import { type ShiftReport, shiftReport } from "./shift-report.ts";
import type { Store } from "./store.ts";
import { lineOf, newTicket, type Ticket, type Totals, totalsOf } from "./ticket.ts";
import { ownWarehouse } from "./warehouses.ts";

/** What is on the counter. A new object with every change, so that a screen knows when to draw. */
export interface CounterState {
  business: BusinessInfo;
  cashiers: Cashier[];
  cashier: Cashier | undefined;
  shift: Shift | undefined;
  tickets: Ticket[];
  /** The ticket in front of the cashier. */
  current: Ticket;
  shelf: Shelf;
}

export interface CounterOptions {
  store: Store;
  register: Register;
  registerName: string;
  now: () => Date;
  newId: () => string;
}

export interface Counter extends AfterSale {
  state(): CounterState;
  subscribe(listener: () => void): () => void;
  /** The feed brought something. */
  refresh(): void;
  signIn(cashierId: string, pin: string): Promise<boolean>;
  signOut(): void;
  totals(ticket?: Ticket): Totals;
  /** What a customer pays for one of it, with every tax; its list price while it cannot be sold. */
  priceOf(product: CatalogProduct): number;
  /**
   * Changes the current ticket; it is stored at once and survives a reload. While a sale is being stored the change waits, and
   * is for the next ticket.
   */
  edit(change: (ticket: Ticket) => Ticket): void;
  /** Puts the current ticket aside, if it has lines, and begins another one. */
  beginTicket(): void;
  select(ticketId: string): void;
  drop(ticketId: string): void;
  /** Puts a product among the favourites, or takes it out. */
  favour(productId: string): void;
  /** When it resolves with a sale, the sale is durable. It rejects when it could not be stored: then nothing was sold. */
  charge(others: readonly Payment[], tendered?: number): Promise<{ sale: KeptSale } | { problem: ChargeProblem }>;
  openShift(base: number): Promise<void>;
  moveCash(type: CashMovement["type"], amount: number, reason: string): Promise<void>;
  closeShift(counted: number): Promise<Shift>;
  salesOf(shiftId: string): Promise<KeptSale[]>;
  /** The sales of a day at this register, in whichever shift, newest first; `day` as 2026-11-18. */
  salesOn(day: string): Promise<KeptSale[]>;
  /** The shifts that this register still has, newest first. */
  shifts(): Promise<Shift[]>;
  documentsOf(saleId: string): Promise<SaleDocument[]>;
  /** What the shift's sales add up to, for its X and its Z. */
  reportOf(shift: Shift): Promise<ShiftReport>;
  addCustomer(fields: Record<string, unknown> & { name: string }): Promise<string>;
}

export async function openCounter({ store, register, registerName, now, newId }: CounterOptions): Promise<Counter> {
  const { catalog } = register;
  const listeners = new Set<() => void>();
  const kept = (await store.list<Ticket>("ticket")).sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
  const shifts = await store.list<Shift>("shift", "open");
  const shelf = (await store.get<Shelf>("meta", "shelf")) ?? emptyShelf;
  let lastBegunMs = 0;
  /** Tickets are shown in the order they were begun, even if two were in the same millisecond. */
  function begin(id = newId()): Ticket {
    lastBegunMs = Math.max(lastBegunMs + 1, now().getTime());
    return newTicket(id, new Date(lastBegunMs));
  }
  let state: CounterState = {
    ...fromCatalog(),
    cashier: undefined,
    shift: shifts[0],
    tickets: kept,
    current: kept.at(-1) ?? begin(),
    shelf,
  };

  function fromCatalog(): Pick<CounterState, "business" | "cashiers"> {
    const cashiers = catalog.all("cashier") as Cashier[];
    return { business: businessIn(catalog), cashiers: cashiers.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
  function set(change: Partial<CounterState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }
  const profile = () => profileOf(state.business);
  const warehouseId = () => ownWarehouse(catalog);

  /** Open tickets are drafts: losing the last keystroke with the power costs nobody money. */
  function keepTicket(ticket: Ticket): Ticket[] {
    const others = state.tickets.filter(({ id }) => id !== ticket.id);
    const isEmpty = ticket.lines.length === 0;
    const change = isEmpty ? { remove: [ticketKey(ticket.id)] } : { put: [{ ...ticketKey(ticket.id), value: ticket }] };
    void Promise.resolve(store.commit(change)).catch(() => {});
    return isEmpty ? others : [...others, ticket].sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
  }

  async function recordShift(shift: Shift): Promise<void> {
    await register.record([shiftDraft(shift)], { put: [shiftRow(shift)] });
    set({ shift: shift.closed_at === null ? shift : undefined });
  }

  function requireShift(): Shift {
    if (!state.shift) throw new Error("there is no open shift");
    return state.shift;
  }

  function makeSale(ticket: Ticket, shift: Shift, payment: KeptSale["charge"]): KeptSale {
    const totals = totalsOf(ticket, profile(), now());
    const { cashier } = state;
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
      ...(isReduced && { line_discount: full.subtotal - totals.subtotal }),
    };
  }

  /** The feed brings it too; this only spares the list of quotes from showing it as open meanwhile. */
  function keepConverted({ id, data }: Draft): void {
    void Promise.resolve(store.commit({ put: [catalog.keep("quote", id, data)] })).catch(() => {});
  }

  /** Two taps on one button must not charge twice. */
  let charging = false;
  /** What was scanned while the sale before was being stored. */
  const meanwhile: ((ticket: Ticket) => Ticket)[] = [];

  const counter: Counter = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh() {
      const { business, cashiers } = fromCatalog();
      // A cashier who was retired, or lost a permission, stands at the counter as she is now.
      set({ business, cashiers, cashier: cashiers.find(({ id }) => id === state.cashier?.id) });
    },
    async signIn(cashierId, pin) {
      const cashier = state.cashiers.find(({ id }) => id === cashierId);
      if (!cashier || !(await isPin(pin, cashier.pin_hash))) return false;
      set({ cashier });
      return true;
    },
    signOut: () => set({ cashier: undefined }),
    totals: (ticket = state.current) => totalsOf(ticket, profile(), now()),
    priceOf(product) {
      const one = { ...newTicket(product.id, now()), lines: [lineOf(product.id, product)] };
      try {
        return totalsOf(one, profile(), now()).total;
      } catch {
        return product.final_price;
      }
    },
    edit(change) {
      if (charging) return void meanwhile.push(change);
      const current = change(state.current);
      set({ current, tickets: keepTicket(current) });
    },
    beginTicket() {
      if (state.current.lines.length > 0) set({ current: begin() });
    },
    select: (ticketId) => set({ current: state.tickets.find(({ id }) => id === ticketId) ?? state.current }),
    drop(ticketId) {
      const tickets = keepTicket(begin(ticketId));
      const isCurrent = state.current.id === ticketId;
      set({ tickets, ...(isCurrent && { current: tickets.at(-1) ?? begin() }) });
    },
    favour(productId) {
      const shelf = withFavourite(state.shelf, productId);
      void Promise.resolve(store.commit({ put: [shelfRow(shelf)] })).catch(() => {});
      set({ shelf });
    },
    async charge(others, tendered) {
      const shift = requireShift();
      const ticket = state.current;
      if (charging || ticket.lines.length === 0) throw new Error("there is nothing to charge");
      const { total } = counter.totals(ticket);
      const result = chargeTotal(total, others, { rounding: state.business.cash_rounding, tendered });
      if ("problem" in result) return result;
      charging = true;
      try {
        const sale = makeSale(ticket, shift, result.charge);
        const after = withSale(shift, sale);
        const shelf = withSold(state.shelf, sale);
        const drafts = saleDrafts(sale, warehouseId(), newId);
        const quote = ticket.quote_id ? conversionOf(ticket.quote_id, sale) : undefined;
        await register.record([...drafts, ...(quote ? [quote] : []), shiftDraft(after)], {
          put: [saleRow(sale), shiftRow(after), shelfRow(shelf)],
          remove: [ticketKey(ticket.id)],
        });
        if (quote) keepConverted(quote);
        const tickets = state.tickets.filter(({ id }) => id !== ticket.id);
        set({ shift: after, shelf, tickets, current: begin() });
        return { sale };
      } finally {
        charging = false;
        for (const change of meanwhile.splice(0)) counter.edit(change);
      }
    },
    ...afterSale({
      register,
      now,
      newId,
      requireShift,
      business: () => state.business,
      cashier: () => state.cashier,
      set,
    }),
    openShift: (base) =>
      recordShift(openShift({ id: newId(), registerName, at: now(), base, by: state.cashier?.name ?? null })),
    async moveCash(type, amount, reason) {
      const created_by = state.cashier?.name ?? null;
      const movement = { id: newId(), type, amount, reason, created_by, occurred_at: now().toISOString() };
      await recordShift(withMovement(requireShift(), movement));
    },
    async closeShift(counted) {
      const closed = closeShift(requireShift(), { at: now(), counted, by: state.cashier?.name ?? null });
      await recordShift(closed);
      return closed;
    },
    salesOf: async (shiftId) => (await store.list<KeptSale>("sale", shiftId)).sort((a, b) => b.number - a.number),
    async salesOn(day) {
      const shifts = (await counter.shifts()).filter(
        ({ opened_at, closed_at }) => dayOf(opened_at) <= day && (closed_at === null || dayOf(closed_at) >= day),
      );
      const sales = (await Promise.all(shifts.map(({ id }) => store.list<KeptSale>("sale", id)))).flat();
      return sales
        .filter(({ data }) => dayOf(data.occurred_at) === day)
        .sort((a, b) => (a.data.occurred_at < b.data.occurred_at ? 1 : -1));
    },
    shifts: async () => (await store.list<Shift>("shift")).sort((a, b) => (a.opened_at < b.opened_at ? 1 : -1)),
    documentsOf: (saleId) => store.list<SaleDocument>("document", saleId),
    async reportOf(shift) {
      const sales = await counter.salesOf(shift.id);
      const documents = await Promise.all(sales.map(({ id }) => counter.documentsOf(id)));
      return shiftReport(shift, sales, documents.flat(), { hasDocuments: state.business.nit !== null });
    },
    async addCustomer(fields) {
      const id = newId();
      const draft: Draft = { type: "customer", id, data: fields };
      await register.record([draft], { put: [catalog.keep("customer", id, fields)] });
      return id;
    },
  };
  return counter;
}

const ticketKey = (id: string) => ({ table: "ticket", key: id }) as const;
