import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { type AlertName, alertKind, allAlerts } from "./alert-kinds.ts";

/** What one person is told of. */
export interface AlertChoice {
  kind: AlertName;
  active: boolean;
  amount: number | null;
  from_hour: number | null;
  to_hour: number | null;
}

/** Until a business has several people, its owner's id is the account's. */
export function ownerOf(accountId: string): string {
  return accountId;
}

type Row = Omit<AlertChoice, "active"> & { is_active: boolean };

/** Every kind, in the order of the list; those that the person has not decided as they are by default. */
export async function readAlertChoices(db: Queryable, accountId: string, personId: string): Promise<AlertChoice[]> {
  const { rows } = await db.query<Row>(sql`
    select kind, is_active, amount, from_hour, to_hour from alert_choices
    where account_id = ${accountId} and person_id = ${personId}`);
  return allAlerts.map((kind) => {
    const { usual, amount = null, hours } = alertKind(kind);
    const chosen = rows.find((row) => row.kind === kind);
    return {
      kind,
      active: chosen?.is_active ?? usual,
      amount: chosen?.amount ?? amount,
      from_hour: chosen?.from_hour ?? hours?.[0] ?? null,
      to_hour: chosen?.to_hour ?? hours?.[1] ?? null,
    };
  });
}

/** Whether anybody of the business wants to be told. */
export async function wantsAlert(db: Queryable, accountId: string, kind: AlertName): Promise<boolean> {
  const choices = await readAlertChoices(db, accountId, ownerOf(accountId));
  return choices.some((one) => one.kind === kind && one.active);
}

export async function setAlertChoice(
  db: Queryable,
  accountId: string,
  personId: string,
  { kind, active, amount, from_hour, to_hour }: AlertChoice,
  now: Date,
): Promise<void> {
  await db.query(sql`
    insert into alert_choices (account_id, person_id, kind, is_active, amount, from_hour, to_hour, updated_at)
    values (${accountId}, ${personId}, ${kind}, ${active}, ${amount}, ${from_hour}, ${to_hour}, ${now})
    on conflict (account_id, person_id, kind) do update set is_active = excluded.is_active, amount = excluded.amount,
      from_hour = excluded.from_hour, to_hour = excluded.to_hour, updated_at = excluded.updated_at`);
}
