import { type Books, type Correction, type CountedSale, readBooks } from "../../../business/sales/correction.ts";
import type { SaleColumns } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Stored } from "../../../engine/resources/resource.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { type Incoming, idIn } from "./read-record.ts";

interface Sets {
  sales: { get(id: string): Stored<Sale, SaleColumns> | undefined };
  cashSessions: { load(ids: readonly string[]): Promise<void> };
}

export interface BooksOfPush {
  /** Of sales that were corrected. */
  bySale: Map<string, Books>;
  /** What this push adds to them. */
  made: (CountedSale | Correction)[];
}

/** Reads what the books have of uploaded sales that were corrected, and the shifts that those sales counted in: they may be closed. */
export async function openBooks(
  write: Write,
  records: readonly Incoming[],
  { sales, cashSessions }: Sets,
): Promise<BooksOfPush> {
  const uploads = records.filter(({ type }) => type === "sale");
  const known = uploads.flatMap(({ id }) => sales.get(id) ?? []);
  const corrected = known.flatMap(({ body, settled }) => (settled?.includes("corrected") ? body.id : []));
  const bySale = await readBooks(write.client, write.accountId, [...new Set(corrected)]);
  const seen = new Set<string>();
  const changing = uploads.filter(({ id }) => sales.get(id) || seen.size === seen.add(id).size);
  const shifts = [
    ...known.map(({ body }) => body.cash_session_id),
    ...Array.from(bySale.values(), ({ counted }) => counted.body.cash_session_id),
    // Where they are moved to; or that of a sale which is new, and changed in the same push.
    ...changing.map(({ data }) => idIn(data, "cash_session_id")),
  ];
  await cashSessions.load(shifts.filter((id) => id !== null));
  return { bySale, made: [] };
}
