import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { day } from "../../../lib/clock.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import { dayText } from "../../../taxes/words.ts";
import type { WorkingSet } from "./working-set.ts";

/** Time zones, and a register that sold before midnight of its own, are no fault of a clock. */
const mostAheadMs = day;
/** Longer than any register was ever without a connection. */
const mostBehindMs = 400 * day;

/**
 * Instants of a record that its register's clock cannot have had when it was made. They are stored as sent, and told: what was sold
 * counts on the day that the register says. A shift may close long after it arrived, so nothing is ahead of what is now.
 */
export function checkClock(
  { write }: WorkingSet,
  arrivedAt: string,
  said: readonly (readonly [field: string, instant: string | null])[],
): Finding[] {
  const [latest, earliest] = [write.at.getTime() + mostAheadMs, Date.parse(arrivedAt) - mostBehindMs];
  return said.flatMap(([field, instant]) => {
    if (instant === null) return [];
    const ms = Date.parse(instant);
    if (ms <= latest && ms >= earliest) return [];
    const message = `La caja tiene mal la hora: dice ${dayOf(instant)} y llegó el ${dayOf(arrivedAt)}.`;
    return [{ ...finding(field, arrivedAt, instant, message), kind: "wrong_clock" as const }];
  });
}

export const dayOf = (instant: string) => dayText(bogotaDate(new Date(instant)));
