import { randomUUID } from "node:crypto";
import type { Draft, Register } from "../../simulator/register.ts";
import { invoiceBody, quoteBody, saleBody, variantBody, warehouseBody } from "./records.ts";
import { upload } from "./register.ts";
import type { Edited, RecordAction } from "./shop-actions.ts";
import type { Known } from "./shop-floor-checks.ts";

/** A register with its own sales by id, as last recorded, and its open shift. */
export interface Recorder {
  register: Register;
  sales: Map<string, { status: string }>;
  shift: string | undefined;
}

export function recordAction(desk: Recorder, action: RecordAction, known: Known): void {
  const drafts = draftsOf(desk, action);
  if (drafts.length > 0) record(desk.register, drafts, known);
}

/** What an action writes at a register. */
function draftsOf(desk: Recorder, action: RecordAction): Draft[] {
  const { register } = desk;
  const products = register.catalog.products();
  const choose = <T>(items: readonly T[], pick: number): T | undefined => items[pick % Math.max(1, items.length)];
  switch (action.kind) {
    case "sell": {
      const items = products.slice(0, 1 + (action.pick % 3));
      const sale = upload(saleBody(new Date().toISOString(), { status: action.pick % 2 === 0 ? "open" : "completed" }));
      const moved = items.map(({ id }) => movement(id, "sale", 1 + (action.pick % 4), sale.id, action.pick % 5 === 0));
      desk.sales.set(sale.id, sale);
      return [{ type: "sale", id: sale.id, data: sale }, ...moved];
    }
    case "pay":
    case "cancel": {
      const sale = choose([...desk.sales.entries()], action.pick);
      if (!sale) return [];
      const data = { ...sale[1], status: action.kind === "pay" ? "completed" : "cancelled" };
      desk.sales.set(sale[0], data);
      return [{ type: "sale", id: sale[0], data }];
    }
    case "invoice": {
      const saleId = choose([...desk.sales.keys()], action.pick);
      const invoice = upload(invoiceBody(new Date().toISOString(), { sale_id: saleId ?? randomUUID() }));
      return [{ type: "invoice", id: invoice.id, data: invoice }];
    }
    case "shift": {
      const status = desk.shift ? "closed" : "open";
      const id = desk.shift ?? randomUUID();
      desk.shift = desk.shift ? undefined : id;
      return [{ type: "cash_session", id, data: { status, opened_at: new Date().toISOString() } }];
    }
    case "receive": {
      const one = choose(products, action.pick);
      const id = action.pick % 7 === 0 || !one ? randomUUID() : one.id;
      return [movement(id, "in", 10, null, action.pick % 3 === 0)];
    }
    case "customer":
      return [{ type: "customer", id: randomUUID(), data: { name: "Ana" } }];
    case "category":
      return [{ type: "category", id: randomUUID(), data: { name: "Bebidas" } }];
    case "product":
      return [product()];
    case "warehouse":
      return [warehouse(false)];
    case "quote": {
      const quote = upload(quoteBody(new Date().toISOString()));
      return [{ type: "quote", id: quote.id, data: quote }];
    }
    case "edit": {
      const one = choose(register.catalog.all(action.type), action.pick);
      if (!one) return [];
      const data = editOf(action.type, action.field);
      return [{ type: action.type, id: one.id, data, changed: Object.keys(data) }];
    }
    case "delete": {
      const some = register.catalog.all(action.type);
      // The shop always keeps something to sell.
      const one = action.type === "product" && some.length < 3 ? undefined : choose(some, action.pick);
      if (!one) return [];
      return [{ type: action.type, id: one.id, op: "delete", data: {} }];
    }
    case "variants": {
      const one = choose(products, action.pick);
      if (!one) return [];
      const added = upload(variantBody("", one.id, { label: `Talla ${action.field % 9}` })) as {
        id: string;
        label: string;
      };
      const kept = one.variants.filter((_, i) => (action.field >> i) % 2 === 0);
      const variants = action.field % 3 === 0 ? kept : [...kept, added];
      return [{ type: "product", id: one.id, data: { variants }, changed: ["variants"] }];
    }
  }
}

export function record(register: Register, drafts: Draft[], known: Known): void {
  register.record(drafts);
  for (const { type, id, op, data } of drafts) {
    if (op === "delete") {
      register.catalog.drop(id);
      continue;
    }
    const { product_id, type: direction, quantity } = data as { product_id: string; type: string; quantity: number };
    if (type === "stock_movement") known.movements.set(id, { product_id, type: direction, quantity });
    if (["customer", "product", "category", "warehouse", "quote"].includes(type)) register.catalog.keep(type, id, data);
  }
}

function editOf(type: Edited, field: number): { [name: string]: unknown } {
  const edits: { [type in Edited]: { [name: string]: unknown }[] } = {
    customer: [{ name: `Ana ${field}` }, { phone: String(field) }, { email: `a${field}@b.co` }],
    product: [
      { name: `Pan ${field}` },
      { base_price: field, final_price: field, percent_discount: 0 },
      { active: true, description: `Fresco ${field}` },
    ],
    category: [{ name: `Bebidas ${field}` }, { sort_order: field }],
    quote: [{ notes: `Nota ${field}` }, { status: "accepted" }],
  };
  return edits[type][field % edits[type].length]!;
}

function movement(productId: string, type: string, quantity: number, saleId: string | null, isEarly: boolean): Draft {
  const data = {
    product_id: productId,
    type,
    quantity,
    unit_cost: type === "in" ? 1000 : null,
    sale_id: saleId,
    warehouse_id: isEarly ? randomUUID() : null,
  };
  return { type: "stock_movement", id: randomUUID(), data };
}

export function product(): Draft {
  const data = {
    name: "Pan",
    base_price: 500,
    final_price: 500,
    percent_discount: 0,
    active: true,
    sellable: true,
    variants: [],
  };
  return { type: "product", id: randomUUID(), data };
}

export function warehouse(isDefault: boolean): Draft {
  const { id, ...data } = upload(warehouseBody("", { is_default: isDefault }));
  return { type: "warehouse", id, data };
}
