import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { hour } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { open, seal } from "../../../lib/secret-box.ts";
import { requireRoom } from "./factors.ts";
import { newTotpSecret, stepOfCode, totpUri } from "./totp.ts";

/** One that nobody confirmed is forgotten when the next is begun, and in any case after this. */
const unconfirmedMs = hour;

/** A box opens only for the person it was made for: one copied to somebody else's row is of no use. */
const purposeOf = (personId: string) => `one-time passwords of ${personId}`;

export interface BegunTotp {
  id: string;
  /** In base32, for whoever cannot scan. */
  secret: string;
  uri: string;
}

/** Makes a secret that counts once a first code of it was right. */
export async function beginTotp(
  deps: CoreDeps,
  { personId, email, name }: { personId: string; email: string; name: string },
): Promise<BegunTotp> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const secret = newTotpSecret();
  await transaction(deps.pool, async (client) => {
    await requireRoom(client, personId, "totp");
    await client.query(sql`
      delete from factors where person_id = ${personId} and kind = 'totp' and confirmed_at is null`);
    await client.query(sql`
      insert into factors (id, person_id, kind, name, secret, created_at)
      values (${id}, ${personId}, 'totp', ${name}, ${seal(deps.config.secretKey, purposeOf(personId), secret)}, ${now})`);
  });
  return { id, secret, uri: totpUri(secret, email, "Mostrador") };
}

/** Confirms a secret with its first code, which is thereby used. */
export async function confirmTotp(
  deps: CoreDeps,
  client: Client,
  { personId, id, code }: { personId: string; id: string; code: string },
): Promise<{ name: string }> {
  const now = deps.clock.now();
  await requireRoom(client, personId, "totp");
  const { rows } = await client.query<{ name: string; secret: Buffer }>(sql`
    select name, secret from factors
    where id = ${id} and person_id = ${personId} and kind = 'totp' and confirmed_at is null
      and created_at > ${new Date(now.getTime() - unconfirmedMs)}`);
  const begun = rows[0];
  if (!begun) throw new ApiError("CODE_EXPIRED");
  const step = stepOfCode(open(deps.config.secretKey, purposeOf(personId), begun.secret), code, now);
  if (step === undefined)
    throw new ApiError("CODE_INCORRECT", {
      param: "code",
      message:
        "El código no es de esta aplicación. Revise que su teléfono tenga la hora automática y escriba el que muestra ahora.",
    });
  await client.query(sql`
    update factors set confirmed_at = ${now}, used_step = ${step}, last_used_at = ${now} where id = ${id}`);
  return { name: begun.name };
}

/** Whether this is a code of one of the person's secrets that nobody used yet. It is used up by this. */
export async function spendTotp(
  { pool, config, clock }: Pick<CoreDeps, "pool" | "config" | "clock">,
  personId: string,
  code: string,
): Promise<boolean> {
  const now = clock.now();
  for (const { id, secret } of await secretsOf(pool, personId)) {
    const step = stepOfCode(open(config.secretKey, purposeOf(personId), secret), code, now);
    if (step === undefined) continue;
    const { rowCount } = await pool.query(sql`
      update factors set used_step = ${step}, last_used_at = ${now}
      where id = ${id} and removed_at is null and (used_step is null or used_step < ${step})`);
    if (rowCount !== 0) return true;
  }
  return false;
}

async function secretsOf(db: Queryable, personId: string): Promise<{ id: string; secret: Buffer }[]> {
  const { rows } = await db.query<{ id: string; secret: Buffer }>(sql`
    select id, secret from factors
    where person_id = ${personId} and kind = 'totp' and confirmed_at is not null and removed_at is null`);
  return rows;
}
