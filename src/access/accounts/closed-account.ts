import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { dayInWords } from "../../taxes/words.ts";

/** From now on nobody sells, calls or signs in; the data stays until the term is over, and the operator may open it again. */
export async function recordClosing(db: Queryable, accountId: string, now: Date, days: number): Promise<Date> {
  const dataGoesAt = new Date(now.getTime() + days * day);
  await db.query(sql`
    insert into closed_accounts (account_id, closed_at, data_goes_at) values (${accountId}, ${now}, ${dataGoesAt})
    on conflict (account_id) do update set closed_at = excluded.closed_at, data_goes_at = excluded.data_goes_at`);
  return dataGoesAt;
}

/** Why somebody cannot come in: an owner who closed his business reads until when it can be opened again. */
export async function inactiveError(db: Queryable, accountId: string): Promise<ApiError> {
  const { rows } = await db.query<{ data_goes_at: Date }>(
    sql`select data_goes_at from closed_accounts where account_id = ${accountId}`,
  );
  if (!rows[0]) return new ApiError("ACCOUNT_INACTIVE");
  const date = dayInWords(rows[0].data_goes_at);
  return new ApiError("ACCOUNT_INACTIVE", {
    message: `Este negocio está cerrado y sus datos se borran el ${date}. Si fue un error, escriba antes a quien opera el servicio.`,
  });
}
