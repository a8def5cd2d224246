import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { costLinesOf } from "../sale-totals/cost-lines.ts";
import { moveCosts } from "../sale-totals/move-costs.ts";
import { moveTotals } from "../sale-totals/move-totals.ts";
import { totalsTakenBack } from "../sale-totals/totals-of.ts";
import type { Return } from "./schema.ts";

type StoredReturn = Stored<Return, OwnedColumns & { payments?: string | null }>;

export function moveReturnTotals(accountId: string, changes: readonly Change<StoredReturn>[]): Statement[] {
  const totals = (one: StoredReturn) => totalsTakenBack(one.body, one.body.lines, one);
  const costs = ({ body }: StoredReturn) =>
    costLinesOf({ id: body.id, kind: "return", sale_id: body.sale_id, body, lines: body.lines });
  const moved = changes.map(({ before, after, seq, at }) => ({
    before: before && totals(before),
    // A private column that a write does not set stays as it is.
    after: totals({ ...before, ...after }),
    seq,
    at,
  }));
  return [
    ...moveTotals(accountId, moved),
    ...moveCosts(
      accountId,
      changes.map(({ before, after, at }) => ({ before: before ? costs(before) : [], after: costs(after), at })),
    ),
  ];
}
