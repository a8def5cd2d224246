import type { Client, Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { ApiError } from "../../../lib/errors.ts";
import type { StepKind } from "./kinds.ts";

export type FactorKind = "totp" | "passkey";

export interface Factor {
  id: string;
  kind: FactorKind;
  /** Given by its person, or by its application. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** More than anybody carries; each one-time-password secret is one more code that a guess may hit. */
const mostOf: Record<FactorKind, number> = { totp: 2, passkey: 10 };

/** Those that count: confirmed and not removed. */
export async function listFactors(db: Queryable, personId: string): Promise<Factor[]> {
  const { rows } = await db.query<Factor>(sql`
    select id, kind, name, created_at, last_used_at from factors
    where person_id = ${personId} and confirmed_at is not null and removed_at is null
    order by created_at, id`);
  return rows;
}

/** What a person may show beside the password; nothing at all of whoever has no factor. */
export async function kindsOf(db: Pick<Queryable, "query">, personId: string): Promise<StepKind[]> {
  const { rows } = await db.query<{ totp: boolean; passkey: boolean; codes: boolean }>(sql`
    select coalesce(bool_or(kind = 'totp'), false) as totp, coalesce(bool_or(kind = 'passkey'), false) as passkey,
      exists (select from recovery_codes where person_id = ${personId} and used_at is null) as codes
    from factors where person_id = ${personId} and confirmed_at is not null and removed_at is null`);
  const { totp, passkey, codes } = oneRow(rows);
  if (!totp && !passkey) return [];
  return [
    ...(totp ? ["totp" as const] : []),
    ...(passkey ? ["passkey" as const] : []),
    ...(codes ? ["recovery_code" as const] : []),
  ];
}

/** Locks the person's row, so that two of her browsers cannot each add the last one allowed. */
export async function requireRoom(client: Client, personId: string, kind: FactorKind): Promise<void> {
  await client.query(sql`select from people where id = ${personId} for update`);
  const { rows } = await client.query<{ count: number }>(sql`
    select count(*)::int as count from factors
    where person_id = ${personId} and kind = ${kind} and confirmed_at is not null and removed_at is null`);
  if (oneRow(rows).count >= mostOf[kind])
    throw new ApiError("TOO_MANY_FACTORS", {
      message: `Ya tiene ${mostOf[kind]} de esta clase, que es el máximo. Quite una que no use y agregue la nueva.`,
    });
}
