import { randomUUID } from "node:crypto";
import { newEntry } from "../../src/business/inventory/resource.ts";
import type { StockMovement } from "../../src/business/inventory/schema.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import type { RecordBody, Resource, Stored } from "../../src/engine/resources/resource.ts";

/** Records with private columns that do not follow from the body. */
const completed: Record<string, (body: RecordBody) => Stored<RecordBody>> = {
  product: (body) => ({ body, ...newLedger(0) }),
  stock_movement: (body) => newEntry(body as StockMovement, { from_api: false }),
};

/** No two of an account have the same. */
let numbered = 0;
const numberOf: Record<string, () => object> = {
  order: () => ({ status: "placed", accepted_at: null, number: ++numbered }),
  purchase: () => ({ number: ++numbered, invoice_number: `FV ${numbered}` }),
};

/** A new record of any kind: the example of its reference, under ids of its own. */
export function sampleRecord({ name, schema }: Resource, at: string, fields: object = {}): Stored<RecordBody> {
  const [example] = (schema as unknown as { examples: RecordBody[] }).examples;
  const own = { id: randomUUID(), ...numberOf[name]?.() };
  const ids = { ...own, ...("external_id" in example! && { external_id: randomUUID() }) };
  const body = { ...structuredClone(example!), ...ids, created_at: at, updated_at: at, ...fields };
  return completed[name]?.(body) ?? { body };
}
