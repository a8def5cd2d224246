import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { moveTotals } from "../sale-totals/move-totals.ts";
import { totalsTakenBack } from "../sale-totals/totals-of.ts";
import type { Return } from "./schema.ts";

type StoredReturn = Stored<Return, OwnedColumns & { payments?: string | null }>;

export function moveReturnTotals(accountId: string, changes: readonly Change<StoredReturn>[]): Statement[] {
  const totals = (one: StoredReturn) => totalsTakenBack(one.body, one.body.lines, one);
  return moveTotals(
    accountId,
    changes.map(({ before, after, seq, at }) => ({
      before: before && totals(before),
      // A private column that a write does not set stays as it is.
      after: totals({ ...before, ...after }),
      seq,
      at,
    })),
  );
}
