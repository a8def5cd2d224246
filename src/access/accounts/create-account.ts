import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashPassword } from "./password.ts";
import { type Actor, recordAudit, theOperator } from "./record-audit.ts";

export type Plan = "basic" | "pro";

export interface NewAccount {
  name: string;
  email: string;
  password: string;
  plan: Plan;
  /** Of the person whom it is opened for; she says it later if nobody knows it yet. */
  ownerName?: string;
}

export class EmailTakenError extends Error {}

/** Two concurrent requests may both find an address free: the unique index decides. */
export function isEmailTaken(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return constraint === "accounts_email" || constraint === "people_email";
}

export async function createAccount(
  deps: { pool: Pool; clock: Clock },
  input: NewAccount,
  actor: Actor = theOperator,
): Promise<{ id: string; email: string }> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const name = oneLine(input.name);
  const passwordHash = await hashPassword(input.password);
  try {
    await transaction(deps.pool, async (client) => {
      const { email, plan, ownerName = "" } = input;
      await insertAccount(client, { id, name, email, passwordHash, plan, ownerName: oneLine(ownerName), now });
      const details = { name, email, plan };
      await recordAudit(client, { accountId: id, at: now, action: "account.created", details, actor });
    });
  } catch (error) {
    if (isEmailTaken(error)) throw new EmailTakenError(input.email, { cause: error });
    throw error;
  }
  return { id, email: input.email };
}

/**
 * The rows of a new account, and of the person whom it is opened for and who owns it: the one has the other's id, so that a
 * process of the version before, which knows no people, means the same person by its account.
 */
export async function insertAccount(
  db: Queryable,
  {
    id,
    name,
    email,
    passwordHash,
    plan,
    ownerName = "",
    now,
  }: { id: string; name: string; email: string; passwordHash: string; plan: Plan; ownerName?: string; now: Date },
): Promise<void> {
  // Whoever takes an address takes it here first, so that two cannot wait for each other.
  await db.query(sql`
    insert into people (id, email, name, password_hash, founded, created_at, updated_at)
    values (${id}, ${email}, ${ownerName}, ${passwordHash}, true, ${now}, ${now})`);
  await db.query(sql`
    insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
    values (${id}, ${name}, ${email}, ${passwordHash}, ${plan}, ${now}, ${now})`);
  await db.query(sql`
    insert into account_clock (account_id, ts, records_events) values (${id}, ${now}, ${plan === "pro"})`);
  await db.query(sql`
    insert into memberships (person_id, account_id, role, created_at, updated_at)
    values (${id}, ${id}, 'owner', ${now}, ${now})`);
}
