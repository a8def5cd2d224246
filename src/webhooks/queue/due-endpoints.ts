import type { Part } from "../../db/nodes.ts";
import { type Pending, readPending } from "../../db/pending.ts";
import type { Pool } from "../../db/pool.ts";
import { ofAccounts, prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { type LongQueues, type WaitingEndpoint, waitingEndpoints } from "./waiting-endpoints.ts";

/** For how long an endpoint that is not active is not looked at again, although another process may have resumed it. */
const inactiveMs = 5_000;

/**
 * Returns a function that finds the endpoints with a delivery that is due and not leased, except those that the caller knows
 * of already. An endpoint that is not active gets only test deliveries, and its state is not read at every look.
 */
export function dueLook(pool: Pool) {
  const inactive = new Set<string>();
  const longQueues: LongQueues = { endpoints: [] };
  let clearedAtMs = performance.now();
  return async (now: Date, isKnown: (endpoint: EndpointKey) => boolean): Promise<EndpointKey[]> => {
    if (performance.now() - clearedAtMs > inactiveMs) {
      inactive.clear();
      clearedAtMs = performance.now();
    }
    const waiting = await waitingEndpoints(pool, longQueues);
    const unknown = waiting.filter((it) => it.dueAt <= now && !isKnown(it) && !inactive.has(it.endpointId));
    const due = await statesOf(pool, now, unknown);
    for (const { endpointId, isActive } of due) if (!isActive) inactive.add(endpointId);
    return due.filter(({ isActive, hasDue, hasDueTest }) => (isActive && hasDue) || hasDueTest);
  };
}

export async function pendingDeliveries(pool: Pool, now: Date, longQueues?: LongQueues): Promise<Pending> {
  const { pending } = await readPending(pool, countText, []);
  const due = (await waitingEndpoints(pool, longQueues)).filter(({ dueAt }) => dueAt <= now);
  const active = (await statesOf(pool, now, due)).filter(({ isActive }) => isActive);
  const oldestMs = active.reduce((oldest, { dueAt }) => Math.min(oldest, dueAt.getTime()), Infinity);
  return { pending, oldestDue: active.length === 0 ? null : new Date(oldestMs) };
}

interface DueEndpoint extends WaitingEndpoint {
  isActive: boolean;
  hasDue: boolean;
  hasDueTest: boolean;
}

async function statesOf(pool: Pool, now: Date, due: readonly WaitingEndpoint[]): Promise<DueEndpoint[]> {
  if (due.length === 0) return [];
  const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
  const { rows } = await pool.query<{ id: string; is_active: boolean; has_due: boolean; has_due_test: boolean }>(
    prepared(statesText, [accountIds, now]),
  );
  const states = new Map(rows.map((row) => [row.id, row]));
  return due.flatMap((endpoint) => {
    const state = states.get(endpoint.endpointId);
    return state
      ? [{ ...endpoint, isActive: state.is_active, hasDue: state.has_due, hasDueTest: state.has_due_test }]
      : [];
  });
}

/**
 * Whether something is due of which no worker has a lease, and whether a test is among it; of all endpoints of these accounts, which
 * are few. A worker that is woken for what it has in its hands would claim nothing, and meanwhile nothing is handed over to it.
 * What is leased comes first in a queue; OFFSET keeps the planner from reading the rest.
 */
const free = (more: string) => `exists (
    select from webhook_queue q
    where q.account_id = p.account_id and q.endpoint_id = p.id and q.due_at <= $2 ${more}
      and (q.leased_until is null or q.leased_until < statement_timestamp())
    order by q.due_at offset 0)`;
const statesText = `
  select p.id, p.status = 'active' as is_active, ${free("")} as has_due, ${free("and q.is_test")} as has_due_test
  from webhook_endpoints p where ${ofAccounts("p")}`;

const countText = (part: Part) => `
  select count(*) as pending, null::timestamptz as oldest
  from (select 1 from webhook_queue where ${part.of("account_id", 1)} limit 100000) counted`;
