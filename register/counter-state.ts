import type { BusinessInfo } from "./business.ts";
import { businessIn, profileOf } from "./business.ts";
import type { Cashier } from "./cashiers.ts";
import { counterActs } from "./counter-acts.ts";
import type { DoubledReturn } from "./doubled-returns.ts";
import { inTurn } from "./in-turn.ts";
import type { LostOrder, OrderStep } from "./order.ts";
import type { Register } from "./register.ts";
import { emptyShelf, type Shelf } from "./shelf.ts";
import { type PortalReturn, type Shift, withPortalReturns } from "./shift.ts";
import type { Store } from "./store.ts";
import { newTicket, type Ticket } from "./ticket.ts";

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
  /** What was given back here and in the portal, until the cashier has read it. */
  doubled: readonly DoubledReturn[];
  /** What was done with orders, until the service has answered. */
  orderSteps: readonly OrderStep[];
  /** What of it came too late, until the cashier has read it. */
  lostOrders: readonly LostOrder[];
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

/** What the parts of a counter share. */
export type CounterCore = Awaited<ReturnType<typeof openState>>;

export async function openState(options: CounterOptions) {
  const { store, register, now, newId, acceptsActs = () => false } = options;
  const { catalog } = register;
  const listeners = new Set<() => void>();
  const [tickets, shifts, shelf = emptyShelf, front, orderSteps = []] = await Promise.all([
    store.list<Ticket>("ticket"),
    store.list<Shift>("shift", "open"),
    store.get<Shelf>("meta", "shelf"),
    store.get<string>("meta", "front"),
    store.get<OrderStep[]>("meta", "order_steps"),
  ]);
  const kept = tickets.sort((a, b) => (a.opened_at < b.opened_at ? -1 : 1));
  let lastBegunMs = 0;
  /** Tickets are shown in the order they were begun, even if two were in the same millisecond. */
  function begin(id = newId()): Ticket {
    lastBegunMs = Math.max(lastBegunMs + 1, now().getTime());
    return newTicket(id, new Date(lastBegunMs));
  }
  /** What the portal paid out of a drawer comes with the catalog, also in the middle of a sale. */
  function complete(shift: Shift): Shift {
    return withPortalReturns(shift, catalog.all("return") as PortalReturn[]);
  }
  function fromCatalog(): Pick<CounterState, "business" | "cashiers"> {
    const cashiers = catalog.all("cashier") as Cashier[];
    return { business: businessIn(catalog), cashiers: cashiers.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
  let state: CounterState = {
    ...fromCatalog(),
    cashier: undefined,
    shift: shifts[0] && complete(shifts[0]),
    tickets: kept,
    // What waits comes back when it is asked for, not by itself to the next customer.
    current: (front === undefined ? kept.at(-1) : kept.find(({ id }) => id === front)) ?? begin(),
    shelf,
    doubled: [],
    orderSteps,
    lostOrders: [],
  };
  function keepFront(value: string): void {
    void Promise.resolve(store.commit({ put: [{ table: "meta", key: "front", value }] })).catch(() => {});
  }
  // The ticket in front has no line yet, but the first one must find it again after a reload.
  if (state.current.id !== front) keepFront(state.current.id);
  return {
    ...{ store, register, catalog, now, newId, begin, complete, fromCatalog },
    registerName: options.registerName,
    state: () => state,
    set(change: Partial<CounterState>): void {
      const next = change.current?.id ?? state.current.id;
      if (next !== state.current.id) keepFront(next);
      state = { ...state, ...change, ...(change.shift && { shift: complete(change.shift) }) };
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    profile: () => profileOf(state.business),
    requireShift(): Shift {
      if (!state.shift) throw new Error("there is no open shift");
      return complete(state.shift);
    },
    /** Each change of the drawer begins with the shift as the one before it left it. */
    atTheDrawer: inTurn(),
    acts: counterActs({ state: () => state, now, newId, accepts: acceptsActs }),
  };
}
