import type { CashSession } from "../../src/business/cash-sessions/schema.ts";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import type { Return } from "../../src/business/returns/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { isNote } from "../../src/business/sales/summary.ts";
import type { ApiClient } from "./client.ts";
import type { Portal } from "./portal.ts";
import type { Service } from "./service.ts";

/** A shop, and what its registers know. */
export interface Floor {
  service: Service;
  accountId: string;
  api: ApiClient;
  owner: Portal;
  productIds: string[];
  sold: { sale: Sale; register: number }[];
  /** What the registers moved, by product. */
  moved: Map<string, number>;
  shift: CashSession;
}

interface Books {
  sale: Sale;
  documents: Invoice[];
  returns: Return[];
}

/** At any moment: at most one document of a sale is valid, and what is valid never exceeds what was sold. */
export async function documentProblems(floor: Floor): Promise<string[]> {
  return (await readBooks(floor)).flatMap(({ sale, documents, returns }) => {
    const own = documents.filter((one) => !isNote(one));
    const valid = own.filter(({ status }) => status === "issued");
    const value = acceptedValue(documents);
    const refunded = sum(returns.map(({ total }) => total));
    return [
      ...(valid.length > 1 ? [`sale ${sale.id} has ${valid.length} valid documents`] : []),
      ...(value < 0 || value > sale.total ? [`documents of sale ${sale.id} are worth ${value} of ${sale.total}`] : []),
      ...(refunded > sale.total ? [`sale ${sale.id}: ${refunded} of ${sale.total} were given back`] : []),
      ...sale.items.flatMap(({ id, quantity }) => {
        const back = sum(
          returns.flatMap(({ lines }) => lines).map((line) => (line.item_id === id ? line.quantity : 0)),
        );
        return back > quantity ? [`line ${id}: ${back} of ${quantity} came back`] : [];
      }),
    ];
  });
}

/** When everything is decided: documents less notes are what the sale is worth, and stock and cash are the sums. */
export async function settledProblems(floor: Floor): Promise<string[]> {
  const books = await readBooks(floor);
  const problems = books.flatMap(({ sale, documents, returns }) => {
    const isDecided = documents.every(({ status }) => status === "issued" || status === "annulled");
    const pending = documents.filter(({ status }) => status === "pending");
    const worth = sale.status === "cancelled" ? 0 : sale.total - sum(returns.map(({ total }) => total));
    const value = acceptedValue(documents);
    const kinds = documents.map((one) => `${one.document_type} ${one.status} ${one.total}`).join(", ");
    return [
      ...(pending.length > 0 ? [`sale ${sale.id} still has pending documents: ${kinds}`] : []),
      ...(sale.status === "completed" && documents.length === 0 ? [`sale ${sale.id} has no document`] : []),
      ...(documents.length > 0 && isDecided && value !== worth
        ? [`sale ${sale.id} (${sale.status}) is worth ${worth}, its documents ${value}: ${kinds}`]
        : []),
    ];
  });
  const returns = books.flatMap((one) => one.returns);
  for (const [i, id] of floor.productIds.entries()) {
    const back = sum(returns.flatMap(({ lines }) => lines).map((line) => (line.product_id === id ? line.quantity : 0)));
    const { stock } = (await floor.api.get(`/products/${id}`)).body;
    const expected = (floor.moved.get(id) ?? 0) + back;
    if (stock !== expected) problems.push(`product ${i} has ${stock} in stock, moved ${expected}`);
  }
  const refunds = sum(returns.map((one) => (one.cash_session_id === floor.shift.id ? one.total : 0)));
  const { cash_refunds, expected_amount } = (await floor.api.get(`/cash-sessions/${floor.shift.id}`)).body;
  const expected = floor.shift.opening_amount + floor.shift.cash_sales - refunds;
  if (cash_refunds !== refunds || expected_amount !== expected)
    problems.push(`the shift gave back ${cash_refunds} of ${refunds} and expects ${expected_amount} of ${expected}`);
  return problems;
}

/** What the accepted documents of a sale say it is worth. */
function acceptedValue(documents: readonly Invoice[]): number {
  const accepted = documents.filter(({ status }) => status === "issued" || status === "annulled");
  return sum(accepted.map((one) => (isNote(one) ? -one.total : one.total)));
}

async function readBooks({ service, accountId, sold }: Floor): Promise<Books[]> {
  const { pool } = service.deps;
  const ids = sold.map(({ sale }) => sale.id);
  const bodies = async <B>(text: string): Promise<B[]> => {
    const { rows } = await pool.query<{ body: string }>(text, [accountId, ids]);
    return rows.map(({ body }) => JSON.parse(body) as B);
  };
  const [sales, documents, returns] = await Promise.all([
    bodies<Sale>("select body from sales where account_id = $1 and id = any($2)"),
    bodies<Invoice>("select body from invoices where account_id = $1 and sale_id = any($2) order by created_at, id"),
    bodies<Return>("select body from returns where account_id = $1 and sale_id = any($2) order by seq, id"),
  ]);
  return sales.map((sale) => ({
    sale,
    documents: documents.filter(({ sale_id }) => sale_id === sale.id),
    returns: returns.filter(({ sale_id }) => sale_id === sale.id),
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
