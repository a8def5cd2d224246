import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { type CostLine, costLinesOf } from "../sale-totals/cost-lines.ts";
import { countsAsItIs } from "../sale-totals/definition.ts";
import { moveCosts } from "../sale-totals/move-costs.ts";
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
  return [...moveTotals(accountId, moved), ...moveCosts(accountId, changes.flatMap(costChange))];
}

/** A corrected one stays as its day counted it, which stands in the books. */
function costChange({ before, after: put, at }: Change<StoredSale>) {
  const after = { ...before, ...put };
  return after.settled?.includes("corrected")
    ? []
    : [{ before: before ? costsOf(before) : [], after: costsOf(after), at }];
}

function costsOf({ body, settled }: StoredSale): CostLine[] {
  if (!countsAsItIs({ status: body.status, settled })) return [];
  const { id, customer_id, items: lines } = body;
  return costLinesOf({ id, kind: "sale", sale_id: id, customer_id, body, lines });
}

function totalsOfSale(sale: StoredSale): Totals {
  const { body, settled } = sale;
  return countsAsItIs({ status: body.status, settled }) ? totalsOf(body, body.items, sale) : nothing;
}
