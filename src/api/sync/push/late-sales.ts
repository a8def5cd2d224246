import { sql } from "../../../db/sql.ts";
import type { FiscalFinding } from "../../../fiscal/findings/fiscal-finding.ts";
import { day, hour } from "../../../lib/clock.ts";
import { behindUtcMs, bogotaDate } from "../../../taxes/bogota-time.ts";
import { dayText, grouped } from "../../../taxes/words.ts";
import type { WorkingSet } from "./working-set.ts";

/** A sale of before midnight may arrive a moment after it. */
const shortlyMs = hour;

/** When the day of an instant began in Colombia, in ms. */
const dayBegan = (at: Date) => Math.floor((at.getTime() - behindUtcMs) / day) * day + behindUtcMs;

interface Late {
  count: number;
  total: number;
  first: string;
  last: string;
}

/**
 * What arrived of days that were over: their sums have grown since somebody looked at them. Told once for each register and day of
 * arrival, with all that it brought that day.
 */
export async function lateSales(batch: WorkingSet, register: () => Promise<string>): Promise<FiscalFinding[]> {
  const { write, deviceId } = batch;
  const began = new Date(dayBegan(write.at));
  const latest = new Date(Math.min(began.getTime(), write.at.getTime() - shortlyMs));
  const own = batch.events.flatMap(({ type, body }) => (type === "sale.created" ? [body] : []));
  const news = own.flatMap(({ id }) => {
    const sale = batch.recordSets.sales.get(id)?.body;
    const isOdd = batch.flags.get({ type: "sale", id, deviceSeq: 0 }).some(({ kind }) => kind === "wrong_clock");
    return sale && !isOdd && sale.status === "completed" && new Date(sale.occurred_at) < latest ? [sale] : [];
  });
  if (news.length === 0) return [];
  const { rows } = await write.client.query<Late & { first: string | null }>(sql`
    select count(*)::int as count, coalesce(sum(total), 0)::bigint as total, min(occurred_at)::text as first, max(occurred_at)::text as last
    from sales where account_id = ${write.accountId} and device_id = ${deviceId} and created_at >= ${began}
      and occurred_at < ${began} and occurred_at < created_at - interval '1 hour' and status = 'completed'
      and occurred_at > created_at - interval '400 days'`);
  const before = rows[0];
  const known = before?.first ? [before.first, before.last] : [];
  const days = [...known, ...news.map(({ occurred_at }) => occurred_at)].map((at) => bogotaDate(new Date(at))).sort();
  const count = news.length + (before?.count ?? 0);
  const total = news.reduce((sum, one) => sum + one.total, Number(before?.total ?? 0));
  const [first, last] = [days[0]!, days.at(-1)!];
  const span = first === last ? `del ${dayText(first)}` : `del ${dayText(first)} al ${dayText(last)}`;
  const sales = count === 1 ? "1 venta" : `${grouped(count)} ventas`;
  const over = first === last ? "ese día ya había terminado" : "esos días ya habían terminado";
  return [
    {
      ...{ kind: "late_sales", subject: `${deviceId} ${bogotaDate(write.at)}`, gravity: "warning" },
      ...{ saleId: count === 1 ? news[0]!.id : null, invoiceId: null },
      message: `${await register()} subió el ${dayText(bogotaDate(write.at))} ${sales} por $${grouped(total)} ${span}: ${over}.`,
      nextStep:
        "Ya cuentan en su día: si había sacado cuentas, mírelas otra vez. Si la caja pasa días sin conexión, revise su red.",
    },
  ];
}
