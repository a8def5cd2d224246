import { type OwnAct, withOthersDiscount } from "./acts.ts";
import type { Cashier } from "./cashiers.ts";
import type { CounterCore } from "./counter-state.ts";
import { openPins } from "./pins.ts";
import { type Ticket, ticketRow, totalsOf } from "./ticket.ts";

/** Who stands at the counter. */
export interface People {
  signIn(cashierId: string, pin: string): Promise<boolean>;
  signOut(): void;
  /** Whether this is the person's PIN; whoever is signed in stays. */
  confirm(cashierId: string, pin: string): Promise<boolean>;
  /** How long until this person's PIN may be tried again. */
  pinWaitMs(cashierId: string): number;
}

export async function openPeople(
  { store, state, set, profile, now }: CounterCore,
  note: (act: OwnAct) => Promise<void>,
): Promise<People> {
  const pins = await openPins({
    store,
    now,
    elapsedMs: () => performance.now(),
    others: ({ id }) => state().cashiers.filter((one) => one.id !== id),
    onShared({ id }, others) {
      const detail = `El mismo PIN que ${others.map(({ name }) => name).join(", ")}`;
      void note({ kind: "pin_shared", of: id, detail }).catch(() => {});
    },
    onMany: ({ id }, count) => void note({ kind: "wrong_pins", amount: count, of: id }).catch(() => {}),
  });
  const cashierOf = (cashierId: string) => state().cashiers.find(({ id }) => id === cashierId);
  /** Of a ticket that cannot be sold as it is, nothing was taken off yet. */
  function totals(ticket: Ticket): { discount: number } {
    try {
      return totalsOf(ticket, profile(), now());
    } catch {
      return { discount: 0 };
    }
  }
  /** The open tickets that change because somebody else goes on with them; stored like any draft. */
  function fixedFor(cashier: Cashier): Ticket[] {
    const fixed = state().tickets.flatMap((ticket) => withOthersDiscount(ticket, cashier, totals) ?? []);
    if (fixed.length > 0) void Promise.resolve(store.commit({ put: fixed.map(ticketRow) })).catch(() => {});
    return fixed;
  }
  return {
    async signIn(cashierId, pin) {
      const cashier = cashierOf(cashierId);
      if (!cashier || !(await pins.check(cashier, pin))) return false;
      const fixed = fixedFor(cashier);
      const { current, tickets } = state();
      const asFixed = (ticket: Ticket) => fixed.find(({ id }) => id === ticket.id) ?? ticket;
      set({ cashier, current: asFixed(current), tickets: tickets.map(asFixed) });
      return true;
    },
    signOut: () => set({ cashier: undefined }),
    async confirm(cashierId, pin) {
      const cashier = cashierOf(cashierId);
      return cashier !== undefined && pins.check(cashier, pin);
    },
    pinWaitMs: pins.waitMs,
  };
}
