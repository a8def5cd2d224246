import { ofAllAccounts, type Part } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { type RetentionDays, type RetentionKind, usualRetention } from "../../lib/retention.ts";

/** Deletes what can no longer be used: expired sessions, codes and links, and old failed sign-ins. */
export async function deleteExpired(pool: Pool, now: Date, keep: RetentionDays = usualRetention): Promise<void> {
  const before = (kind: RetentionKind) => new Date(now.getTime() - keep[kind] * day);
  const yesterday = new Date(now.getTime() - day);
  await pool.query(sql`delete from portal_sessions where expires_at < ${now} or last_seen_at < ${yesterday}`);
  await inParts(pool, confirmationsText, before("confirmations"));
  await pool.query(sql`delete from email_changes where expires_at < ${now}`);
  await pool.query(sql`delete from invitations where expires_at < ${yesterday}`);
  await pool.query(sql`delete from sign_ups where expires_at < ${yesterday}`);
  await pool.query(sql`delete from sign_in_stages where created_at < ${yesterday}`);
  await pool.query(sql`delete from trusted_browsers where expires_at < ${now}`);
  // For as long as somebody may say that it was not she who removed them.
  const objectable = new Date(now.getTime() - 4 * day);
  await pool.query(sql`delete from recovery_codes where removed_at < ${objectable}`);
  await pool.query(sql`
    delete from factors where removed_at < ${objectable} or (confirmed_at is null and created_at < ${yesterday})`);
  await pool.query(sql`delete from security_notices where created_at < ${before("security_notices")}`);
  await pool.query(sql`delete from security_freezes where until < ${now}`);
  await inParts(pool, importsText, before("product_imports"));
  await pool.query(sql`delete from sign_in_failures where last_failure_at < ${before("sign_in_failures")}`);
}

async function inParts(pool: Pool, text: (part: Part) => string, before: Date): Promise<void> {
  await ofAllAccounts(pool, async (part) => (await pool.query(prepared(text(part), [before, ...part.values]))).rows);
}

const confirmationsText = (part: Part) => `
  delete from confirmations c using accounts a
  where c.account_id = a.id and c.created_at < $1 and ${part.of("c.account_id", 2)}`;

const importsText = (part: Part) => `
  with old as (
    delete from product_imports i using accounts a
    where i.account_id = a.id and i.created_at < $1 and ${part.of("i.account_id", 2)} returning i.account_id, i.id)
  delete from product_import_chunks c using old where c.account_id = old.account_id and c.import_id = old.id`;
