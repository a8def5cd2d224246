import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Taken } from "./judge-rights.ts";
import type { Incoming } from "./read-record.ts";

interface Sets {
  sales: { get(id: string): { body: Sale } | undefined };
  cashSessions: { get(id: string): { body: CashSession } | undefined };
}

/** Rights that a sale shows from its beginning, whatever is done with it later. */
export const ofNewSale: ReadonlySet<string> = new Set(["discount", "free_line", "price"]);

/** Whether what takes a right was there before this push: asked while the records of a push are as they were. */
export function knownBefore({ sales, cashSessions }: Sets, records: readonly Incoming[]) {
  const known = new Set(
    records.flatMap(({ type, id }) => {
      if (type === "sale") return sales.get(id) ? [id] : [];
      return type === "cash_session" ? (cashSessions.get(id)?.body.movements.map((one) => one.id) ?? []) : [];
    }),
  );
  return ({ id }: Incoming, { right, part }: Taken): boolean =>
    right === "cash" ? known.has(part ?? "") : ofNewSale.has(right) && known.has(id);
}
