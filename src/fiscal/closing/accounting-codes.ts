import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { allMeans, meansOf, otherMeans } from "../../taxes/means.ts";

/** The accounts of the day's journal, in the business's own chart. */
export interface AccountingCodes {
  /** By means of payment: CASH, CARD, NEQUI, … */
  payments: Record<string, string>;
  other_payment: string;
  /** By tax and rate, such as 01:19; `untaxed` for what has none. */
  income: Record<string, string>;
  other_income: string;
  /** By the authority's code. */
  taxes: Record<string, string>;
  other_tax: string;
  returns: string;
  tips: string;
  third_parties: string;
  cash_surplus: string;
  cash_shortage: string;
  cash_in: string;
  cash_out: string;
}

/** The usual accounts of a shop in the standard chart for merchants (Decreto 2650 of 1993); an accountant adapts them. */
export const defaultCodes: AccountingCodes = {
  payments: Object.fromEntries(
    allMeans.filter((code) => code !== otherMeans).map((code) => [code, meansOf(code).account]),
  ),
  other_payment: meansOf(otherMeans).account,
  income: {},
  other_income: "413595",
  taxes: { "01": "240805", "03": "241205", "04": "249505", "22": "249510" },
  other_tax: "249595",
  returns: "417505",
  tips: "281505",
  third_parties: "281505",
  cash_surplus: "429553",
  cash_shortage: "136530",
  cash_in: "238095",
  cash_out: "233595",
};

export async function readCodes(db: Queryable, accountId: string): Promise<AccountingCodes> {
  const { rows } = await db.query<{ accounts: string }>(sql`
    select accounts from paper_settings where account_id = ${accountId}`);
  const own = JSON.parse(rows[0]?.accounts ?? "{}") as Partial<AccountingCodes>;
  return {
    ...defaultCodes,
    ...own,
    payments: { ...defaultCodes.payments, ...own.payments },
    taxes: { ...defaultCodes.taxes, ...own.taxes },
  };
}

export async function setCodes(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  codes: Partial<AccountingCodes>,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const before = await readCodes(client, accountId);
    await client.query(sql`
      insert into paper_settings (account_id, look, accounts, updated_at)
      values (${accountId}, '{}', ${JSON.stringify(codes)}, ${at})
      on conflict (account_id) do update set accounts = excluded.accounts, updated_at = excluded.updated_at`);
    const details = { ...codes, before, after: await readCodes(client, accountId) };
    await recordAudit(client, { accountId, at, action: "accounting_codes.set", details, actor });
  });
}
