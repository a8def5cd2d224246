import type { WantedLine } from "../src/fiscal/returns/plan-return.ts";
import { paymentName } from "../src/taxes/means.ts";
import { type Act, actsOf, withActs } from "./acts.ts";
import type { BusinessInfo } from "./business.ts";
import type { Cashier, Permit } from "./cashiers.ts";
import { mainMethod, withMeans } from "./charge.ts";
import type { counterActs } from "./counter-acts.ts";
import type { Payment } from "./protocol.ts";
import type { Register } from "./register.ts";
import { ownReturns, planOf, returnDraft, returnedInPortal } from "./returning.ts";
import { buyerIn, cancelDrafts, invoiceDraft, type KeptReturn, type KeptSale, saleDraft, saleRow } from "./sale.ts";
import { type Shift, shiftDraft, shiftRow, withOtherMeans, withoutSale, withRefund } from "./shift.ts";
import type { Store } from "./store.ts";
import { ownWarehouse } from "./warehouses.ts";

/** What a cashier does about a sale that was charged, here or at another register. */
export interface AfterSale {
  cancel(sale: KeptSale, permit?: Permit): Promise<KeptSale>;
  /** Takes back lines of a sale and gives their money back; the server issues the note. */
  takeBack(
    sale: KeptSale,
    wanted: readonly WantedLine[],
    method: string,
    reason: string,
    permit?: Permit,
  ): Promise<KeptSale>;
  /** Within the shift: a part of the sale was paid with another means than its ticket says. What was paid stays. */
  correctMeans(sale: KeptSale, part: number, means: Omit<Payment, "amount">, permit?: Permit): Promise<KeptSale>;
  /** The customer needs an invoice after all: the server annuls the POS document and issues one. */
  toInvoice(sale: KeptSale, customerId: string): Promise<KeptSale>;
}

interface Surroundings {
  store: Store;
  register: Register;
  /** Runs one change of the drawer after the other. */
  atTheDrawer: <T>(work: () => Promise<T>) => Promise<T>;
  now: () => Date;
  newId: () => string;
  requireShift: () => Shift;
  acts: ReturnType<typeof counterActs>;
  business: () => BusinessInfo;
  cashier: () => Cashier | undefined;
  set: (change: { shift: Shift }) => void;
}

export function afterSale(surroundings: Surroundings): AfterSale {
  const { register, atTheDrawer, now, newId, requireShift, acts, business, cashier, set } = surroundings;
  const { catalog } = register;
  const warehouseId = () => ownWarehouse(catalog);
  const asItIs = (asked: KeptSale) => currentSale(surroundings, asked);

  async function cancel(asked: KeptSale, permit: Permit): Promise<KeptSale> {
    const sale = await asItIs(asked);
    const shift = requireShift();
    const isOpen = sale.shift_id === shift.id && sale.data.status === "completed" && !sale.returns?.length;
    if (!isOpen) throw new Error("it cannot be cancelled");
    const done = withActs(sale.acts, actsOf(cashier()?.id, [permit]));
    const cancelled: KeptSale = { ...sale, data: { ...sale.data, status: "cancelled" }, acts: done };
    const after = withoutSale(shift, sale);
    const allowed = acts.allowed({ kind: "sale_cancelled", ...aboutSale(sale) }, permit);
    const drafts = [...cancelDrafts(cancelled, warehouseId(), newId), shiftDraft(after), ...allowed];
    await register.record(drafts, { put: [saleRow(cancelled), shiftRow(after)] });
    set({ shift: after });
    return cancelled;
  }

  async function takeBack(
    asked: KeptSale,
    wanted: readonly WantedLine[],
    how: Pick<KeptReturn, "payment_method" | "reason">,
    permit: Permit,
  ): Promise<KeptSale> {
    const sale = await asItIs(asked);
    const shift = requireShift();
    const made = { ...planOf(sale, wanted), id: newId(), ...how, occurred_at: now().toISOString(), shift_id: shift.id };
    const changed: KeptSale = { ...sale, returns: [...(sale.returns ?? []), made] };
    // The server takes the cash out of the shift by itself: what is uploaded of the shift stays the same.
    const after = withRefund(shift, made.payment_method, made);
    const act: Act = { kind: "sale_returned", ...aboutSale(sale), amount: made.total, detail: made.reason };
    const drafts = acts.marked([returnDraft(sale, made, shift.id, warehouseId())], act, permit);
    // What the portal took back stays in the catalog: of a sale of its own, the register keeps its own returns.
    const own = sale.elsewhere ? changed : { ...changed, returns: ownReturns(changed, catalog) };
    await register.record(drafts, { put: [saleRow(own), shiftRow(after)] });
    set({ shift: after });
    return changed;
  }

  async function correctMeans(
    asked: KeptSale,
    part: number,
    means: Omit<Payment, "amount">,
    permit: Permit,
  ): Promise<KeptSale> {
    const sale = await asItIs(asked);
    const shift = requireShift();
    const paid = sale.charge.payments[part];
    if (!paid || sale.shift_id !== shift.id || sale.data.status !== "completed")
      throw new Error("it cannot be corrected");
    const { payment_method: from, amount } = paid;
    const charge = withMeans(sale.charge, part, means, business().cash_rounding);
    const by = cashier()?.name ?? null;
    const correction = { from, to: means.payment_method, amount, by, at: now().toISOString() };
    const changed: KeptSale = {
      ...sale,
      charge,
      data: { ...sale.data, payment_method: mainMethod(charge.payments) },
      corrections: [...(sale.corrections ?? []), correction],
    };
    const after = withOtherMeans(shift, sale, changed);
    const detail = `${paymentName(from)} → ${paymentName(means.payment_method)}`;
    const act = acts.drafts({ kind: "payment_corrected", ...aboutSale(sale), amount, detail }, permit.by);
    const drafts = [saleDraft(changed), shiftDraft(after), ...act];
    await register.record(drafts, { put: [saleRow(changed), shiftRow(after)] });
    set({ shift: after });
    return changed;
  }

  async function toInvoice(asked: KeptSale, customer_id: string): Promise<KeptSale> {
    const sale = await asItIs(asked);
    if (sale.data.status !== "completed" || sale.data.document_kind === "invoice") throw new Error("it has one");
    const data = { ...sale.data, document_kind: "invoice" as const, customer_id };
    const changed: KeptSale = { ...sale, data, ...buyerIn(catalog, customer_id) };
    // A sale belongs to the device that made it: of another one's, only the wish can be uploaded.
    const draft = sale.elsewhere ? invoiceDraft(newId(), sale.id, customer_id) : saleDraft(changed);
    await register.record([draft], { put: [saleRow(changed)] });
    return changed;
  }

  return {
    cancel: (sale, permit = { right: "cancel", by: undefined }) => atTheDrawer(() => cancel(sale, permit)),
    takeBack: (sale, wanted, payment_method, reason, permit = { right: "return", by: undefined }) =>
      atTheDrawer(() => takeBack(sale, wanted, { payment_method, reason: reason || null }, permit)),
    correctMeans: (sale, part, means, permit = { right: "correct_payment", by: undefined }) =>
      atTheDrawer(() => correctMeans(sale, part, means, permit)),
    toInvoice: (sale, customerId) => atTheDrawer(() => toInvoice(sale, customerId)),
  };
}

/**
 * The sale as it is now: since a cashier opened it, something may have been done about it here, or have come down from the portal. Of
 * another register's sale, what was asked for last is the newest.
 */
async function currentSale({ store, register }: Surroundings, asked: KeptSale): Promise<KeptSale> {
  const kept = await store.get<KeptSale>("sale", asked.id);
  const sale = kept && !asked.elsewhere ? kept : asked;
  const known = new Set(sale.returns?.map(({ id }) => id));
  const others = [...(kept?.returns ?? []), ...(asked.returns ?? [])].filter(
    ({ id }) => !known.has(id) && known.add(id),
  );
  const whole = others.length > 0 ? { ...sale, returns: [...(sale.returns ?? []), ...others] } : sale;
  return returnedInPortal([whole], register.catalog)[0] ?? whole;
}

function aboutSale({ id, number, data }: KeptSale): Pick<Act, "sale_id" | "label" | "amount"> {
  return { sale_id: id, label: `Venta ${number}`, amount: data.total };
}
