import { prepared, type Statement } from "../../db/sql.ts";

/** In time zone UTC, because a distributed table's UPDATE takes no arithmetic on a timestamptz column: it depends on the session's zone. */
const moveMark = `
  update tax_days_seen set seen_at = (seen_at at time zone 'UTC' - interval '1 millisecond') at time zone 'UTC'
  where account_id = $1`;

/**
 * Forgets the kept taxes of days that a record has left: nothing of such a day says so any more. A report that is adding one up
 * does not keep it either, because the mark that it began with has moved. The mark comes first, as wherever days are kept.
 */
export function forgetTaxDays(accountId: string, days: readonly string[]): Statement[] {
  return [
    prepared(moveMark, [accountId]),
    prepared("delete from tax_days where account_id = $1 and day = any($2::date[])", [accountId, days]),
  ];
}

/** For a definition that has changed under the days that are kept. */
export function forgetAllTaxDays(accountId: string): Statement[] {
  return [prepared(moveMark, [accountId]), prepared("delete from tax_days where account_id = $1", [accountId])];
}
