import type { Customer } from "../../business/customers/schema.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import {
  contentOfSale,
  type DocumentContent,
  type DocumentRegister,
  type SoldProduct,
} from "../content/document-content.ts";
import { buyerOf, loadBuyers, type UnsavedRecords } from "./buyers.ts";

/** What documents need besides the sales themselves: buyers, products, registers and devices. */
export interface SaleFacts {
  buyers: ReadonlyMap<string, Customer>;
  products: ReadonlyMap<string, SoldProduct>;
  /** By shift id. */
  registers: ReadonlyMap<string, DocumentRegister>;
  /** The ids of the devices that uploaded the sales, by sale id. */
  devices: ReadonlyMap<string, string>;
}

/** Devices are looked up only if the account has a numbering range for a single device. */
export async function loadSaleFacts(
  { servesPlaces }: { servesPlaces: boolean },
  write: Write,
  sales: readonly Sale[],
  unsaved: UnsavedRecords = {},
): Promise<SaleFacts> {
  if (sales.length === 0) return { buyers: new Map(), products: new Map(), registers: new Map(), devices: new Map() };
  const [buyers, products, registers, devices] = await Promise.all([
    loadBuyers(write, sales, unsaved.customers),
    loadProducts(write, sales, unsaved),
    loadRegisters(write, sales, unsaved),
    servesPlaces ? loadDevices(write, sales, unsaved) : new Map<string, string>(),
  ]);
  return { buyers, products, registers, devices };
}

export function contentWith(sale: Sale, { buyers, products, registers }: SaleFacts): DocumentContent {
  const register = registers.get(sale.cash_session_id ?? "") ?? null;
  return contentOfSale(sale, buyerOf(sale, buyers), { products, register });
}

/**
 * The content of a document that a register issued: as its sale says. A sale that is to get an invoice instead says it of
 * the invoice; of its POS document, `before` does, or else only the buyer is unknown.
 */
export function contentOfOther(
  { document_type }: Pick<Invoice, "document_type">,
  sale: Sale,
  facts: SaleFacts,
  before: Sale | null = null,
): DocumentContent {
  const document_kind = document_type === "electronic_invoice" ? "invoice" : "pos";
  if (sale.document_kind === document_kind) return contentWith(sale, facts);
  return contentWith(before ?? { ...sale, document_kind, customer_id: null }, facts);
}

/** The registers that a sale may count as being from: the device that sent it, and the one its shift names. */
export function registersOf(sale: Sale, { devices, registers }: SaleFacts): string[] {
  return [devices.get(sale.id), registers.get(sale.cash_session_id ?? "")?.id].filter((id) => typeof id === "string");
}

async function loadProducts(
  write: Write,
  sales: readonly Sale[],
  { products: fresh = new Map() }: UnsavedRecords,
): Promise<Map<string, SoldProduct>> {
  const ids = new Set(sales.flatMap(({ items }) => items.flatMap(({ product_id }) => product_id ?? [])));
  const found = new Map<string, SoldProduct>();
  if (ids.size === 0) return found;
  const { rows } = await write.client.query<{ id: string; unit: string; price: number }>(sql`
    select id, body->>'base_unit' as unit, (body->>'final_price')::bigint as price from products
    where account_id = ${write.accountId} and id = any(${[...ids]}::uuid[])`);
  for (const { id, unit, price } of rows) found.set(id, { unit, price });
  for (const id of ids) {
    const product = fresh.get(id);
    if (product) found.set(id, { unit: product.base_unit, price: product.final_price });
  }
  return found;
}

async function loadRegisters(
  write: Write,
  sales: readonly Sale[],
  { cashSessions: fresh = new Map() }: UnsavedRecords,
): Promise<Map<string, DocumentRegister>> {
  const ids = new Set(sales.flatMap(({ cash_session_id }) => cash_session_id ?? []));
  const found = new Map<string, DocumentRegister>();
  if (ids.size === 0) return found;
  const { rows } = await write.client.query<{ id: string; register_id: string; name: string; cashier: string }>(sql`
    select id, body->>'register_id' as register_id, body->>'register_name' as name, body->>'opened_by' as cashier
    from cash_sessions where account_id = ${write.accountId} and id = any(${[...ids]}::uuid[])`);
  for (const { id, register_id, name, cashier } of rows) found.set(id, registerNamed(register_id, name, cashier));
  for (const id of ids) {
    const session = fresh.get(id);
    if (session) found.set(id, registerNamed(session.register_id, session.register_name, session.opened_by));
  }
  return found;
}

function registerNamed(id: string | null, name: string, cashier: string | null): DocumentRegister {
  return { id, name: name.trim() || "Caja", cashier: cashier?.trim() || null };
}

async function loadDevices(
  write: Write,
  sales: readonly Sale[],
  { devices: fresh = new Map() }: UnsavedRecords,
): Promise<Map<string, string>> {
  const stored = sales.filter(({ id }) => !fresh.has(id)).map(({ id }) => id);
  if (stored.length === 0) return new Map(fresh);
  const { rows } = await write.client.query<{ id: string; device_id: string }>(sql`
    select id, device_id from sales
    where account_id = ${write.accountId} and id = any(${stored}::uuid[]) and device_id is not null`);
  return new Map([...fresh, ...rows.map((row): [string, string] => [row.id, row.device_id])]);
}
