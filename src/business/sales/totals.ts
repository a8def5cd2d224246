import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { countsAsItIs } from "../sale-totals/definition.ts";
import { moveTotals, nothing, type Totals } from "../sale-totals/move-totals.ts";
import { totalsOf } from "../sale-totals/totals-of.ts";
import type { Sale } from "./schema.ts";

type StoredSale = Stored<Sale, OwnedColumns & { settled?: readonly string[] | null; payments?: string | null }>;

export function moveSaleTotals(accountId: string, changes: readonly Change<StoredSale>[]): Statement[] {
  // A put without a private column keeps the stored value, so the columns of both versions count.
  const moved = changes.map(({ before, after, seq, at }) => ({
    before: before && totalsOfSale(before),
    after: totalsOfSale({ ...before, ...after }),
    seq,
    at,
  }));
  return moveTotals(accountId, moved);
}

function totalsOfSale(sale: StoredSale): Totals {
  const { body, settled } = sale;
  return countsAsItIs({ status: body.status, settled }) ? totalsOf(body, body.items, sale) : nothing;
}
