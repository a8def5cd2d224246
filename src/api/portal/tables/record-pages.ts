import type { Deps } from "../../../deps.ts";
import { since, until } from "../../../engine/resources/filters.ts";
import type { ListSpec } from "../../../engine/resources/list-spec.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import { readList } from "../../../engine/resources/read-list.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import type { Position } from "../../../lib/cursor.ts";

const pageRows = 500;

/** The records of a resource that its list would show with these filters, newest first, page by page. */
export async function* recordPages<Body extends RecordBody>(
  deps: Deps,
  accountId: string,
  { table, conditions, transform }: ListSpec,
  query: { created_since?: string; created_until?: string; [filter: string]: unknown },
  others: readonly Condition[] = [],
): AsyncGenerator<Body[]> {
  const now = deps.clock.now();
  const all = [
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...conditions(query as never, now, accountId),
    ...others,
  ];
  let after: Position | undefined;
  // Not on the shared connections: a long page would delay the short reads of others.
  do {
    const page = await readList(
      { reads: deps.pool, pool: deps.pool },
      { table, accountId, conditions: all, order: "desc", limit: pageRows, after },
    );
    yield page.rows.map(([, , , body]) => JSON.parse(transform ? transform(body, now).text : body) as Body);
    after = page.hasMore ? page.end : undefined;
  } while (after);
}
