import { dayOf } from "../ui/format.ts";
import { type Act, actsOf, keptTicket, type OwnAct, withActs } from "./acts.ts";
import { type AfterSale, afterSale } from "./after-sale.ts";
import { type BusinessInfo, businessIn, profileOf } from "./business.ts";
import type { Cashier, Permit } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import { type ChargeProblem, charge as chargeTotal } from "./charge.ts";
import { counterActs } from "./counter-acts.ts";
import { openPins } from "./pins.ts";
import type { Payment } from "./protocol.ts";
import { conversionOf } from "./quote.ts";
import type { Draft, Register } from "./register.ts";
import { returnedInPortal } from "./returning.ts";
import { buyerIn, type KeptSale, saleData, saleDrafts, saleRow } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { findScanned, linesOf, type Scanned } from "./scanned.ts";
import { emptyShelf, type Shelf, shelfRow, withFavourite, withSold } from "./shelf.ts";
import {
  type CashMovement,
  closeShift,
  openShift,
  type PortalReturn,
  type Shift,
  shiftDraft,
  shiftRow,
  withMovement,
  withPortalReturns,
  withSale,
} from "./shift.ts";
import { type ShiftReport, shiftReport } from "./shift-report.ts";
import type { Store } from "./store.ts";
import { newTicket, type Ticket, type TicketLine, type Totals, totalsOf } from "./ticket.ts";
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

export interface NewCounterProduct {
  name: string;
  sku: string | null;
  price: number;
  tax_class: string;
  category_id: string | null;
  sold_by_weight: boolean;
}

export interface CounterOptions {
  store: Store;
  register: Register;
  /** What the owner calls it now. */
  registerName: () => string;
  now: () => Date;
  newId: () => string;
  /** Whether the service takes `counter_act` records; without a word it does not. */
  acceptsActs?: () => boolean;
}

export interface Counter extends AfterSale {
  state(): CounterState;
  subscribe(listener: () => void): () => void;
  /** The feed brought something. */
  refresh(): void;
  signIn(cashierId: string, pin: string): Promise<boolean>;
  signOut(): void;
  /** Whether this is the person's PIN; whoever is signed in stays. */
  confirm(cashierId: string, pin: string): Promise<boolean>;
  /** How long until this person's PIN may be tried again. */
  pinWaitMs(cashierId: string): number;
  /** Tells the owner of something that is no record of its own. */
  note(act: OwnAct, permit?: Permit): Promise<void>;
  /** Records of an act that takes a right, with who did it and who allowed it. */
  marked(drafts: readonly Draft[], act: Act, permit: Permit): Draft[];
  totals(ticket?: Ticket): Totals;
  /** What a customer pays for one of it, with every tax; its list price while it cannot be sold. */
  priceOf(product: CatalogProduct): number;
  /** What a code that was scanned or typed means here. */
  find(code: string): Scanned | undefined;
  /** The lines that sell so many of it. */
  linesOf(scanned: Scanned, count?: number): TicketLine[];
  /** What a customer pays for it as it was scanned: a pack, or as much as a label says. */
  scannedPrice(scanned: Scanned): number;
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
  /** Puts a product among the favourites, or takes it out. */
  favour(productId: string): void;
  /** When it resolves with a sale, the sale is durable. It rejects when it could not be stored: then nothing was sold. */
  charge(others: readonly Payment[], tendered?: number): Promise<{ sale: KeptSale } | { problem: ChargeProblem }>;
  openShift(base: number): Promise<void>;
  moveCash(type: CashMovement["type"], amount: number, reason: string, permit?: Permit): Promise<void>;
  closeShift(counted: number, permit?: Permit): Promise<Shift>;
  salesOf(shiftId: string): Promise<KeptSale[]>;
  /** The sales of a day at this register, in whichever shift, newest first; `day` as 2026-11-18. */
  salesOn(day: string): Promise<KeptSale[]>;
  /** The shifts that this register still has, newest first. */
  shifts(): Promise<Shift[]>;
  documentsOf(saleId: string): Promise<SaleDocument[]>;
  /** The shift with what the portal has paid out of its drawer meanwhile. */
  complete(shift: Shift): Shift;
  /** What the shift's sales add up to, for its X and its Z. */
  reportOf(shift: Shift): Promise<ShiftReport>;
  addCustomer(fields: Record<string, unknown> & { name: string }): Promise<string>;
  /** Creates a product at the counter; it is sold at once, online or not. */
  addProduct(fields: NewCounterProduct, permit: Permit): Promise<CatalogProduct>;
}

export async function openCounter(options: CounterOptions): Promise<Counter> {
  const { store, register, registerName, now, newId, acceptsActs = () => false } = options;
  const { catalog } = register;
  const listeners = new Set<() => void>();
  const kept = (await store.list<Ticket>("ticket")).sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
  const shifts = await store.list<Shift>("shift", "open");
  const shelf = (await store.get<Shelf>("meta", "shelf")) ?? emptyShelf;
  const front = await store.get<string>("meta", "front");
  let lastBegunMs = 0;
  /** Tickets are shown in the order they were begun, even if two were in the same millisecond. */
  function begin(id = newId()): Ticket {
    lastBegunMs = Math.max(lastBegunMs + 1, now().getTime());
    return newTicket(id, new Date(lastBegunMs));
  }
  let state: CounterState = {
    ...fromCatalog(),
    cashier: undefined,
    shift: shifts[0] && complete(shifts[0]),
    tickets: kept,
    // What waits comes back when it is asked for, not by itself to the next customer.
    current: (front === undefined ? kept.at(-1) : kept.find(({ id }) => id === front)) ?? begin(),
    shelf,
  };

  function fromCatalog(): Pick<CounterState, "business" | "cashiers"> {
    const cashiers = catalog.all("cashier") as Cashier[];
    return { business: businessIn(catalog), cashiers: cashiers.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
  /** What the portal paid out of a drawer comes with the catalog, also in the middle of a sale. */
  function complete(shift: Shift): Shift {
    return withPortalReturns(shift, catalog.all("return") as PortalReturn[]);
  }
  async function keptSales(shiftId: string): Promise<KeptSale[]> {
    return returnedInPortal(await store.list<KeptSale>("sale", shiftId), catalog);
  }
  function set(change: Partial<CounterState>): void {
    const next = change.current?.id ?? state.current.id;
    if (next !== state.current.id) keepFront(next);
    state = { ...state, ...change, ...(change.shift && { shift: complete(change.shift) }) };
    for (const listener of listeners) listener();
  }
  function keepFront(value: string): void {
    void Promise.resolve(store.commit({ put: [{ table: "meta", key: "front", value }] })).catch(() => {});
  }
  const profile = () => profileOf(state.business);
  const warehouseId = () => ownWarehouse(catalog);

  /** Open tickets are drafts: losing the last keystroke with the power costs nobody money. */
  function keepTicket(ticket: Ticket, told: readonly Draft[] = []): Ticket[] {
    const others = state.tickets.filter(({ id }) => id !== ticket.id);
    const isEmpty = ticket.lines.length === 0;
    const change = isEmpty ? { remove: [ticketKey(ticket.id)] } : { put: [{ ...ticketKey(ticket.id), value: ticket }] };
    const done = told.length > 0 ? register.record(told, change) : store.commit(change);
    void Promise.resolve(done).catch(() => {});
    return isEmpty ? others : [...others, ticket].sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
  }

  const acts = counterActs({ state: () => state, now, newId, accepts: acceptsActs });
  const pins = await openPins({
    store,
    now,
    others: ({ id }) => state.cashiers.filter((one) => one.id !== id),
    onShared({ id }, others) {
      const detail = `El mismo PIN que ${others.map(({ name }) => name).join(", ")}`;
      void counter.note({ kind: "pin_shared", of: id, detail }).catch(() => {});
    },
    onMany: ({ id }, count) => void counter.note({ kind: "wrong_pins", amount: count, of: id }).catch(() => {}),
  });

  function forget(ticketId: string, told: readonly Draft[] = []): void {
    const tickets = keepTicket(begin(ticketId), told);
    const isCurrent = state.current.id === ticketId;
    set({ tickets, ...(isCurrent && { current: begin() }) });
  }

  /** What waits while another ticket is in front is kept: from then on taking something off it takes a right. */
  function hold(): Pick<CounterState, "tickets"> {
    const { current, tickets } = state;
    return { tickets: current.lines.length > 0 ? keepTicket(keptTicket(current)) : tickets };
  }

  async function recordShift(shift: Shift, mark = (drafts: Draft[]) => drafts): Promise<void> {
    await register.record(mark([shiftDraft(shift)]), { put: [shiftRow(shift)] });
    set({ shift: shift.closed_at === null ? shift : undefined });
  }

  function requireShift(): Shift {
    if (!state.shift) throw new Error("there is no open shift");
    return complete(state.shift);
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
      ...(ticket.acts && { acts: ticket.acts }),
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
  const meanwhile: (() => void)[] = [];

  const counter: Counter = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh() {
      const { business, cashiers } = fromCatalog();
      const { cashier, shift } = state;
      // A cashier who was retired, or lost a permission, stands at the counter as she is now.
      set({ business, cashiers, cashier: cashiers.find(({ id }) => id === cashier?.id), ...(shift && { shift }) });
    },
    async signIn(cashierId, pin) {
      const cashier = state.cashiers.find(({ id }) => id === cashierId);
      if (!cashier || !(await pins.check(cashier, pin))) return false;
      set({ cashier });
      return true;
    },
    signOut: () => set({ cashier: undefined }),
    async confirm(cashierId, pin) {
      const cashier = state.cashiers.find(({ id }) => id === cashierId);
      return cashier !== undefined && pins.check(cashier, pin);
    },
    pinWaitMs: pins.waitMs,
    async note(act, permit) {
      const drafts = acts.drafts(act, permit?.by);
      if (drafts.length > 0) await register.record(drafts);
    },
    marked: acts.marked,
    totals: (ticket = state.current) => totalsOf(ticket, profile(), now()),
    priceOf: (product) => counter.scannedPrice({ product }),
    find: (code) => findScanned(catalog, state.business, code),
    linesOf: (scanned, count = 1) => linesOf(scanned, count, { business: state.business, at: now(), newId }),
    scannedPrice(scanned) {
      const lines = counter.linesOf(scanned);
      try {
        return totalsOf({ ...newTicket(scanned.product.id, now()), lines }, profile(), now()).total;
      } catch {
        return scanned.pack?.price ?? scanned.variant?.final_price ?? scanned.product.final_price;
      }
    },
    edit(change, permits = []) {
      if (charging) return void meanwhile.push(() => counter.edit(change, permits));
      const before = state.current;
      const changed = change(before);
      const done = actsOf(state.cashier?.id, permits);
      const current = done.length > 0 ? { ...changed, acts: withActs(changed.acts, done) } : changed;
      set({ current, tickets: keepTicket(current, acts.removal(before, current, permits)) });
    },
    beginTicket() {
      if (state.current.lines.length > 0) set({ ...hold(), current: begin() });
    },
    select(ticketId) {
      const chosen = state.tickets.find(({ id }) => id === ticketId);
      if (chosen && chosen.id !== state.current.id) set({ ...hold(), current: chosen });
    },
    drop(ticketId, permit) {
      const ticket = state.tickets.find(({ id }) => id === ticketId);
      forget(ticketId, ticket && acts.drop(ticket, permit?.by));
    },
    forget: (ticketId) => forget(ticketId),
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
        const drafts = [...saleDrafts(sale, warehouseId(), newId), ...acts.sale(ticket, sale)];
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
        for (const edit of meanwhile.splice(0)) edit();
      }
    },
    ...afterSale({
      register,
      now,
      newId,
      requireShift,
      acts,
      business: () => state.business,
      cashier: () => state.cashier,
      set,
    }),
    openShift: (base) =>
      recordShift(
        openShift({ id: newId(), registerName: registerName(), at: now(), base, by: state.cashier?.name ?? null }),
      ),
    async moveCash(type, amount, reason, permit) {
      const { cashier } = state;
      const who = {
        created_by: cashier?.name ?? null,
        cashier_id: cashier?.id ?? null,
        authorized_by: permit?.by?.id ?? null,
      };
      const movement = { id: newId(), type, amount, reason, ...who, occurred_at: now().toISOString() };
      const act: Act = { kind: "cash_moved", amount: type === "in" ? amount : -amount, detail: reason };
      const allowed = acts.allowed(act, permit);
      await recordShift(withMovement(requireShift(), movement), (drafts) => [...drafts, ...allowed]);
    },
    async closeShift(counted, permit = { right: "close_shift", by: undefined }) {
      const closed = closeShift(requireShift(), { at: now(), counted, by: state.cashier?.name ?? null });
      await recordShift(closed, (drafts) => acts.marked(drafts, { kind: "shift_closed", amount: counted }, permit));
      return closed;
    },
    salesOf: async (shiftId) => (await keptSales(shiftId)).sort((a, b) => b.number - a.number),
    async salesOn(day) {
      const shifts = (await counter.shifts()).filter(
        ({ opened_at, closed_at }) => dayOf(opened_at) <= day && (closed_at === null || dayOf(closed_at) >= day),
      );
      const sales = (await Promise.all(shifts.map(({ id }) => keptSales(id)))).flat();
      return sales
        .filter(({ data }) => dayOf(data.occurred_at) === day)
        .sort((a, b) => (a.data.occurred_at < b.data.occurred_at ? 1 : -1));
    },
    async shifts() {
      const all = await store.list<Shift>("shift");
      return all.map(complete).sort((a, b) => (a.opened_at < b.opened_at ? 1 : -1));
    },
    documentsOf: (saleId) => store.list<SaleDocument>("document", saleId),
    complete,
    async reportOf(one) {
      const shift = complete(one);
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
    async addProduct({ price, sold_by_weight, ...fields }, permit) {
      const id = newId();
      const unit = { base_unit: sold_by_weight ? "kg" : "und", sold_by_weight };
      const prices = { base_price: price, final_price: price, percent_discount: 0 };
      const data = { ...fields, ...prices, ...unit, kind: "simple", active: true, sellable: true, variants: [] };
      const allowed = acts.allowed({ kind: "product_created", label: fields.name, amount: price }, permit);
      await register.record([{ type: "product", id, data }, ...allowed], { put: [catalog.keep("product", id, data)] });
      return catalog.get("product", id) as CatalogProduct;
    },
  };
  return counter;
}

const ticketKey = (id: string) => ({ table: "ticket", key: id }) as const;
