import { purchases } from "../../../business/purchases/resource.ts";
import type { Purchase } from "../../../business/purchases/schema.ts";
import type { ServedDeps } from "../../../deps.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import { day } from "../../../lib/clock.ts";
import type { Position } from "../../../lib/cursor.ts";
import { must } from "../../../lib/must.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import type { Asked } from "../lists/list.ts";
import type { ListedPayable, payableList } from "../lists/payables.ts";
import type { PayableStanding } from "../lists/words.ts";
import type { OfSedes } from "../tables/sedes.ts";

type PayableFilters = Asked<typeof payableList.filters> & OfSedes;

/** What has no day is due after all that has one. */
const never = "9999-12-31";
const soonDays = 7;

export const dueInstant = ({ due_date }: Pick<ListedPayable, "due_date">): Date =>
  new Date(`${due_date ?? never}T00:00:00Z`);

export async function readPayables(
  deps: ServedDeps,
  accountId: string,
  query: PayableFilters,
  limit: number,
  after: Position | undefined,
): Promise<ListedPayable[]> {
  const values: unknown[] = [accountId, never];
  const filtered = conditionOf(accountId, query, deps.clock.now(), values);
  const from = after
    ? `and (coalesce(due_date, $2), id) > ($${values.push(after.createdAt.toISOString().slice(0, 10))}, $${values.push(after.id)}::uuid)`
    : "";
  const { rows } = await deps.pool.query<{ body: string }>({
    text: `select body from purchases where account_id = $1 and balance <> 0 ${filtered} ${from}
      order by coalesce(due_date, $2), id limit $${values.push(limit)}`,
    values,
  });
  const today = bogotaDate(deps.clock.now());
  const week = bogotaDate(new Date(deps.clock.now().getTime() + soonDays * day));
  return rows.map(({ body }) => payableOf(JSON.parse(body) as Purchase, today, week));
}

function payableOf(purchase: Purchase, today: string, week: string): ListedPayable {
  const { id, number, supplier_id, supplier_name, invoice_number, due_date, owed, paid, location_id } = purchase;
  const balance = owed - paid;
  return {
    ...{ id, number, supplier_id, supplier_name, invoice_number, due_date, owed, paid, location_id, balance },
    standing: standingOf(balance, due_date, today, week),
  };
}

function standingOf(balance: number, due: string | null, today: string, week: string): PayableStanding {
  if (balance < 0) return "credit";
  if (due === null) return "undated";
  if (due < today) return "overdue";
  return due <= week ? "soon" : "later";
}

function conditionOf(accountId: string, query: PayableFilters, now: Date, values: unknown[]): string {
  const found = allOf(
    [...purchases.conditions(query as never, now, accountId), ...atLocations(query.location_ids ?? null, accountId)],
    values,
  );
  return found && `and ${found}`;
}

export interface PayableTotals {
  count: number;
  balance: number;
  overdue: number;
  /** Within a week, from today on. */
  soon: number;
  suppliers: number;
}

export async function readPayableTotals(
  deps: ServedDeps,
  accountId: string,
  query: PayableFilters,
): Promise<PayableTotals> {
  const now = deps.clock.now();
  const values: unknown[] = [accountId, bogotaDate(now), bogotaDate(new Date(now.getTime() + soonDays * day))];
  const filtered = conditionOf(accountId, query, now, values);
  const { rows } = await deps.pool.query<PayableTotals>({
    text: `select count(*)::int as count, coalesce(sum(balance), 0)::bigint as balance,
        coalesce(sum(balance) filter (where balance > 0 and due_date < $2), 0)::bigint as overdue,
        coalesce(sum(balance) filter (where balance > 0 and due_date between $2 and $3), 0)::bigint as soon,
        count(distinct supplier_id)::int as suppliers
      from purchases where account_id = $1 and balance <> 0 ${filtered}`,
    values,
  });
  return must(rows[0], "A sum has a row");
}
