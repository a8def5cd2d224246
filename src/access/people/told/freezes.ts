import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { hour } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { FrozenRoom } from "./kinds.ts";

const frozenMs = 72 * hour;

export async function freeze(
  client: Client,
  { accountId, personId, room, at }: { accountId: string; personId: string; room: FrozenRoom; at: Date },
): Promise<void> {
  const until = new Date(at.getTime() + frozenMs);
  await client.query(sql`
    insert into security_freezes (account_id, person_id, room, until) values (${accountId}, ${personId}, ${room}, ${until})
    on conflict (account_id, person_id, room) do update set until = excluded.until`);
}

/** Refuses what a person may not do there for now. */
export async function requireNotFrozen(
  db: Queryable,
  { accountId, personId }: { accountId: string; personId: string },
  room: FrozenRoom,
  now: Date,
): Promise<void> {
  const { rows } = await db.query<{ until: Date }>(sql`
    select until from security_freezes
    where account_id = ${accountId} and person_id = ${personId} and room = ${room} and until > ${now}`);
  if (rows[0]) throw new ApiError("FROZEN", { extra: { until: rows[0].until.toISOString() } });
}
