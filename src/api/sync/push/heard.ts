import { plainArray } from "../../../db/arrays.ts";
import { sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { day, minute, second } from "../../../lib/clock.ts";

/** A register that was away for longer is not asked what it knew: the days of receipts that are read stay few. */
const longAgoMs = 7 * day;

/** It was in touch this long before: what it uploads and what it receives take different ways. */
const heardBeforeMs = minute;

/** A register that has just been linked sells what it downloaded, whatever it says of when: nothing stood on its ticket before. */
const beforeFirstMs = 10 * minute;

/** Whether a register had received a change of the account, by its seq, when something of this time was done. */
export type Heard = (seq: number, atMs: number) => boolean;

/** From when on it counts: since the business has cashiers, of whom the register must know; or whatever it knows of them. */
type From = "cashiers" | "ever";

/**
 * What a register had heard of by each of these times, once the business had cashiers or ever: it had if it was in touch after the change and
 * before the time, or had downloaded the change itself. One pass over its receipts finds the first one after each change, however many times
 * and changes are asked for.
 */
export async function readHeard(
  { client, accountId }: Write,
  deviceId: string,
  seqs: readonly number[],
  times: readonly number[],
  from: From = "cashiers",
): Promise<Heard> {
  const changes = [...new Set(seqs)].sort((a, b) => a - b);
  const [earliest, latest] = times.reduce(
    ([min, max], ms) => [Math.min(min, ms), Math.max(max, ms)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const { rows } = await client.query<{ passed: number; first: Date }>(sql`
    select passed, min(at) as first from (
      select width_bucket(seq, ${plainArray(changes)}::bigint[]) as passed, created_at as at, created_at as heard_at
      from push_receipts where account_id = ${accountId} and device_id = ${deviceId}
        and created_at > ${new Date(earliest - longAgoMs)} and created_at < ${new Date(latest - heardBeforeMs)}
      union all select width_bucket(heard_seq, ${plainArray(changes)}::bigint[]), heard_at, heard_at
      from device_progress where account_id = ${accountId} and device_id = ${deviceId} and heard_at is not null
      union all select width_bucket(first_heard_seq, ${plainArray(changes)}::bigint[]),
        first_heard_at - make_interval(secs => ${(beforeFirstMs + heardBeforeMs) / second}), first_heard_at
      from device_progress where account_id = ${accountId} and device_id = ${deviceId} and first_heard_at is not null) known
    where ${from === "ever"} or heard_at >=
      (select min(created_at) from cashiers where account_id = ${accountId} and deleted_at is null)
    group by 1`);
  const firstAfter = new Map(
    changes.map((seq, i) => {
      const after = rows.filter(({ passed }) => passed > i).map(({ first }) => first.getTime());
      return [seq, Math.min(...after)];
    }),
  );
  return (seq, atMs) => (firstAfter.get(seq) ?? Number.POSITIVE_INFINITY) < atMs - heardBeforeMs;
}
