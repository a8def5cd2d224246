import { randomUUID } from "node:crypto";
import type { CashMovement, CashSession } from "../../src/business/cash-sessions/schema.ts";
import type { Category } from "../../src/business/categories/schema.ts";
import type { Customer } from "../../src/business/customers/schema.ts";
import type { StockMovement, Warehouse } from "../../src/business/inventory/schema.ts";
import { Invoice } from "../../src/business/invoices/schema.ts";
import type { Product, ProductVariant } from "../../src/business/products/schema.ts";
import type { Quote, QuoteItem } from "../../src/business/quotes/schema.ts";
import { Sale, type SaleItem } from "../../src/business/sales/schema.ts";
import type { RecordBody, Resource, Stored } from "../../src/engine/resources/resource.ts";
import type { Write } from "../../src/engine/writing/write.ts";
import { type WritingDeps, writing } from "../../src/engine/writing/writing.ts";

/** Stores records that only registers create, as synchronization does: through a write of the account. */
export function store<B extends RecordBody, P extends object>(
  deps: WritingDeps,
  accountId: string,
  resource: Resource<B, P>,
  make: (at: string, write: Write) => Stored<B, P>[],
): Promise<B[]> {
  return writing(deps, accountId, (write) =>
    make(write.at.toISOString(), write).map((record) => {
      write.put(resource, record);
      return publishedBy(write, record.body);
    }),
  );
}

function publishedBy<B extends RecordBody>(write: Write, body: B): B {
  return JSON.parse(write.published(body));
}

/** Changes a stored record, at the instant of its write. */
export function change<B extends RecordBody, P extends object>(
  deps: WritingDeps,
  accountId: string,
  resource: Resource<B, P>,
  id: string,
  edit: (body: B, at: string) => Partial<B>,
): Promise<B> {
  return writing(deps, accountId, async (write) => {
    const current = (await write.load(resource, id))!;
    const at = write.at.toISOString();
    const body = { ...current.body, ...edit(current.body, at), updated_at: at };
    write.put(resource, { ...current, body });
    return publishedBy(write, body);
  });
}

/** Marks a record as deleted, as a register does. */
export function remove<B extends RecordBody & { deleted_at: string | null }, P extends object>(
  deps: WritingDeps,
  accountId: string,
  resource: Resource<B, P>,
  id: string,
): Promise<B> {
  return change(deps, accountId, resource, id, (_body, at) => ({ deleted_at: at }) as Partial<B>);
}

export function customerBody(at: string, fields: Partial<Customer> = {}): Customer {
  return record<Customer>("customer", at, fields, {
    name: "María Fernanda",
    last_name: null,
    email: null,
    phone: null,
    person_type: "person",
    document_type: "CC",
    document_number: null,
    contact_channel: "none",
    deleted_at: null,
  });
}

export function categoryBody(at: string, fields: Partial<Category> = {}): Category {
  return record<Category>("category", at, fields, {
    name: "Bebidas",
    description: null,
    image_url: null,
    sort_order: 0,
    deleted_at: null,
  });
}

/** A product with the defaults of the contract. */
export function productBody(at: string, fields: Partial<Product> = {}): Product {
  return record<Product>(
    "product",
    at,
    { deleted_at: null, ...fields },
    {
      name: "Gaseosa cola 400 ml",
      description: "",
      description_short: "",
      sku: null,
      category_id: null,
      kind: "simple",
      sellable: true,
      active: true,
      tax_class: "standard",
      base_price: 3200,
      final_price: 3200,
      percent_discount: 0,
      base_unit: "und",
      sold_by_weight: false,
      stock: fields.kind === "composite" || fields.variants?.length ? null : 0,
      unit_cost: 0,
      image_url: null,
      images: [],
      has_variants: (fields.variants?.length ?? 0) > 0,
      variants: [],
      barcodes: [],
    },
  );
}

export function variantBody(at: string, productId: string, fields: Partial<ProductVariant> = {}): ProductVariant {
  return record<ProductVariant>(
    "product_variant",
    at,
    { deleted_at: null, ...fields },
    {
      product_id: productId,
      label: "Talla M",
      sku: null,
      base_price: 0,
      final_price: 0,
      percent_discount: 0,
      images: [],
      is_default: true,
      active: true,
    },
  );
}

export function saleItemBody(fields: Partial<SaleItem> = {}): SaleItem {
  return {
    object: "sale_item",
    id: randomUUID(),
    product_id: randomUUID(),
    variant_id: null,
    item_kind: "product",
    description: "Gaseosa cola 400 ml",
    quantity: 2,
    unit_price: 3200,
    subtotal: 6400,
    unit_cost: 2100,
    tax_class: "standard",
    taxes: [{ code: "01", name: "IVA", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
    ...fields,
  };
}

export function saleBody(at: string, fields: Partial<Sale> = {}): Sale {
  const { external_id, metadata, ...example } = exampleOf<Sale>(Sale);
  return record<Sale>("sale", at, fields, { ...example, items: [saleItemBody()], invoices: [], occurred_at: at });
}

export function invoiceBody(at: string, fields: Partial<Invoice> = {}): Invoice {
  return record<Invoice>("invoice", at, fields, { ...exampleOf<Invoice>(Invoice), sale_id: null, issued_at: at });
}

export function movementBody(at: string, fields: Partial<StockMovement> = {}): StockMovement {
  return record<StockMovement>("stock_movement", at, fields, {
    product_id: randomUUID(),
    variant_id: null,
    warehouse_id: null,
    type: "sale",
    quantity: 2,
    reason: null,
    reference: null,
    unit_cost: 2100,
    origin_type: "sale",
    sale_id: randomUUID(),
  });
}

export function warehouseBody(at: string, fields: Partial<Warehouse> = {}): Warehouse {
  return record<Warehouse>("warehouse", at, fields, {
    name: "Principal",
    address: "Cra 45 # 12-34",
    city: "Medellín",
    is_default: true,
    active: true,
  });
}

export function cashMovementBody(at: string, sessionId: string, fields: Partial<CashMovement> = {}): CashMovement {
  return record<CashMovement>("cash_movement", at, fields, {
    cash_session_id: sessionId,
    type: "out",
    amount: 20_000,
    reason: "Pago a proveedor",
    created_by: "Ana",
    occurred_at: at,
  });
}

export function cashSessionBody(at: string, fields: Partial<CashSession> = {}): CashSession {
  return record<CashSession>("cash_session", at, fields, {
    status: "open",
    register_id: randomUUID(),
    register_name: "Caja 1",
    opened_at: at,
    closed_at: null,
    opened_by: "Ana",
    closed_by: null,
    opening_amount: 100_000,
    cash_sales: 0,
    cash_refunds: 0,
    cash_in: 0,
    cash_out: 0,
    expected_amount: 100_000,
    counted_amount: null,
    difference: null,
    sales_count: 0,
    sales_total: 0,
    payments: [],
    notes: null,
    movements: [],
  });
}

export function quoteItemBody(fields: Partial<QuoteItem> = {}): QuoteItem {
  const { unit_cost: _, ...line } = saleItemBody();
  return { ...line, object: "quote_item", discount_percent: 0, ...fields };
}

export function quoteBody(at: string, fields: Partial<Quote> = {}): Quote {
  return record<Quote>("quote", at, fields, {
    prefix: "COT",
    number: 7,
    status: "sent",
    customer_id: null,
    customer_name: "María Fernanda Gómez",
    subtotal: 6400,
    discount: 0,
    discount_percent: 0,
    tax: 1022,
    total: 6400,
    tax_breakdown: [{ code: "01", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
    notes: null,
    items: [quoteItemBody()],
    sale_id: null,
    issued_at: at,
    expires_at: null,
    sent_at: at,
    accepted_at: null,
    rejected_at: null,
    converted_at: null,
  });
}

/** A record's own fields between those that every record has; `fields` replace any of them. */
function record<B extends RecordBody & { object: string }>(
  object: B["object"],
  at: string,
  fields: Partial<B>,
  own: Omit<B, "object" | "id" | "created_at" | "updated_at" | "deleted_at"> & { deleted_at?: null },
): B {
  return { object, id: randomUUID(), ...own, created_at: at, updated_at: at, ...fields } as unknown as B;
}

/** The example of the reference, without what each record has of its own. */
function exampleOf<B extends RecordBody>(
  schema: object,
): Omit<B, "object" | "id" | "created_at" | "updated_at" | "version" | "location_id"> {
  const { object, id, created_at, updated_at, version, location_id, ...example } = (schema as { examples: B[] })
    .examples[0]!;
  return structuredClone(example);
}
