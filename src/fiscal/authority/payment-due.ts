import { day } from "../../lib/clock.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { meansOf } from "../../taxes/means.ts";

/** A sale on account says no term: a month is the usual one. */
const creditDays = 30;

export function paymentDue(method: string, issuedAt: Date): { isCredit: boolean; days: number; date: string } {
  const { isCredit } = meansOf(method);
  const days = isCredit ? creditDays : 0;
  return { isCredit, days, date: bogotaDate(new Date(issuedAt.getTime() + days * day)) };
}
