import { randomInt } from "node:crypto";
import type { Client, Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { type Clock, minute } from "../../lib/clock.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashToken } from "../../lib/token.ts";
import { UnknownAccountError } from "../accounts/account-lock.ts";
import { type Actor, recordAudit, theOperator } from "../accounts/record-audit.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const codeLength = 10;
const lifeMs = 10 * minute;

export interface EnrolmentCode {
  code: string;
  expires_at: Date;
}

export interface NewCode {
  accountId: string;
  /** What the register will be called. */
  name: string;
  /** The sede it will be of; the first unless given. */
  locationId?: string | null | undefined;
}

/**
 * A code with which one register joins an account. Its first four characters are the look-up key, under which attempts are
 * counted before the other six (30 bits) are compared: only five guesses are possible.
 */
export async function createEnrolmentCode(
  deps: { pool: Pool; clock: Clock },
  input: NewCode,
  actor: Actor = theOperator,
): Promise<EnrolmentCode> {
  const { accountId, name } = input;
  return transaction(deps.pool, async (client) => {
    const account = await client.query(sql`select 1 from accounts where id = ${accountId}`);
    if (account.rowCount === 0) throw new UnknownAccountError(accountId);
    const made = await insertEnrolmentCode(client, deps.clock.now(), input);
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "device.enrol", details: { name }, actor });
    return made;
  });
}

/** The same for a caller with a transaction, which knows that the account exists and writes the audit entry itself. */
export async function insertEnrolmentCode(
  client: Client,
  now: Date,
  { accountId, name, locationId }: NewCode,
): Promise<EnrolmentCode> {
  const expires_at = new Date(now.getTime() + lifeMs);
  // Rows that another transaction is deleting are left to it, so that the two cannot deadlock.
  await client.query(sql`
    delete from enrolment_codes where selector in (
      select selector from enrolment_codes where expires_at < ${now} for update skip locked)`);
  for (;;) {
    const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");
    const made = await client.query(sql`
      insert into enrolment_codes (selector, code_hash, account_id, name, location_id, expires_at)
      values (${selectorOf(code)}, ${hashToken(code)}, ${accountId}, ${oneLine(name)},
        nullif(${locationId ?? null}::uuid, ${accountId}::uuid), ${expires_at})
      on conflict (selector) do nothing`);
    if (made.rowCount === 1) return { code, expires_at };
  }
}

/** Accepts what people type: lower case, spaces and dashes are allowed. */
export function readCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, "");
  return /^[A-Z2-7]{10}$/.test(code) ? code : undefined;
}

export function selectorOf(code: string): string {
  return code.slice(0, 4);
}
