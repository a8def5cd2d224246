import type { Statement } from "../../db/sql.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import { moveTotals, nothing, type Totals } from "../sale-totals/move-totals.ts";
import { moveReturnsOf } from "../sale-totals/returns-of-sales.ts";
import { totalsOf } from "../sale-totals/totals-of.ts";
import type { Sale } from "./schema.ts";

type StoredSale = Stored<Sale, OwnedColumns & { settled?: readonly string[] | null }>;

export function moveSaleTotals(accountId: string, changes: readonly Change<StoredSale>[]): Statement[] {
  const moved = changes.map(({ before, after, seq, at }) => ({
    before: before && totalsOfSale(before.body, before.device_id),
    // A private column that a write does not set stays as it is.
    after: totalsOfSale(after.body, after.device_id ?? before?.device_id),
    seq,
    at,
  }));
  return [...moveTotals(accountId, "sale", moved), ...moveReturnsOf(accountId, changes.flatMap(turnOf))];
}

/** Only a completed sale counts. */
function totalsOfSale(body: Sale, deviceId: string | null | undefined): Totals {
  return body.status === "completed" ? totalsOf(body, body.items, deviceId) : nothing;
}

/** A sale of which something was returned and that now counts, or counts no longer: so do its returns. */
function turnOf({ before, after }: Change<StoredSale>): { sale_id: string; sign: 1 | -1 }[] {
  if (!before?.settled?.includes("returned")) return [];
  const [did, does] = [before, after].map(({ body }) => body.status === "completed");
  return did === does ? [] : [{ sale_id: after.body.id, sign: does ? 1 : -1 }];
}
