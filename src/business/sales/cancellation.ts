import { prepared, type Statement } from "../../db/sql.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import { costLinesOf } from "../sale-totals/cost-lines.ts";
import { moveCosts } from "../sale-totals/move-costs.ts";
import { moveTotals } from "../sale-totals/move-totals.ts";
import { type Counted, type CountedLine, totalsTakenBack } from "../sale-totals/totals-of.ts";
import type { SaleColumns } from "./resource.ts";
import type { Sale } from "./schema.ts";

/** What is taken back, in the fields that a return has too. */
type Worth = Pick<Sale, "subtotal" | "discount" | "tax" | "tip_amount" | "total" | "tax_breakdown"> & {
  lines: readonly CountedLine[];
};

/** The cancellation of a sale that counted. It never changes, so neither do its day nor the sale's. */
export interface Cancellation {
  sale_id: string;
  device_id: string | null;
  payments: string | null;
  body: Counted & Worth;
}

/**
 * What the cancellation of a completed sale takes back: what returns have left of it. What comes before them goes back by the
 * means of the sale; after them, by its largest, because nobody says otherwise.
 */
export function cancellationOf(
  { body: sale, device_id, payments }: Stored<Sale, SaleColumns>,
  rest: Worth | undefined,
  { at, cash_session_id }: { at: Date; cash_session_id: string | null },
): Cancellation {
  const { subtotal, discount, tax, tip_amount, total, tax_breakdown, items } = sale;
  const worth: Worth = rest ?? { subtotal, discount, tax, tip_amount, total, tax_breakdown, lines: items };
  // It cannot have been cancelled before it was sold, whatever a clock says.
  const occurredMs = Math.max(at.getTime(), Date.parse(sale.occurred_at));
  return {
    sale_id: sale.id,
    device_id: device_id ?? null,
    payments: rest ? null : (payments ?? null),
    body: {
      occurred_at: new Date(occurredMs).toISOString(),
      cash_session_id,
      payment_method: sale.payment_method,
      ...{ subtotal: worth.subtotal, discount: worth.discount, tax: worth.tax, tip_amount: worth.tip_amount },
      ...{ total: worth.total, tax_breakdown: worth.tax_breakdown },
      lines: worth.lines,
      ...(sale.location_id && { location_id: sale.location_id }),
    },
  };
}

const insertText = `
  insert into sale_cancellations (account_id, sale_id, occurred_at, device_id, cash_session_id, payments, body)
  values ($1, $2, $3, $4, $5, $6, $7)`;

export function insertCancellation(accountId: string, { sale_id, device_id, payments, body }: Cancellation): Statement {
  const { occurred_at, cash_session_id } = body;
  const values = [accountId, sale_id, occurred_at, device_id, cash_session_id, payments, JSON.stringify(body)];
  return prepared(insertText, values);
}

/** Stores them, and takes off the totals what they take back. */
export function storeCancellations(
  { accountId, seq, at }: { accountId: string; seq: number; at: Date },
  made: readonly Cancellation[],
): Statement[] {
  const changes = made.map(({ body, ...beside }) => ({
    before: undefined,
    after: totalsTakenBack(body, body.lines, beside),
    seq,
    at,
  }));
  const stored = made.map((one) => insertCancellation(accountId, one));
  const costs = made.map(({ sale_id, body }) => ({
    ...{ before: [], at },
    after: costLinesOf({ id: sale_id, kind: "cancellation", sale_id, body, lines: body.lines }),
  }));
  return [...stored, ...moveTotals(accountId, changes), ...moveCosts(accountId, costs)];
}
