import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { hour } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { inBogota } from "../../../mail/templates.ts";
import { ownersOf } from "../membership.ts";
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
  if (!rows[0]) return;
  const { until } = rows[0];
  const hasOthers = (await ownersOf(db, accountId)).some(({ id }) => id !== personId);
  const alone = `De un cambio como este se dijo «no fui yo», y por 72 horas no se puede repetir, tampoco si lo dijo usted: espere hasta el ${inBogota(until)}.`;
  const hint = room === "people" ? " Mientras tanto sí puede retirar personas y bajarles el rol." : "";
  throw new ApiError("FROZEN", {
    ...(!hasOthers && { message: `${alone}${hint}` }),
    extra: { until: until.toISOString() },
  });
}
