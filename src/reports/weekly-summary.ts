import { averageOf } from "../business/sale-totals/definition.ts";
import { ofAllAccounts, type Part } from "../db/nodes.ts";
import type { Queryable } from "../db/pool.ts";
import { prepared, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { hour, minute } from "../lib/clock.ts";
import { must } from "../lib/must.ts";
import { runEvery } from "../lib/run-every.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { weeklySummaryMail } from "../mail/templates.ts";
import { bogotaDate } from "../taxes/bogota-time.ts";
import { addDays, mondayOf } from "./period.ts";
import { readSalesReport } from "./sales-report.ts";

/** Monday at seven in Colombia: late sales of Sunday have arrived, and the owner has not opened yet. */
const sentAfterMidnightMs = 7 * hour;
const batchSize = 50;

/** The Monday of the newest week whose summary is due. */
function dueWeek(now: Date): string {
  return addDays(mondayOf(bogotaDate(new Date(now.getTime() - sentAfterMidnightMs))), -7);
}

export async function readWeeklySummary(db: Queryable, accountId: string): Promise<{ active: boolean }> {
  const { rowCount } = await db.query(sql`select 1 from weekly_summaries where account_id = ${accountId}`);
  return { active: rowCount !== 0 };
}

/** The first mail comes next Monday: weeks that ended before it was asked for are not sent. */
export async function setWeeklySummary(db: Queryable, accountId: string, active: boolean, now: Date): Promise<void> {
  await db.query(
    active
      ? sql`insert into weekly_summaries (account_id, since, sent_for) values (${accountId}, ${now}, ${dueWeek(now)})
          on conflict (account_id) do nothing`
      : sql`delete from weekly_summaries where account_id = ${accountId}`,
  );
}

/** Queues the summaries that are due and returns how many. Several processes may try: each account is taken by one. */
export async function mailWeeklySummaries(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  const week = dueWeek(now);
  await deps.partitions.ensure(now);
  const due = await ofAllAccounts(deps.pool, async (part) => {
    const values = [week, batchSize, ...part.values];
    return (await deps.pool.query<{ account_id: string; name: string }>(prepared(dueText(part), values))).rows;
  });
  let mailed = 0;
  for (const { account_id, name } of due) if (await mailSummary(deps, account_id, name, week, now)) mailed += 1;
  if (mailed > 0) deps.mail?.emit();
  return due.length >= batchSize ? mailed + (await mailWeeklySummaries(deps)) : mailed;
}

const dueText = (part: Part) => `
  select s.account_id, a.name from weekly_summaries s join accounts a on a.id = s.account_id
  where s.sent_for < $1 and a.active and ${part.of("s.account_id", 3)} order by s.account_id limit $2`;

/** The mark and the mail commit together. Returns false if another process was faster. */
async function mailSummary(deps: CoreDeps, accountId: string, name: string, week: string, now: Date): Promise<boolean> {
  return transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(sql`
      update weekly_summaries set sent_for = ${week} where account_id = ${accountId} and sent_for < ${week}`);
    if (rowCount === 0) return false;
    const facts = await readFacts(client, accountId, week);
    const mail = { name, from: named(week), to: named(addDays(week, 6)), facts };
    await queueMail(client, accountId, now, weeklySummaryMail(deps.config.publicUrl, mail));
    return true;
  });
}

async function readFacts(db: Queryable, accountId: string, from: string): Promise<string[]> {
  const period = { from, to: addDays(from, 6) };
  const before = { from: addDays(from, -7), to: addDays(from, -1) };
  const days = await readSalesReport(db, accountId, { by: "day", ...period });
  const { tickets, gross, returned, net, tax, tip } = days.totals;
  const past = (await readSalesReport(db, accountId, { by: "day", ...before })).totals;
  if (tickets === 0 && returned === 0) return ["No llegó ninguna venta de esa semana."];
  const best = days.rows.reduce((most, row) => (row.net > most.net ? row : most));
  const products = (await readSalesReport(db, accountId, { by: "product", ...period })).rows;
  const favourite = products.find(({ label }) => label !== null);
  return [
    `Ventas netas: ${pesos(net)}${comparison(net, past.net)}`,
    ...(returned === 0 ? [] : [`Ventas brutas: ${pesos(gross)}, menos devoluciones: ${pesos(returned)}`]),
    `Ventas: ${tickets.toLocaleString("es-CO")}`,
    `Venta promedio: ${pesos(averageOf(days.totals))}`,
    `Impuestos: ${pesos(tax)}`,
    ...(tip === 0 ? [] : [`Propinas: ${pesos(tip)}`]),
    `El mejor día: ${named(must(best.key, "A group of a report by day has its day"))}, con ${pesos(best.net)}`,
    ...(favourite ? [`El producto que más vendió: ${favourite.label}, con ${pesos(favourite.total)}`] : []),
  ];
}

function comparison(now: number, before: number): string {
  if (before <= 0) return "";
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return " (igual que la semana anterior)";
  return ` (${Math.abs(change)} % ${change > 0 ? "más" : "menos"} que la semana anterior)`;
}

const pesosFormat = new Intl.NumberFormat("es-CO", { style: "currency", currency: "COP", maximumFractionDigits: 0 });
const pesos = (value: number) => pesosFormat.format(value);
const dayFormat = new Intl.DateTimeFormat("es-CO", { day: "numeric", month: "long", timeZone: "UTC" });
const named = (date: string) => dayFormat.format(new Date(`${date}T00:00:00Z`));

/** A look costs one index scan. */
const lookEveryMs = 10 * minute;

export function startWeeklySummaries(deps: CoreDeps): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    lookEveryMs,
    () => mailWeeklySummaries(deps),
    (error) => deps.log.warn({ err: error }, "weekly summaries not mailed; trying again shortly"),
  );
}
