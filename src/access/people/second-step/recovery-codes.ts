import { randomInt } from "node:crypto";
import type { Client, Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { hashToken } from "../../../lib/token.ts";

export const codesAtOnce = 10;
/** Without letters and digits that look alike: a code is written on paper. 16 of 31 are 79 bits, so a plain hash is enough. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const codeLength = 16;

/** Makes a person's codes anew: those from before stop working. They are shown this once. */
export async function renewRecoveryCodes(client: Client, personId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, newCode);
  await removeRecoveryCodes(client, personId, at);
  for (const code of codes)
    await client.query(sql`
      insert into recovery_codes (person_id, hash, created_at) values (${personId}, ${hashOf(personId, code)}, ${at})`);
  return codes;
}

/** Uses up a code, once in however many requests at a time. Resolves with how many are left, or undefined if it is none. */
export async function spendRecoveryCode(
  client: Client,
  personId: string,
  typed: string,
  at: Date,
): Promise<number | undefined> {
  const used = await client.query(sql`
    update recovery_codes set used_at = ${at}
    where person_id = ${personId} and hash = ${hashOf(personId, typed)} and used_at is null`);
  return used.rowCount === 0 ? undefined : (await countRecoveryCodes(client, personId)).left;
}

export async function countRecoveryCodes(
  db: Queryable,
  personId: string,
): Promise<{ left: number; made_at: Date | null }> {
  const { rows } = await db.query<{ left: number; made_at: Date | null }>(sql`
    select count(*) filter (where used_at is null)::int as left, max(created_at) as made_at
    from recovery_codes where person_id = ${personId} and removed_at is null`);
  return oneRow(rows);
}

/** They go with the last factor or for new ones, and are kept for as long as somebody may say that it was not she who did it. */
export async function removeRecoveryCodes(client: Client, personId: string, at: Date): Promise<void> {
  await client.query(sql`
    update recovery_codes set removed_at = ${at}, used_at = coalesce(used_at, ${at})
    where person_id = ${personId} and removed_at is null`);
}

/**
 * Whoever did what was not hers may have made codes since: all made from then on stop working, and those that she had at that
 * moment work again, unless they were used before.
 */
export async function giveRecoveryCodesBack(client: Client, personId: string, since: Date): Promise<void> {
  await client.query(sql`delete from recovery_codes where person_id = ${personId} and created_at >= ${since}`);
  await client.query(sql`
    update recovery_codes set removed_at = null, used_at = nullif(used_at, removed_at)
    where person_id = ${personId} and removed_at >= ${since}`);
}

/** In groups of four, as it is read and typed. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

function hashOf(personId: string, code: string): Buffer {
  return hashToken(`recovery code of ${personId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`);
}
