import type { Queryable } from "../../db/pool.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { prepared } from "../../db/sql.ts";
import type { Loaded, RecordBody, Resource } from "./resource.ts";

export interface StoredText {
  body: string;
  seq: string;
}

const asText = { getTypeParser: () => (text: string) => text };

/** One record's stored text, handed on without parsing; undefined when the account does not have it. */
export async function readOne<B extends RecordBody, P extends object>(
  reads: Reads,
  resource: Resource<B, P>,
  accountId: string,
  id: string,
  includeDeleted: boolean,
): Promise<StoredText | undefined> {
  const text = `select body, seq from ${resource.table} where account_id = $1 and id = $2${includeDeleted ? "" : " and deleted_at is null"}`;
  const { rows } = await reads.query<StoredText>({ ...prepared(text, [accountId, id]), types: asText });
  return rows[0];
}

/** Records as a write needs them, parsed and with their private columns, by id. Deleted ones included: the caller decides. */
export async function loadMany<B extends RecordBody, P extends object>(
  db: Queryable,
  resource: Resource<B, P>,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Loaded<B, P>>> {
  // A numeric column holds more digits than a JavaScript number: it stays text.
  const own = Object.entries<string>(resource.private as Record<string, string>).map(([name, type]) =>
    type === "numeric" ? `${name}::text` : name,
  );
  const tracked = resource.units ? ["revisions", "feed_seq"] : [];
  const names = ["body", "seq", "deleted_at", ...own, ...tracked].join(", ");
  // One by one through the primary key: before its first ANALYZE a table's plan may take any index, or the whole account.
  const text = `select r.* from unnest($2::uuid[]) as wanted(id) cross join lateral (
    select ${names} from ${resource.table} where account_id = $1 and id = wanted.id limit 1) r`;
  const { rows } = await db.query<LoadedRow>(prepared(text, [accountId, ids]));
  return new Map(
    rows.map(({ deleted_at, revisions, feed_seq, ...row }) => {
      const body = JSON.parse(row.body) as B;
      const tracking = resource.units && {
        tracking: { revisions: JSON.parse(revisions ?? "{}"), feedSeq: feed_seq ?? 0 },
      };
      return [body.id, { ...row, body, deletedAt: deleted_at, ...tracking } as unknown as Loaded<B, P>];
    }),
  );
}

interface LoadedRow {
  body: string;
  deleted_at: Date | null;
  revisions?: string | null;
  feed_seq?: number | null;
}
