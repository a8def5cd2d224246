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

export type Chosen = Omit<AlertChoice, "active"> & { person_id: string; is_active: boolean };

/** What the people of a business have decided. */
export async function readChosen(db: Queryable, accountId: string): Promise<Chosen[]> {
  const { rows } = await db.query<Chosen>(sql`
    select person_id, kind, is_active, amount, from_hour, to_hour from alert_choices where account_id = ${accountId}`);
  return rows;
}

/** Every kind, in the order of the list. An owner who has not decided is told of the usual ones, anybody else of none. */
export function choicesOf(chosen: readonly Chosen[], personId: string, isOwner: boolean): AlertChoice[] {
  const own = chosen.filter(({ person_id }) => person_id === personId);
  return allAlerts.map((kind) => {
    const { usual, amount = null, hours } = alertKind(kind);
    const row = own.find((one) => one.kind === kind);
    return {
      kind,
      active: row?.is_active ?? (usual && isOwner),
      amount: row?.amount ?? amount,
      from_hour: row?.from_hour ?? hours?.[0] ?? null,
      to_hour: row?.to_hour ?? hours?.[1] ?? null,
    };
  });
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

/** Whoever leaves a business asked for nothing there. */
export async function forgetAlertChoices(db: Queryable, accountId: string, personId: string): Promise<void> {
  await db.query(sql`delete from alert_choices where account_id = ${accountId} and person_id = ${personId}`);
}
