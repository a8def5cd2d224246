import { ofAllAccounts } from "../../db/nodes.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import type { EventType, events } from "../../engine/events/event-types.ts";
import { writing } from "../../engine/writing/writing.ts";
import type { EndpointRecord } from "../endpoints/endpoint-record.ts";

/** How late an account hears of what another process noted, or this one with a batch of results. */
export const tellEveryMs = 5_000;

const eventOf: Readonly<Record<string, EventType>> = {
  failing: "webhook_endpoint.failing",
  deactivated: "webhook_endpoint.deactivated",
  recovered: "webhook_endpoint.recovered",
} satisfies Record<string, keyof typeof events>;

/**
 * Makes events of what happened to endpoints. It is noted on the endpoint's row with the change itself and told by a write of its own,
 * so that nothing is lost between the two, and a batch of results takes no account's clock.
 */
export async function tellOfEndpoints(deps: CoreDeps, isRunning: () => boolean): Promise<void> {
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select distinct account_id from webhook_endpoints where to_announce <> '{}' and ${part.of("account_id", 1)}`;
    return (await deps.pool.query<{ account_id: string }>(prepared(text, [...part.values]))).rows;
  });
  for (const { account_id } of rows) {
    if (!isRunning()) return;
    await tellOf(deps, account_id).catch((error: Error) =>
      deps.log.warn({ err: error, account_id }, "what happened to an endpoint was not told; trying again shortly"),
    );
  }
}

/** Notes it of the account's newest endpoint, as the trigger of the test environment does. Undefined where there is none. */
export async function noteOfNewest(db: Queryable, accountId: string, type: EventType): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(sql`
    update webhook_endpoints set to_announce = array_append(to_announce, ${type.slice("webhook_endpoint.".length)})
    where account_id = ${accountId} and id = (
      select id from webhook_endpoints where account_id = ${accountId} order by created_at desc, id desc limit 1)
    returning id`);
  return rows[0]?.id;
}

export function tellOf(deps: CoreDeps, accountId: string): Promise<void> {
  return writing(deps, accountId, async (write) => {
    const { rows } = await write.client.query<NotedRow>(sql`
      select id, name, url, status, consecutive_failures, failing_since, last_failure_at, last_failure, last_failure_status,
        created_at, told, to_announce
      from webhook_endpoints where account_id = ${accountId} and to_announce <> '{}' order by id for no key update`);
    if (rows.length === 0) return write.discard();
    for (const row of rows) {
      const body = recordOf(row, write.at);
      for (const kind of row.to_announce) if (eventOf[kind]) write.emit(eventOf[kind], body);
      const done = row.to_announce.length;
      write.addStatement(sql`
        update webhook_endpoints set to_announce = to_announce[${done + 1}:], told = told + 1
        where account_id = ${accountId} and id = ${row.id}`);
    }
  });
}

interface NotedRow {
  id: string;
  name: string | null;
  url: string;
  status: EndpointRecord["status"];
  consecutive_failures: number;
  failing_since: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  last_failure_status: number | null;
  created_at: Date;
  told: number;
  to_announce: string[];
}

function recordOf(row: NotedRow, at: Date): EndpointRecord {
  const { id, name, url, status, consecutive_failures, last_failure_at, last_failure, last_failure_status } = row;
  return {
    object: "webhook_endpoint",
    id,
    name,
    host: new URL(url).host,
    status,
    consecutive_failures,
    failing_since: row.failing_since?.toISOString() ?? null,
    last_failure:
      last_failure_at === null || last_failure === null
        ? null
        : { at: last_failure_at.toISOString(), failure: last_failure, status: last_failure_status },
    // The write gives it the next one.
    version: row.told,
    created_at: row.created_at.toISOString(),
    updated_at: at.toISOString(),
  };
}
