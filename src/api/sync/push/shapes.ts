import { Ajv, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { forMerged } from "../../../business/registry.ts";
import { instant, nullable, oneOf, uuid } from "../../../engine/resources/fields.ts";
import type { MergedResource } from "../../../engine/resources/resource.ts";
import { Type } from "../../../lib/schema.ts";
import { addFormats } from "../../http/validation.ts";
import { type RecordType, recordTypes } from "../protocol.ts";

/** A record is readable if its known fields have valid types. Unknown fields are ignored. */

const text = Type.String();
/** An enumerated value. Unknown values are accepted here and replaced later: see known-values.ts. */
const word = nullable(text);
/** What has the API's limit for amounts; see limit-values.ts. */
export const amountTitle = "amount";
const whole = Type.Integer({ title: amountTitle });
const safe = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const flag = Type.Boolean();
const percent = Type.Number({ minimum: -1e6, maximum: 1e6 });
const quantity = Type.Number({ minimum: -999_999_999, maximum: 999_999_999 });
const cost = Type.Number({ minimum: 0, title: amountTitle });
const list = (items: TSchema, maxItems = 2000) => Type.Array(items, { maxItems });

/** Fields are optional unless required here. Those that only a new record needs are checked when it is created. */
const shape = (fields: Record<string, TSchema>, required: readonly string[] = []) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", properties: fields, required: [...required] });

const tax = { code: text, rate: nullable(Type.Number()), per_unit: nullable(whole), base: whole, amount: whole };
const taxNeeds = ["code", "base", "amount"];
const totals = list(shape(tax, taxNeeds));
const lineTaxes = list(shape({ ...tax, name: nullable(text) }, taxNeeds));

const line = {
  id: uuid(),
  product_id: nullable(uuid()),
  variant_id: nullable(uuid()),
  item_kind: text,
  description: nullable(text),
  quantity,
  unit_price: whole,
  subtotal: whole,
  tax_class: text,
  taxes: nullable(lineTaxes),
};
const lineNeeds = ["id", "quantity", "unit_price", "subtotal"];

/** Read by themselves: see own-fields.ts. */
const own = { external_id: Type.Unsafe({}), metadata: Type.Unsafe({}) };

const prices = { base_price: whole, final_price: whole, percent_discount: percent };

const amounts = {
  subtotal: whole,
  discount: whole,
  discount_percent: percent,
  tax: whole,
  total: whole,
  tax_breakdown: nullable(totals),
  notes: nullable(text),
};

/** The schema of a resource merged field by field: its published types, without limits and enumerations. */
function plainShape({ schema, merged, isDeletable }: MergedResource): TSchema {
  const published = Object.entries<Published>(schema.properties).filter(([name]) => name in merged.defaults);
  const fields = published.map(
    ([name, property]) => [name, name in own ? own[name as keyof typeof own] : readable(property)] as const,
  );
  return shape({ ...Object.fromEntries(fields), ...(isDeletable && { deleted_at: nullable(instant()) }) });
}

interface Published {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
}

function readable({ type, enum: values, format }: Published): TSchema {
  if (values) return word;
  const [first, second] = [type].flat();
  const plain =
    first === "integer" ? whole : first === "boolean" ? flag : format ? Type.String({ format }) : Type.String();
  return second === "null" ? nullable(plain) : plain;
}

export const shapes = {
  ...forMerged(plainShape),
  product: shape({
    name: text,
    description: text,
    description_short: text,
    sku: nullable(text),
    category_id: nullable(uuid()),
    kind: word,
    sellable: flag,
    active: flag,
    tax_class: word,
    ...prices,
    base_unit: word,
    sold_by_weight: flag,
    unit_cost: cost,
    image_url: nullable(Type.String({ format: "uri" })),
    images: list(text, 100),
    variants: list(
      shape(
        {
          id: uuid(),
          label: text,
          sku: nullable(text),
          ...prices,
          images: list(text, 100),
          is_default: flag,
          active: flag,
          deleted_at: nullable(instant()),
        },
        ["id", "label"],
      ),
      500,
    ),
    barcodes: list(
      shape(
        {
          code: text,
          units: nullable(quantity),
          name: nullable(text),
          price: nullable(whole),
          variant_id: nullable(uuid()),
        },
        ["code"],
      ),
      500,
    ),
    ...own,
    deleted_at: nullable(instant()),
  }),
  product_variant: shape({ product_id: uuid() }, ["product_id"]),
  sale: shape(
    {
      status: text,
      document_kind: word,
      payment_method: text,
      customer_id: nullable(uuid()),
      cash_session_id: nullable(uuid()),
      ...amounts,
      tip_amount: whole,
      table_label: nullable(text),
      order_id: nullable(uuid()),
      items: list(shape({ ...line, unit_cost: nullable(cost) }, lineNeeds)),
      ...own,
      occurred_at: instant(),
    },
    ["status", "items", "total", "occurred_at"],
  ),
  return: shape(
    {
      sale_id: uuid(),
      lines: list(
        shape({ item_id: uuid(), quantity: Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999 }) }, [
          "item_id",
          "quantity",
        ]),
      ),
      payment_method: text,
      cash_session_id: nullable(uuid()),
      warehouse_id: nullable(uuid()),
      reason: nullable(text),
      total: whole,
      occurred_at: instant(),
    },
    ["sale_id", "lines", "occurred_at"],
  ),
  ticket_mail: shape({ sale_id: uuid(), email: text }, ["sale_id", "email"]),
  counter_act: shape(
    {
      kind: text,
      occurred_at: instant(),
      cashier_id: nullable(uuid()),
      authorized_by: nullable(uuid()),
      shift_id: nullable(uuid()),
      sale_id: nullable(uuid()),
      label: nullable(text),
      amount: nullable(whole),
      detail: nullable(text),
      kept: nullable(flag),
    },
    ["kind", "occurred_at"],
  ),
  sale_invoice: shape({ sale_id: uuid(), customer_id: uuid() }, ["sale_id", "customer_id"]),
  invoice: shape(
    {
      sale_id: nullable(uuid()),
      document_type: word,
      type_document_id: nullable(whole),
      status: word,
      dian_status: nullable(text),
      dian_message: nullable(text),
      document_reason: nullable(text),
      prefix: nullable(text),
      number: whole,
      cufe: nullable(text),
      subtotal: whole,
      tax: whole,
      total: whole,
      issued_at: instant(),
    },
    ["document_type", "status", "number", "total", "issued_at"],
  ),
  stock_movement: shape(
    {
      product_id: uuid(),
      variant_id: nullable(uuid()),
      warehouse_id: nullable(uuid()),
      type: text,
      quantity,
      reason: nullable(text),
      reference: nullable(text),
      unit_cost: nullable(cost),
      origin_type: nullable(text),
      sale_id: nullable(uuid()),
    },
    ["product_id", "type", "quantity"],
  ),
  cash_session: shape(
    {
      status: word,
      register_id: nullable(uuid()),
      register_name: text,
      opened_at: instant(),
      closed_at: nullable(instant()),
      opened_by: nullable(text),
      closed_by: nullable(text),
      opening_amount: whole,
      cash_sales: whole,
      cash_refunds: whole,
      cash_in: whole,
      cash_out: whole,
      expected_amount: whole,
      counted_amount: nullable(whole),
      difference: nullable(whole),
      sales_count: whole,
      sales_total: whole,
      payments: list(
        shape({ payment_method: text, count: whole, amount: whole }, ["payment_method", "count", "amount"]),
      ),
      notes: nullable(text),
      movements: list(
        shape(
          {
            id: uuid(),
            type: word,
            amount: Type.Integer({ exclusiveMinimum: 0, title: amountTitle }),
            reason: nullable(text),
            created_by: nullable(text),
            occurred_at: instant(),
          },
          ["id", "type", "amount", "occurred_at"],
        ),
        10_000,
      ),
    },
    ["status", "opened_at"],
  ),
  order: shape({ status: text, reason: nullable(text), minutes: nullable(safe) }, ["status"]),
  quote: shape({
    prefix: nullable(text),
    number: nullable(whole),
    status: word,
    customer_id: nullable(uuid()),
    customer_name: nullable(text),
    ...amounts,
    items: list(shape({ ...line, discount_percent: percent }, lineNeeds)),
    sale_id: nullable(uuid()),
    issued_at: instant(),
    expires_at: nullable(instant()),
    sent_at: nullable(instant()),
    accepted_at: nullable(instant()),
    rejected_at: nullable(instant()),
    converted_at: nullable(instant()),
    ...own,
  }),
} satisfies Record<RecordType, TSchema>;

const envelope = shape(
  {
    type: oneOf(recordTypes),
    id: uuid(),
    op: oneOf(["upsert", "delete"]),
    base_seq: nullable(safe),
    edited_at: nullable(instant()),
    changed: nullable(list(text, 500)),
  },
  ["type", "id", "op"],
);

const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true });
addFormats(ajv);
export const readsAsRecord: ValidateFunction = ajv.compile(envelope);
export const readsAs = Object.fromEntries(
  Object.entries(shapes).map(([type, schema]) => [type, ajv.compile(schema)]),
) as Record<RecordType, ValidateFunction>;
