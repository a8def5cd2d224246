import type { Queryable } from "../../db/pool.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { type CostLine, costLinesOf } from "../sale-totals/cost-lines.ts";
import { moveCosts } from "../sale-totals/move-costs.ts";
import { moveTotals } from "../sale-totals/move-totals.ts";
import { forgetTaxDays } from "../sale-totals/tax-days.ts";
import { type Counted, type CountedLine, totalsOf, totalsTakenBack } from "../sale-totals/totals-of.ts";
import type { Sale } from "./schema.ts";

interface Entry<Body> {
  id: string;
  sale_id: string;
  device_id: string | null;
  /** The parts of the payment as JSON, where there are several. */
  payments: string | null;
  body: Body;
}

/** The sale as its day counted it, under its own id. */
export type CountedSale = Entry<Sale>;

/** What a correction takes back of what was counted until then, less than 0 for what it adds. */
export type Correction = Entry<
  Counted & {
    subtotal: number;
    tax_breakdown: readonly TaxTotal[];
    lines: readonly CountedLine[];
    rates: readonly TaxTotal[];
  }
>;

/** A corrected sale in the books. Less its corrections, what was counted is what the sale is worth now. */
export interface Books {
  counted: CountedSale;
  corrections: readonly Correction[];
}

/** Those of the corrected ones among these sales. */
export async function readBooks(
  db: Queryable,
  accountId: string,
  saleIds: readonly string[],
): Promise<Map<string, Books>> {
  if (saleIds.length === 0) return new Map();
  const { rows } = await db.query<Omit<CountedSale | Correction, "body"> & { body: string }>(sql`
    select id, sale_id, device_id, payments, body from sale_corrections
    where account_id = ${accountId} and sale_id = any(${[...saleIds]}::uuid[]) order by occurred_at, id`);
  const bySale = Map.groupBy(rows, ({ sale_id }) => sale_id);
  return new Map(
    [...bySale].flatMap(([saleId, some]): [string, Books][] => {
      const entries = some.map((row) => ({ ...row, body: JSON.parse(row.body) as unknown }));
      const counted = entries.find(({ id }) => id === saleId) as CountedSale | undefined;
      const corrections = entries.filter(({ id }) => id !== saleId) as Correction[];
      return counted ? [[saleId, { counted, corrections }]] : [];
    }),
  );
}

const insertText = `
  insert into sale_corrections (account_id, id, sale_id, occurred_at, device_id, cash_session_id, payments, body)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

export function insertEntry(
  accountId: string,
  { id, sale_id, device_id, payments, body }: CountedSale | Correction,
): Statement {
  const { occurred_at, cash_session_id } = body;
  const values = [accountId, id, sale_id, occurred_at, device_id, cash_session_id, payments, JSON.stringify(body)];
  return prepared(insertText, values);
}

/** Stores what is new in the books, and counts it. The sale itself no longer counts, which its own totals take off. */
export function storeBooks(
  { accountId, seq, at }: { accountId: string; seq: number; at: Date },
  made: readonly (CountedSale | Correction)[],
): Statement[] {
  const changes = made.map((entry) => ({ before: undefined, after: totalsOfEntry(entry), seq, at }));
  const days = [...new Set(made.map(({ body }) => bogotaDate(new Date(body.occurred_at))))];
  return [
    ...made.map((entry) => insertEntry(accountId, entry)),
    ...moveTotals(accountId, changes),
    ...moveCosts(
      accountId,
      made.map((entry) => ({ before: [], after: costsOfEntry(entry), at })),
    ),
    ...forgetTaxDays(accountId, days),
  ];
}

function totalsOfEntry({ body, ...beside }: CountedSale | Correction) {
  return "items" in body ? totalsOf(body, body.items, beside) : totalsTakenBack(body, body.lines, beside);
}

export function costsOfEntry({ id, sale_id, body }: CountedSale | Correction): CostLine[] {
  if (!("items" in body)) return costLinesOf({ id, kind: "correction", sale_id, body, lines: body.lines });
  return costLinesOf({ id, kind: "sale", sale_id, customer_id: body.customer_id, body, lines: body.items });
}
