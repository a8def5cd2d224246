import { prepared, type Statement } from "../../db/sql.ts";

/**
 * Forgets the kept taxes of days that a record has left: nothing of such a day says so any more. A report that is adding one up
 * does not keep it either, because the mark that it began with has moved. The mark comes first, as wherever days are kept.
 */
export function forgetTaxDays(accountId: string, days: readonly string[]): Statement[] {
  return [
    prepared("update tax_days_seen set seen_at = seen_at - interval '1 millisecond' where account_id = $1", [
      accountId,
    ]),
    prepared("delete from tax_days where account_id = $1 and day = any($2::date[])", [accountId, days]),
  ];
}
