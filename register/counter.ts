import type { Act, Became, OwnAct } from "./acts.ts";
import { type AfterSale, afterSale } from "./after-sale.ts";
import type { Permit } from "./cashiers.ts";
import { type CounterOptions, type CounterState, openState } from "./counter-state.ts";
import { type Drawer, drawer } from "./drawer.ts";
import { withoutBuyer } from "./forget.ts";
import { type MadeHere, madeHere } from "./made-here.ts";
import { type Ordering, ordering } from "./ordering.ts";
import { type PastSales, pastSales } from "./past-sales.ts";
import { openPeople, type People } from "./people.ts";
import { type Prices, prices } from "./prices.ts";
import type { Draft } from "./protocol.ts";
import { type Selling, selling } from "./selling.ts";
import { settling } from "./settling.ts";
import type { Ticket } from "./ticket.ts";

export type { CounterOptions, CounterState } from "./counter-state.ts";
export type { NewCounterProduct } from "./made-here.ts";

/** Everything a cashier does, on one state that screens draw. */
export interface Counter extends People, Prices, Selling, Drawer, PastSales, MadeHere, AfterSale, Ordering {
  state(): CounterState;
  subscribe(listener: () => void): () => void;
  /** The feed brought something. */
  refresh(): void;
  /** These customers asked to be forgotten: whoever stands at the counter buys without a name. */
  forgetBuyers(customerIds: readonly string[]): void;
  /** The cashier has read what was given back twice. */
  dismissDoubled(): void;
  /** Tells the owner of something that is no record of its own. */
  note(act: OwnAct, permit?: Permit): Promise<void>;
  /** Records of an act that takes a right, with who did it and who allowed it. */
  marked(drafts: readonly Draft[], act: Act, permit: Permit): Draft[];
  /** What somebody else allowed of a ticket that became something. */
  allowed(ticket: Ticket, became: Became): Draft[];
  /** What tells the owner that a ticket went without a sale, and how. */
  dropped(ticket: Ticket, permit: Permit, how: string): Draft[];
}

export async function openCounter(options: CounterOptions): Promise<Counter> {
  const core = await openState(options);
  const { store, register, state, set, complete, atTheDrawer, requireShift, acts, now, newId } = core;
  async function note(act: OwnAct, permit?: Permit): Promise<void> {
    const drafts = acts.drafts(act, permit?.by);
    if (drafts.length > 0) await register.record(drafts);
  }
  const people = await openPeople(core, note);
  const own = prices(core);
  const tickets = selling(core, own);
  const settle = settling({
    ...{ store, register, atTheDrawer, now },
    openShift: () => {
      const { shift } = state();
      return shift && complete(shift);
    },
    onSettled: (doubled, shift) => set({ doubled: [...state().doubled, ...doubled], ...(shift && { shift }) }),
  });
  void settle().catch(() => {});
  return {
    state,
    subscribe: core.subscribe,
    refresh() {
      const { business, cashiers } = core.fromCatalog();
      const { cashier, shift } = state();
      // A cashier who was retired, or lost a permission, stands at the counter as she is now.
      set({ business, cashiers, cashier: cashiers.find(({ id }) => id === cashier?.id), ...(shift && { shift }) });
      void settle().catch(() => {});
    },
    forgetBuyers(customerIds) {
      const { tickets, current } = state();
      const forgotten = (ticket: typeof current) =>
        withoutBuyer(ticket, (id) => id !== null && customerIds.includes(id));
      set({ tickets: tickets.map(forgotten), current: forgotten(current) });
    },
    dismissDoubled: () => set({ doubled: [] }),
    note,
    marked: acts.marked,
    allowed: acts.ofTicket,
    dropped: (ticket, permit, how) => acts.drop(ticket, permit.by, how),
    ...people,
    ...own,
    ...tickets,
    ...ordering(core, tickets),
    ...drawer(core),
    ...pastSales(core),
    ...madeHere(core),
    ...afterSale({
      ...{ store, register, atTheDrawer, requireShift, acts, now, newId, set },
      business: () => state().business,
      cashier: () => state().cashier,
    }),
  };
}
