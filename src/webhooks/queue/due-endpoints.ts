import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { type WaitingEndpoint, waitingEndpoints } from "./waiting-endpoints.ts";

/** The endpoints that have something to be sent now. One that is not active gets only tests. */
export async function findDueEndpoints(pool: Pool, now: Date): Promise<EndpointKey[]> {
  const due = await dueEndpoints(pool, now);
  return due.filter(({ isActive, hasDueTest }) => isActive || hasDueTest);
}

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest of those due by now fell due. */
  oldestDue: Date | null;
}

export async function pendingDeliveries(pool: Pool, now: Date): Promise<Pending> {
  const { rows } = await pool.query<{ pending: number }>(prepared(countText, []));
  const active = (await dueEndpoints(pool, now)).filter(({ isActive }) => isActive);
  const oldestMs = active.reduce((oldest, { dueAt }) => Math.min(oldest, dueAt.getTime()), Infinity);
  return { pending: rows[0]!.pending, oldestDue: active.length === 0 ? null : new Date(oldestMs) };
}

interface DueEndpoint extends WaitingEndpoint {
  isActive: boolean;
  hasDueTest: boolean;
}

async function dueEndpoints(pool: Pool, now: Date): Promise<DueEndpoint[]> {
  const due = (await waitingEndpoints(pool)).filter(({ dueAt }) => dueAt <= now);
  if (due.length === 0) return [];
  const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
  const { rows } = await pool.query<{ id: string; is_active: boolean; has_due_test: boolean }>(
    prepared(statesText, [accountIds, now]),
  );
  const states = new Map(rows.map((row) => [row.id, row]));
  return due.flatMap((endpoint) => {
    const state = states.get(endpoint.endpointId);
    return state ? [{ ...endpoint, isActive: state.is_active, hasDueTest: state.has_due_test }] : [];
  });
}

/** Of all endpoints of these accounts: they are few. */
const statesText = `
  select p.id, p.status = 'active' as is_active, exists (
    select from webhook_queue q
    where q.account_id = p.account_id and q.endpoint_id = p.id and q.is_test and q.due_at <= $2) as has_due_test
  from webhook_endpoints p where p.account_id = any ($1::uuid[])`;

const countText = "select count(*) as pending from (select 1 from webhook_queue limit 100000) counted";
