import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { allRights } from "../../src/business/counter/rights.ts";
import { sql } from "../../src/db/sql.ts";
import { plainSale } from "./fiscal.ts";
import { openPortal } from "./portal.ts";
import { enrol, remoteEdit, type Till, upload } from "./register.ts";
import type { Service } from "./service.ts";

export const hourMs = 3_600_000;
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
/** Two minutes after the register was in touch, by its own clock. */
export const now = () => ago(-120_000);

export type Fields = Record<string, unknown>;
export const atCounter = [remoteEdit, "product.codes.1", "business.down.1", "return.1", "counter_act.1"];

export const bread = {
  ...{ name: "Pan", sku: "PAN", base_price: 5_000, final_price: 5_000, tax_class: "excluded", base_unit: "und" },
  ...{ sold_by_weight: false, active: true, sellable: true, variants: [] },
};

/** What tests of acts at a counter do in a business of their own. */
export function atCounters(service: Service) {
  /** A business that has had cashiers for a day, a product for longer, and a register that is in touch since `made`. */
  async function shop(product: Fields = {}, capabilities = atCounter, made?: string) {
    const owner = await openPortal(service);
    const { accountId } = owner;
    const { pool } = service.deps;
    const person = async (name: string, permissions: typeof allRights) =>
      (await createCashier(service.deps, accountId, { name, pin: "4821", permissions }, theOperator))!.id;
    const [ana, luz] = [await person("Ana", []), await person("Luz", allRights)];
    await pool.query(sql`
      update cashiers set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day' where account_id = ${accountId}`);
    const till = await enrol(service, accountId, { capabilities, clock: () => service.deps.clock.now() });
    const productId = randomUUID();
    await till.put(
      "product",
      { ...bread, ...product },
      { id: productId, ...(made && { ...(made && { edited_at: made }) }) },
    );
    await till.put("customer", { name: "Cliente" }, made ? { edited_at: made } : {});
    return { accountId, owner, till, productId, ana, luz };
  }

  /** A sale of so many at a price, as the counter uploads it. */
  async function sellAt(
    { till, productId }: { till: Till; productId: string },
    price: number,
    {
      quantity = 1,
      at = now(),
      beside = {},
      fields = {},
      line = {},
    }: { quantity?: number; at?: string; beside?: object; fields?: Fields; line?: Fields } = {},
  ): Promise<string> {
    const sale = plainSale(at, price * quantity, fields);
    const items = sale.items.map((item) => ({
      ...item,
      ...{ product_id: productId, item_kind: "product", quantity, unit_price: price, subtotal: price * quantity },
      ...line,
    }));
    const movement = { product_id: productId, quantity, type: "sale", origin_type: "sale", sale_id: sale.id };
    const { body } = await till.push([
      { type: "sale", id: sale.id, data: { ...upload(sale), items }, edited_at: at, ...beside },
      { type: "stock_movement", data: movement },
    ]);
    expect(body.results?.[0] ?? body).toMatchObject({ status: "applied" });
    return sale.id;
  }

  async function rightsIn(accountId: string, id: string): Promise<string[]> {
    const { rows } = await service.deps.pool.query(sql`
      select findings from flagged_records where account_id = ${accountId} and record_id = ${id}`);
    const findings: { field: string; message: string }[] = rows[0] ? JSON.parse(rows[0].findings) : [];
    return findings.flatMap(({ field, message }) => (field.startsWith("rights.") ? [message] : []));
  }

  const toldOf = async (accountId: string) =>
    (await readActs(service.deps.pool, accountId, {}, 100))
      .filter(({ is_allowed }) => !is_allowed)
      .map(({ kind, cashier, sale_id, amount }) => ({ kind, cashier, sale_id, amount }));

  return { shop, sellAt, rightsIn, toldOf };
}
