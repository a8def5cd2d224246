import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { customers } from "../../business/customers/resource.ts";
import type { Customer } from "../../business/customers/schema.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Product } from "../../business/products/schema.ts";
import type { ReturnColumns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";

/** Records of the same write that are not in the tables yet, by id. */
export interface UnsavedRecords {
  customers?: ReadonlyMap<string, Customer>;
  invoices?: ReadonlyMap<string, Invoice>;
  products?: ReadonlyMap<string, Product>;
  cashSessions?: ReadonlyMap<string, CashSession>;
  /** The devices that uploaded the sales, by the sale's id. */
  devices?: ReadonlyMap<string, string>;
  /** All returns of a sale, by its id. */
  returns?: ReadonlyMap<string, readonly Stored<Return, ReturnColumns>[]>;
  /** Sales whose POS document an invoice is to replace, by id, as they were before; null where that is not known any more. */
  switched?: ReadonlyMap<string, Sale | null>;
}

/** The customers of the sales, by id; those not uploaded yet are missing. */
export async function loadBuyers(
  write: Write,
  sales: readonly Sale[],
  fresh: ReadonlyMap<string, Customer> = new Map(),
): Promise<Map<string, Customer>> {
  const ids = [...new Set(sales.flatMap(({ customer_id }) => (customer_id === null ? [] : [customer_id])))];
  if (ids.length === 0) return new Map();
  const stored = await loadMany(write.client, customers, write.accountId, ids);
  return new Map([...[...stored].map(([id, { body }]): [string, Customer] => [id, body]), ...fresh]);
}

export function buyerOf(sale: Sale, buyers: ReadonlyMap<string, Customer>): Customer | undefined {
  return sale.customer_id === null ? undefined : buyers.get(sale.customer_id);
}
