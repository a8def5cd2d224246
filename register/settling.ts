import { type DoubledReturn, doubledReturns, withBeyond, withDoubled } from "./doubled-returns.ts";
import type { Register } from "./register.ts";
import { ownReturns, portalReturnsOf } from "./returning.ts";
import { type KeptReturn, type KeptSale, saleRow } from "./sale.ts";
import { type Shift, shiftDraft, shiftRow } from "./shift.ts";
import type { Store } from "./store.ts";

interface Options {
  store: Store;
  register: Register;
  atTheDrawer: <T>(work: () => Promise<T>) => Promise<T>;
  openShift: () => Shift | undefined;
  now: () => Date;
  /** The drawer paid it: the shift as it is now, if it is the open one. */
  onSettled: (doubled: readonly DoubledReturn[], shift: Shift | undefined) => void;
}

/** Looks at each return of the portal that came down whether this register had paid the same thing back, and puts the drawer right. */
export function settling({ store, register, atTheDrawer, openShift, now, onSettled }: Options): () => Promise<void> {
  const { catalog } = register;
  const seen = new Set<string>();

  async function shiftOf(one: KeptReturn): Promise<Shift | undefined> {
    if (one.payment_method !== "CASH" || !one.shift_id) return undefined;
    const open = openShift();
    return open?.id === one.shift_id ? open : store.get<Shift>("shift", one.shift_id);
  }

  async function settle(saleId: string): Promise<void> {
    const kept = await store.get<KeptSale>("sale", saleId);
    if (!kept?.returns || kept.elsewhere) return;
    const own = ownReturns(kept, catalog);
    const doubled = doubledReturns({ ...kept, returns: own }, portalReturnsOf(kept, catalog));
    if (doubled.length === 0) return;
    const shifts = new Map<string, Shift>();
    for (const one of doubled) {
      const made = own.find(({ id }) => id === one.returnId);
      const paid = made && (shifts.get(made.shift_id ?? "") ?? (await shiftOf(made)));
      if (paid) shifts.set(paid.id, withDoubled(paid, one, now()));
    }
    const changed = [...shifts.values()];
    await register.record(changed.map(shiftDraft), {
      put: [saleRow(withBeyond({ ...kept, returns: own }, doubled)), ...changed.map(shiftRow)],
    });
    onSettled(doubled, shifts.get(openShift()?.id ?? ""));
  }

  return async () => {
    const fresh = catalog.all("return").filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    for (const saleId of new Set(fresh.map(({ sale_id }) => String(sale_id)))) await atTheDrawer(() => settle(saleId));
  };
}
