import type { Pool } from "../../db/pool.ts";
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
}

export class EmailTakenError extends Error {}

/** Two concurrent requests may both find an address free: the unique index decides. */
export function isEmailTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === "accounts_email";
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
      await client.query(sql`
        insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
        values (${id}, ${name}, ${input.email}, ${passwordHash}, ${input.plan}, ${now}, ${now})`);
      await client.query(sql`
        insert into account_clock (account_id, ts, records_events) values (${id}, ${now}, ${input.plan === "pro"})`);
      const { email, plan } = input;
      const details = { name, email, plan };
      await recordAudit(client, { accountId: id, at: now, action: "account.created", details, actor });
    });
  } catch (error) {
    if (isEmailTaken(error)) throw new EmailTakenError(input.email, { cause: error });
    throw error;
  }
  return { id, email: input.email };
}
