import type { OwnAct } from "./acts.ts";
import type { CounterCore } from "./counter-state.ts";
import { openPins } from "./pins.ts";

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
  { store, state, set, now }: CounterCore,
  note: (act: OwnAct) => Promise<void>,
): Promise<People> {
  const pins = await openPins({
    store,
    now,
    others: ({ id }) => state().cashiers.filter((one) => one.id !== id),
    onShared({ id }, others) {
      const detail = `El mismo PIN que ${others.map(({ name }) => name).join(", ")}`;
      void note({ kind: "pin_shared", of: id, detail }).catch(() => {});
    },
    onMany: ({ id }, count) => void note({ kind: "wrong_pins", amount: count, of: id }).catch(() => {}),
  });
  const cashierOf = (cashierId: string) => state().cashiers.find(({ id }) => id === cashierId);
  return {
    async signIn(cashierId, pin) {
      const cashier = cashierOf(cashierId);
      if (!cashier || !(await pins.check(cashier, pin))) return false;
      set({ cashier });
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
