import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

export const firstSteps = ["tax_data", "numbering", "register", "product", "sale", "document"] as const;
export type FirstStep = (typeof firstSteps)[number];

export interface Start {
  /** In the order in which they are done. Each follows from the business's own data; none is stored. */
  steps: { step: FirstStep; is_done: boolean }[];
  is_done: boolean;
  /** The owner put the page away. */
  is_hidden: boolean;
}

/** Internal documents are numbered here, without an authorization: the profile is all they need. */
export async function readStart(db: Queryable, accountId: string): Promise<Start> {
  // Registers are a directory, read apart from the account's tables.
  const { rowCount: registers } = await db.query(sql`
    select from devices where account_id = ${accountId} and revoked_at is null and last_seen_at is not null limit 1`);
  const { rows } = await db.query<Record<Exclude<FirstStep, "register"> | "is_hidden", boolean>>(sql`
    select f.account_id is not null as tax_data,
      coalesce(f.documents = 'internal', false) or exists (
        select from numbering_ranges where account_id = ${accountId} and kind in ('pos', 'invoice')) as numbering,
      exists (select from products where account_id = ${accountId} and deleted_at is null) as product,
      exists (select from sales where account_id = ${accountId} and deleted_at is null) as sale,
      exists (select from invoices where account_id = ${accountId} and status = 'issued') as document,
      coalesce(s.start_hidden_at is not null, false) as is_hidden
    from account_clock a
    left join fiscal_profiles f on f.account_id = a.account_id
    left join portal_settings s on s.account_id = a.account_id
    where a.account_id = ${accountId}`);
  const row = { ...rows[0]!, register: registers !== 0 };
  const steps = firstSteps.map((step) => ({ step, is_done: row[step] }));
  return { steps, is_done: steps.every(({ is_done }) => is_done), is_hidden: row.is_hidden };
}

export async function hideStart(db: Queryable, accountId: string, hiddenAt: Date | null): Promise<void> {
  await db.query(sql`
    insert into portal_settings (account_id, start_hidden_at) values (${accountId}, ${hiddenAt})
    on conflict (account_id) do update set start_hidden_at = excluded.start_hidden_at`);
}
