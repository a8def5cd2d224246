import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { moveTotals, nothing, type Totals } from "../sale-totals/move-totals.ts";
import { totalsOf } from "../sale-totals/totals-of.ts";
import type { Sale } from "./schema.ts";

type StoredSale = Stored<Sale, OwnedColumns>;

export function moveSaleTotals(accountId: string, changes: readonly Change<StoredSale>[]): Statement | undefined {
  return moveTotals(
    accountId,
    changes.map(({ before, after }) => ({
      before: before && totalsOfSale(before),
      // A private column that a write does not set stays as it is.
      after: totalsOfSale({ ...after, device_id: after.device_id ?? before?.device_id ?? null }),
    })),
  );
}

/** Only a completed sale counts. */
function totalsOfSale({ body, device_id }: StoredSale): Totals {
  return body.status === "completed" ? totalsOf({ ...body, device_id, lines: body.items }) : nothing;
}
