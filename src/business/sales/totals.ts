import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { moveTotals, nothing, type Totals } from "../sale-totals/move-totals.ts";
import { moveReturnsOf } from "../sale-totals/returns-of-sales.ts";
import { totalsOf } from "../sale-totals/totals-of.ts";
import type { Sale } from "./schema.ts";

type StoredSale = Stored<Sale, OwnedColumns & { settled?: readonly string[] | null }>;

export function moveSaleTotals(accountId: string, changes: readonly Change<StoredSale>[]): Statement[] {
  const moved = changes.map(({ before, after, at }) => ({
    before: before && totalsOfSale(before),
    // A private column that a write does not set stays as it is.
    after: totalsOfSale({ ...after, device_id: after.device_id ?? before?.device_id ?? null }),
    at,
  }));
  return [...moveTotals(accountId, moved), ...moveReturnsOf(accountId, changes.flatMap(turnOf))];
}

/** Only a completed sale counts. */
function totalsOfSale({ body, device_id }: StoredSale): Totals {
  return body.status === "completed" ? totalsOf({ ...body, device_id, lines: body.items }) : nothing;
}

/** A sale of which something was returned and that now counts, or counts no longer: so do its returns. */
function turnOf({ before, after }: Change<StoredSale>): { sale_id: string; sign: 1 | -1 }[] {
  if (!before?.settled?.includes("returned")) return [];
  const [did, does] = [before, after].map(({ body }) => body.status === "completed");
  return did === does ? [] : [{ sale_id: after.body.id, sign: does ? 1 : -1 }];
}
