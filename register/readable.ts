import type { Change } from "./protocol.ts";

/**
 * Whether a record that came down has what a register reads of it, in the types it expects. Whatever answers in the service's place,
 * a screen draws texts as texts and computes with numbers; what is unreadable is left out and delays nothing else.
 */
export function isReadable({ type, deleted, data }: Pick<Change, "type" | "deleted" | "data">): boolean {
  if (deleted) return true;
  const check = checks[type];
  return isFields(data) && (check === undefined || check(data));
}

type Check = (value: unknown) => boolean;
type Fields = Record<string, unknown>;

const longestText = 20_000;
/** More than any price or sum; the tax module computes exactly far beyond it. */
const largest = 1e12;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text: Check = (value) => typeof value === "string" && value.length <= longestText;
const amount: Check = (value) => typeof value === "number" && Math.abs(value) <= largest;
const price: Check = (value) => amount(value) && (value as number) >= 0;
const wholePrice: Check = (value) => price(value) && Number.isInteger(value);
const flag: Check = (value) => typeof value === "boolean";
const orNone =
  (check: Check): Check =>
  (value) =>
    value === null || value === undefined || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const variant = shape({ id: text, label: text, sku: orNone(text), final_price: orNone(price), active: orNone(flag) });
const barcode = shape({
  ...{ code: text, name: orNone(text), price: orNone(price), variant_id: orNone(text) },
  units: (value) => amount(value) && (value as number) > 0,
});
export const isReadableCode: (value: unknown) => boolean = barcode;
const item = shape({ id: text, description: orNone(text), quantity: amount, unit_price: amount, subtotal: amount });
const orderItem = shape({
  ...{ product_id: text, variant_id: orNone(text), description: text, tax_class: text, notes: orNone(text) },
  ...{ quantity: amount, unit_price: price, discount: price, subtotal: price },
});
const named = shape({ name: text });
const sede = shape({
  ...{ id: text, name: text, address: orNone(text), phone: orNone(text) },
  ...{ ticket_header: orNone(text), ticket_footer: orNone(text), default_warehouse_id: orNone(text) },
});

const checks: Readonly<Record<string, Check>> = {
  product: shape({
    set: shape({
      name: text,
      sku: orNone(text),
      category_id: orNone(text),
      base_price: price,
      final_price: price,
      tax_class: text,
      active: flag,
      sellable: flag,
      variants: orNone(listOf(variant)),
      // Of these each is judged by itself: a product is sold without a code that cannot be read.
      barcodes: (value) => value === undefined || Array.isArray(value),
    }),
    init: shape({ kind: orNone(text), base_unit: text, sold_by_weight: flag }),
  }),
  erasure: shape({ customer_ids: listOf(text), sale_ids: listOf(text) }),
  category: named,
  warehouse: named,
  customer: shape({
    ...{ name: orNone(text), last_name: orNone(text), document_type: orNone(text), document_number: orNone(text) },
    ...{ email: orNone(text), phone: orNone(text) },
  }),
  quote: shape({
    ...{ status: text, prefix: orNone(text), number: orNone(amount), customer_name: orNone(text), notes: orNone(text) },
    ...{ total: amount, items: listOf(item), issued_at: text, expires_at: orNone(text) },
  }),
  order: shape({
    ...{ number: amount, status: text, source: text, created_at: text, updated_at: text, notes: orNone(text) },
    ...{ customer_id: orNone(text), sale_id: orNone(text), register_id: orNone(text), total: price },
    ...{ due_at: orNone(text), promised_at: orNone(text), accept_by: orNone(text), expires_at: orNone(text) },
    ...{ delivery_fee: price, discount: price, tip: price, items: listOf(orderItem) },
    ...{ rejected_reason: orNone(text), cancelled_reason: orNone(text), contact: orNone(shape({ name: text })) },
    fulfilment: shape({ type: text, address: orNone(text), notes: orNone(text), table: orNone(text) }),
    payment: orNone(shape({ status: text, method: orNone(text), reference: orNone(text), amount: price })),
  }),
  business: shape({
    ...{
      name: orNone(text),
      nit: orNone(text),
      regime: orNone(oneOf("iva", "inc", "none")),
      contingency: orNone(text),
    },
    ...{
      prices_include_tax: orNone(flag),
      ticket_header: orNone(text),
      ticket_footer: orNone(text),
      color: orNone(text),
    },
    ...{
      cash_rounding: orNone(price),
      tip_percent: orNone(price),
      blind_count: orNone(flag),
      ticket_mail: orNone(flag),
      lock_minutes: orNone(price),
      location: orNone(sede),
      document_links: orNone(shape({ url: text, account_id: text, key: text })),
      scale_labels: (value) => value === undefined || listOf(text)(value),
      bag_tax_by_year: (value) => value === undefined || (isFields(value) && Object.values(value).every(wholePrice)),
    },
  }),
  cashier: shape({ name: text, pin_hash: text, permissions: listOf(text), rights: orNone(listOf(text)) }),
  return: shape({
    ...{ id: text, sale_id: text, cash_session_id: orNone(text), payment_method: text, total: price },
    ...{ reason: orNone(text), occurred_at: text },
  }),
  invoice: shape({
    ...{ sale_id: orNone(text), document_type: text, status: text, prefix: orNone(text), number: orNone(amount) },
    ...{ cufe: orNone(text), dian_message: orNone(text), qr: orNone(text) },
  }),
};
