/**
 * What the words mean that every page, paper, file and mail uses for what was sold. docs/guide/cifras.md says the same to an owner.
 *
 * A sale counts on the day it occurred, from when it is completed; a cancellation or a return on the day it happened. What a register
 * changes of a sale whose day or shift is over is a correction, and counts when it was made. Of all of
 * them only what is neither a tip nor collected for third parties is sales. Each part of a payment counts under its own means.
 */
export interface SaleSums {
  /** How many were sold; those taken back later count too. */
  tickets: number;
  /** Ventas brutas: discounts taken off, taxes included. */
  gross: number;
  /** Devoluciones: what returns, cancellations and corrections took back of it; less than 0 where corrections gave more. */
  returned: number;
  /** Ventas netas: gross − returned. Of these sales are the four below; what was taken back is not in them. */
  net: number;
  tax: number;
  discount: number;
  tip: number;
  passthrough: number;
  /** Recibido: net + tip + passthrough, which is what the means of payment add up to. */
  received: number;
}

/** What records add up to: sales, or what takes them back. */
export interface RecordSums {
  total: number;
  tax: number;
  discount: number;
  tip: number;
  passthrough: number;
}

/** The part of some money that is sales. */
export function salesIn({ total, tip, passthrough }: Pick<RecordSums, "total" | "tip" | "passthrough">): number {
  return total - tip - passthrough;
}

export function sumsOf(tickets: number, sold: RecordSums, back: RecordSums): SaleSums {
  const [gross, returned] = [salesIn(sold), salesIn(back)];
  const left = (name: keyof RecordSums) => sold[name] - back[name];
  return {
    ...{ tickets, gross, returned, net: gross - returned },
    ...{ tax: left("tax"), discount: left("discount"), tip: left("tip"), passthrough: left("passthrough") },
    received: left("total"),
  };
}

/** Venta promedio: of what was sold, before anything was taken back. */
export function averageOf({ gross, tickets }: Pick<SaleSums, "gross" | "tickets">): number {
  return tickets === 0 ? 0 : Math.round(gross / tickets);
}

const net = "sum(total) - sum(tip) - sum(passthrough)";

/** The same of the kept totals, whose rows have what is left after returns, as SQL. */
export const keptSums = `sum(tickets) as tickets, ${net} + sum(returned) as gross, sum(returned) as returned, ${net} as net,
  sum(tax) as tax, sum(discount) as discount, sum(tip) as tip, sum(passthrough) as passthrough, sum(total) as received`;

export const noSums: SaleSums = {
  ...{ tickets: 0, gross: 0, returned: 0, net: 0, tax: 0, discount: 0, tip: 0, passthrough: 0, received: 0 },
};

export function addSums(rows: readonly SaleSums[]): SaleSums {
  const all = { ...noSums };
  for (const row of rows) for (const name of Object.keys(all) as (keyof SaleSums)[]) all[name] += row[name];
  return all;
}

interface Sold {
  status: string;
  settled?: readonly string[] | null | undefined;
}

/** Whether a sale counts: it is completed, or it was when it was cancelled, and then its cancellation takes it back. */
export function isSold({ status, settled }: Sold): boolean {
  return status === "completed" || (status === "cancelled" && (settled?.includes("cancelled") ?? false));
}

/** Whether it counts as its register has it. Otherwise `sale_corrections` has it as its day counted it, and what was corrected since. */
export function countsAsItIs(sale: Sold): boolean {
  return isSold(sale) && !sale.settled?.includes("corrected");
}

export function isSoldSql(sale: string): string {
  return `(${sale}.status = 'completed' or (${sale}.status = 'cancelled' and coalesce('cancelled' = any(${sale}.settled), false)))`;
}

/** The sede of what has no column for it, as SQL: null for the first. */
function placeIn(body: string): string {
  return `nullif((${body}->>'location_id')::uuid, account_id) as location_id`;
}

/** Sales as the books have them, as SQL. Of `sale_corrections` the row with the sale's own id is the sale as it was counted. */
export const soldSales = `(
  select s.account_id, s.id, s.occurred_at, s.device_id, s.cash_session_id, s.location_id, s.payments, s.body
  from sales s where ${isSoldSql("s")} and not coalesce('corrected' = any(s.settled), false)
  union all
  select account_id, id, occurred_at, device_id, cash_session_id, ${placeIn("body")}, payments, body
  from sale_corrections where id = sale_id)`;

const thirdParties = "passthrough";

/** What lines collect for third parties. No discount lowers it. */
export function passthroughOf(lines: readonly { tax_class: string; subtotal: number }[]): number {
  return lines.reduce((sum, { tax_class, subtotal }) => (tax_class === thirdParties ? sum + subtotal : sum), 0);
}

export function passthroughSql(lines: string): string {
  return `coalesce((select sum((l->>'subtotal')::numeric) from json_array_elements(${lines}) as l
    where l->>'tax_class' = '${thirdParties}'), 0)`;
}

export interface PaymentPart {
  payment_method: string;
  amount: number;
}

/** The means of a sale or a refund. Parts count when they add up to the total, which the register may have got wrong. */
export function paymentParts(
  { total, payment_method }: { total: number; payment_method: string },
  payments: string | null | undefined,
): PaymentPart[] {
  const parts = payments ? (JSON.parse(payments) as PaymentPart[]) : [];
  const isWhole = parts.length > 0 && parts.reduce((sum, { amount }) => sum + amount, 0) === total;
  return isWhole ? parts : [{ payment_method, amount: total }];
}

/** Which part carries what a sale has once: its ticket, its taxes, its tip. The published means, or else the first. */
export function mainPart(parts: readonly PaymentPart[], published: string): number {
  return Math.max(
    0,
    parts.findIndex(({ payment_method }) => payment_method === published),
  );
}

/**
 * The same as rows of SQL: payment_method, amount, is_main. `body` is the record's JSON, `payments` its parts as JSON text or null. Where
 * they do not count, a null stands for the whole. Citus asks all nodes at once only without a union, a built list or a query in a condition.
 */
export function paymentPartsSql(body: string, payments: string): string {
  const parts = `coalesce(${payments}, '[]')::json`;
  const told = (part: string, whole: string) =>
    `case when is_whole then part->>'${part}' else ${body}->>'${whole}' end`;
  const method = told("payment_method", "payment_method");
  return `(select ${method} as payment_method, (${told("amount", "total")})::numeric as amount,
      row_number() over (order by ${method} is distinct from ${body}->>'payment_method', place) = 1 as is_main
    from (select sum((part->>'amount')::numeric) is not distinct from (${body}->>'total')::numeric as is_whole
      from json_array_elements(${parts}) as part) added
    cross join lateral json_array_elements(case when is_whole then ${parts} else '[null]' end) with ordinality as p(part, place))`;
}

/** What takes sales back: returns of sales that count, cancellations and corrections. As SQL: one row each, `body` like a return's. */
export const reversals = `(
  select r.account_id, r.id, r.sale_id, 'return' as kind, r.occurred_at, r.device_id, r.cash_session_id, r.location_id, r.payments, r.body
  from returns r join sales s on s.account_id = r.account_id and s.id = r.sale_id where ${isSoldSql("s")}
  union all
  select account_id, md5(sale_id::text)::uuid, sale_id, 'cancellation', occurred_at, device_id, cash_session_id, ${placeIn("body")}, payments, body
  from sale_cancellations
  union all
  select account_id, id, sale_id, 'correction', occurred_at, device_id, cash_session_id, ${placeIn("body")}, payments, body
  from sale_corrections where id <> sale_id)`;
