import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { moveTotals, negated, type Totals } from "../sale-totals/move-totals.ts";
import { totalsOf } from "../sale-totals/totals-of.ts";
import type { Return } from "./schema.ts";

type StoredReturn = Stored<Return, OwnedColumns>;

export function moveReturnTotals(accountId: string, changes: readonly Change<StoredReturn>[]): Statement[] {
  return moveTotals(
    accountId,
    "return",
    changes.map(({ before, after, seq, at }) => ({
      before: before && totalsOfReturn(before.body, before.device_id),
      after: totalsOfReturn(after.body, after.device_id ?? before?.device_id),
      seq,
      at,
    })),
  );
}

/** A return takes off what it gives back, on its own day; the sale keeps its ticket and its lines. */
function totalsOfReturn(body: Return, deviceId: string | null | undefined): Totals {
  const { sold, products, taxes } = negated(totalsOf(body, body.lines, deviceId));
  return {
    sold: sold.map((row) => ({ ...row, tickets: 0, returned: body.total })),
    products: products.map((row) => ({ ...row, lines: 0 })),
    taxes,
  };
}
