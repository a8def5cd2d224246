import { dayOf } from "../ui/format.ts";
import type { CounterCore } from "./counter-state.ts";
import { returnedInPortal } from "./returning.ts";
import { type KeptSale, saleRow } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import type { Shift } from "./shift.ts";
import { type ShiftReport, shiftReport } from "./shift-report.ts";
import { type ShiftSums, shiftSums } from "./shift-sums.ts";

/** What this register has sold, as it knows it. */
export interface PastSales {
  salesOf(shiftId: string): Promise<KeptSale[]>;
  /** The sales of a day at this register, in whichever shift, newest first; `day` as 2026-11-18. */
  salesOn(day: string): Promise<KeptSale[]>;
  /** The shifts that this register still has, newest first. */
  shifts(): Promise<Shift[]>;
  documentsOf(saleId: string): Promise<SaleDocument[]>;
  /** Whether its ticket was printed here before. */
  wasPrinted(saleId: string): Promise<boolean>;
  markPrinted(saleId: string): Promise<void>;
  /** The shift with what the portal has paid out of its drawer meanwhile. */
  complete(shift: Shift): Shift;
  /** What the shift's sales add up to, in the words of every page. */
  sumsOf(shift: Shift): Promise<ShiftSums>;
  /** All that its X or its Z says. */
  reportOf(shift: Shift): Promise<ShiftReport>;
}

export function pastSales({ store, catalog, complete, state, atTheDrawer }: CounterCore): PastSales {
  async function kept(shiftId: string): Promise<KeptSale[]> {
    return returnedInPortal(await store.list<KeptSale>("sale", shiftId), catalog);
  }
  const own: PastSales = {
    salesOf: async (shiftId) => (await kept(shiftId)).sort((a, b) => b.number - a.number),
    async salesOn(day) {
      const shifts = (await own.shifts()).filter(
        ({ opened_at, closed_at }) => dayOf(opened_at) <= day && (closed_at === null || dayOf(closed_at) >= day),
      );
      const sales = (await Promise.all(shifts.map(({ id }) => kept(id)))).flat();
      return sales
        .filter(({ data }) => dayOf(data.occurred_at) === day)
        .sort((a, b) => (a.data.occurred_at < b.data.occurred_at ? 1 : -1));
    },
    async shifts() {
      const all = await store.list<Shift>("shift");
      return all.map(complete).sort((a, b) => (a.opened_at < b.opened_at ? 1 : -1));
    },
    documentsOf: (saleId) => store.list<SaleDocument>("document", saleId),
    wasPrinted: async (saleId) => (await store.get<KeptSale>("sale", saleId))?.printed === true,
    // In turn with whatever else changes the sale.
    markPrinted: (saleId) =>
      atTheDrawer(async () => {
        const sale = await store.get<KeptSale>("sale", saleId);
        if (sale && !sale.printed) await store.commit({ put: [saleRow({ ...sale, printed: true })] });
      }),
    complete,
    sumsOf: async (shift) => shiftSums(complete(shift), await own.salesOf(shift.id)),
    async reportOf(one) {
      const shift = complete(one);
      const sales = await own.salesOf(shift.id);
      const documents = await Promise.all(sales.map(({ id }) => own.documentsOf(id)));
      return shiftReport(shift, sales, documents.flat(), { hasDocuments: state().business.nit !== null });
    },
  };
  return own;
}
