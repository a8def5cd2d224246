import type { Act } from "./acts.ts";
import type { Permit } from "./cashiers.ts";
import type { CounterCore } from "./counter-state.ts";
import type { Draft } from "./protocol.ts";
import { type CashMovement, closeShift, openShift, type Shift, shiftDraft, shiftRow, withMovement } from "./shift.ts";

/** The shift at the drawer. */
export interface Drawer {
  openShift(base: number): Promise<void>;
  moveCash(type: CashMovement["type"], amount: number, reason: string, permit?: Permit): Promise<void>;
  closeShift(counted: number, permit?: Permit): Promise<Shift>;
}

export function drawer(core: CounterCore): Drawer {
  const { state, set, register, registerName, atTheDrawer, requireShift, acts, now, newId } = core;

  async function record(shift: Shift, mark = (drafts: Draft[]) => drafts): Promise<void> {
    await register.record(mark([shiftDraft(shift)]), { put: [shiftRow(shift)] });
    set({ shift: shift.closed_at === null ? shift : undefined });
  }
  return {
    openShift: (base) =>
      atTheDrawer(async () => {
        if (state().shift) throw new Error("a shift is open");
        const by = state().cashier?.name ?? null;
        await record(openShift({ id: newId(), registerName: registerName(), at: now(), base, by }));
      }),
    async moveCash(type, amount, reason, permit) {
      const { cashier } = state();
      const who = {
        created_by: cashier?.name ?? null,
        cashier_id: cashier?.id ?? null,
        authorized_by: permit?.by?.id ?? null,
      };
      const movement = { id: newId(), type, amount, reason, ...who, occurred_at: now().toISOString() };
      const act: Act = { kind: "cash_moved", amount: type === "in" ? amount : -amount, detail: reason };
      const allowed = acts.allowed(act, permit);
      await atTheDrawer(() => record(withMovement(requireShift(), movement), (drafts) => [...drafts, ...allowed]));
    },
    closeShift: (counted, permit = { right: "close_shift", by: undefined }) =>
      atTheDrawer(async () => {
        const closed = closeShift(requireShift(), { at: now(), counted, by: state().cashier?.name ?? null });
        await record(closed, (drafts) => acts.marked(drafts, { kind: "shift_closed", amount: counted }, permit));
        return closed;
      }),
  };
}
