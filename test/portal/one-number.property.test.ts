import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { addDays, mondayOf } from "../../src/reports/period.ts";
import { mailWeeklySummaries } from "../../src/reports/weekly-summary.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { checkPeriod, checkShifts, checkToday, closeOf, closeOfShift, expectedSums } from "../support/day-checks.ts";
import { sharedService } from "../support/fixtures.ts";
import { longRun } from "../support/long-run.ts";
import { mailsTo } from "../support/portal.ts";
import { type Life, liveDays } from "../support/random-days.ts";
import { stopClock } from "../support/time.ts";

const dayCount = 20;
const { value: businesses } = longRun("ONE_NUMBER_BUSINESSES", process.env.LONG ? 100 : 10);
const service = sharedService(
  { RATE_LIMIT_PER_SECOND: "0" },
  { traffic: { portalPerSecond: 100_000, portalBurst: 1_000_000 } },
);
const pesos = new Intl.NumberFormat("es-CO", { style: "currency", currency: "COP", maximumFractionDigits: 0 });

test(`one word is one number on every page, paper, file and mail, over ${businesses * dayCount} random days`, {
  timeout: 120_000 + businesses * 30_000,
}, async () => {
  const now = new Date(`${bogotaDate(new Date())}T15:30:00-05:00`);
  const clock = stopClock(service, now);
  const lives: Life[] = [];
  const seeds = Array.from({ length: businesses }, (_, i) => i + 1).values();
  const live = async () => {
    for (const seed of seeds) lives.push(await checkedLife(seed, now));
  };
  await Promise.all([live(), live()]);
  expect((await verify(service.deps.pool)).problems).toEqual([]);

  const monday = addDays(mondayOf(bogotaDate(now)), 7);
  clock.moveTo(new Date(`${monday}T07:00:00-05:00`));
  await mailWeeklySummaries(service.deps);
  for (const { owner, entries } of lives.slice(-20)) {
    const week = entries.filter(({ day }) => day >= addDays(monday, -7) && day < monday);
    const { text } = (await mailsTo(service, owner.email)).find(({ subject }) => subject.includes("la semana del"))!;
    const { tickets, returned, net } = expectedSums(week);
    if (tickets > 0 || returned > 0) expect(text).toContain(`Ventas netas: ${pesos.format(net)}`);
  }
  const { rows } = await service.deps.pool.query(sql`select count(*)::int as count from quarantined_records`);
  expect(rows).toEqual([{ count: 0 }]);
});

async function checkedLife(seed: number, now: Date): Promise<Life> {
  const life = await liveDays(service, seed, { now, dayCount, dayEnded: closeOf, shiftEnded: closeOfShift });
  try {
    await checkToday(life);
    await checkShifts(life);
    await checkPeriod(life);
  } catch (error) {
    throw new Error(`business ${seed}: ${(error as Error).message}`, { cause: error });
  }
  await life.owner.put("/reports/weekly-summary", { active: true });
  return life;
}
