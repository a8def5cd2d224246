import { quotes } from "../../../business/quotes/resource.ts";
import type { Quote, QuoteItem } from "../../../business/quotes/schema.ts";
import type { OwnFields } from "../../../engine/resources/own-fields.ts";
import { must } from "../../../lib/must.ts";
import { checkPercent, type Kind } from "./kind.ts";
import { isOwnField, ownFieldsOf, ownUnits } from "./own-fields.ts";
import { type Fields, fieldIn, idIn, instantIn } from "./read-record.ts";
import { readTaxes, readTotals } from "./sale-lines.ts";

const statusFields = ["status", "sent_at", "accepted_at", "rejected_at", "converted_at", "sale_id"] as const;
type StatusFields = Pick<Quote, (typeof statusFields)[number]>;
type Document = Omit<Quote, keyof (StatusFields & OwnFields) | "object" | "id" | "created_at" | "updated_at">;

/** A quote has two units: the document with its lines and totals, and its status fields, stored as `outcome`. */
export const quoteKind: Kind<Quote, object> = {
  resource: quotes,
  needs: ["document"],
  read(data, current) {
    const hasAny = (names: readonly string[]) => names.some((name) => data[name] !== undefined);
    const documentNames = Object.keys(data).filter(
      (name) => !(statusFields as readonly string[]).includes(name) && !isOwnField(name),
    );
    return {
      ...(hasAny(documentNames) && { document: readDocument(data, current) }),
      ...ownUnits(data, current),
      ...(hasAny(statusFields) && { outcome: readStatus(data, current) }),
    };
  },
  unitOf: (field) =>
    isOwnField(field) ? field : (statusFields as readonly string[]).includes(field) ? "outcome" : "document",
  check: (data) => [
    ...checkPercent(data, "discount_percent"),
    ...((data.items ?? []) as Fields[]).flatMap((item, i) =>
      checkPercent(item, "discount_percent", `items.${i}.discount_percent`),
    ),
  ],
  make: (units, id, at, before) => {
    const document = units.document as Document;
    const status = fieldIn<StatusFields>(units, "outcome", readStatus({}, undefined));
    return {
      deletedAt: units.deleted ? (before?.deletedAt ?? new Date(at)) : null,
      body: {
        object: "quote",
        id,
        prefix: document.prefix,
        number: document.number,
        status: status.status,
        customer_id: document.customer_id,
        customer_name: document.customer_name,
        subtotal: document.subtotal,
        discount: document.discount,
        discount_percent: document.discount_percent,
        tax: document.tax,
        total: document.total,
        tax_breakdown: document.tax_breakdown,
        notes: document.notes,
        items: document.items,
        sale_id: status.sale_id,
        issued_at: document.issued_at,
        expires_at: document.expires_at,
        sent_at: status.sent_at,
        accepted_at: status.accepted_at,
        rejected_at: status.rejected_at,
        converted_at: status.converted_at,
        ...ownFieldsOf(units),
        created_at: before?.body.created_at ?? at,
        updated_at: at,
      },
    };
  },
};

/** In the order of the published fields, so that equal documents have equal texts. */
function readDocument(data: Fields, current: Quote | undefined): Document {
  return {
    prefix: fieldIn(data, "prefix", current?.prefix ?? null),
    number: fieldIn(data, "number", current?.number ?? null),
    customer_id: data.customer_id === undefined ? (current?.customer_id ?? null) : idIn(data, "customer_id"),
    customer_name: fieldIn(data, "customer_name", current?.customer_name ?? null),
    subtotal: fieldIn(data, "subtotal", current?.subtotal ?? 0),
    discount: fieldIn(data, "discount", current?.discount ?? 0),
    discount_percent: fieldIn(data, "discount_percent", current?.discount_percent ?? 0),
    tax: fieldIn(data, "tax", current?.tax ?? 0),
    total: fieldIn(data, "total", current?.total ?? 0),
    tax_breakdown: data.tax_breakdown === undefined ? (current?.tax_breakdown ?? null) : readTotals(data.tax_breakdown),
    notes: fieldIn(data, "notes", current?.notes ?? null),
    items: data.items === undefined ? (current?.items ?? []) : (data.items as Fields[]).map(readItem),
    issued_at: instantIn(data, "issued_at", current?.issued_at ?? "1970-01-01T00:00:00.000Z"),
    expires_at: instantIn(data, "expires_at", current?.expires_at ?? null),
  };
}

function readStatus(data: Fields, current: Quote | undefined): StatusFields {
  return {
    status: fieldIn<Quote["status"]>(data, "status", current?.status ?? "draft"),
    sent_at: instantIn(data, "sent_at", current?.sent_at ?? null),
    accepted_at: instantIn(data, "accepted_at", current?.accepted_at ?? null),
    rejected_at: instantIn(data, "rejected_at", current?.rejected_at ?? null),
    converted_at: instantIn(data, "converted_at", current?.converted_at ?? null),
    sale_id: data.sale_id === undefined ? (current?.sale_id ?? null) : idIn(data, "sale_id"),
  };
}

function readItem(item: Fields): QuoteItem {
  return {
    object: "quote_item",
    id: must(idIn(item, "id"), "A line has an id, or the quote is not readable"),
    product_id: idIn(item, "product_id"),
    variant_id: idIn(item, "variant_id"),
    item_kind: fieldIn(item, "item_kind", "product"),
    description: fieldIn(item, "description", null),
    quantity: fieldIn(item, "quantity", 0),
    unit_price: fieldIn(item, "unit_price", 0),
    subtotal: fieldIn(item, "subtotal", 0),
    discount_percent: fieldIn(item, "discount_percent", 0),
    tax_class: fieldIn(item, "tax_class", "standard"),
    taxes: readTaxes(item.taxes),
  };
}
