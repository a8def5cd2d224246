import type { PlannedReturn } from "../src/fiscal/returns/plan-return.ts";
import type { Catalog } from "./catalog.ts";
import { type Charge, mainMethod } from "./charge.ts";
import type { Draft, EntryAct } from "./protocol.ts";
import type { Row } from "./store.ts";
import type { Ticket, Totals } from "./ticket.ts";

/** A sale as it is recorded: the published fields, without what the server owns. */
export interface SaleData {
  status: string;
  document_kind: "pos" | "invoice";
  payment_method: string;
  customer_id: string | null;
  cash_session_id: string | null;
  subtotal: number;
  discount: number;
  discount_percent: number;
  tax: number;
  tip_amount: number;
  total: number;
  tax_breakdown: Totals["tax_breakdown"];
  notes: string | null;
  table_label: string | null;
  items: SaleItemData[];
  occurred_at: string;
  /** The order that it hands over. */
  order_id?: string;
}

export interface SaleItemData {
  id: string;
  product_id: string | null;
  variant_id: string | null;
  item_kind: string;
  description: string;
  quantity: number;
  unit_price: number;
  subtotal: number;
  unit_cost: null;
  tax_class: string;
  taxes: Totals["lines"][number]["taxes"];
}

/** A return as the register keeps it with its sale. */
export interface KeptReturn extends PlannedReturn {
  id: string;
  payment_method: string;
  reason: string | null;
  occurred_at: string;
  /** The shift whose drawer paid it; only of returns that were made here. */
  shift_id?: string;
  /** What of it the portal had given back already. */
  beyond?: number;
}

/** A wrong means that was put right: what was paid stays, how it was paid changes. */
export interface MeansCorrection {
  from: string;
  to: string;
  amount: number;
  by: string | null;
  at: string;
}

/** A charged sale as the register keeps it: what it uploaded, and what only its own ticket needs. */
export interface KeptSale {
  id: string;
  /** Its place in the shift, as the cashier sees it; 0 for a sale of a register that does not tell it. */
  number: number;
  shift_id: string | null;
  data: SaleData;
  charge: Charge;
  cashier_id: string | null;
  cashier_name: string | null;
  customer_name: string | null;
  /** "NIT 900373923-8"; sales of an earlier version lack it. */
  customer_document?: string | null;
  /** Products whose stock the sale moved, by item. */
  stocked: string[];
  returns?: KeptReturn[];
  /** Who did what took a right. */
  acts?: EntryAct[];
  /** What the discounts of its lines took off: their prices say it no more. */
  line_discount?: number;
  /** Its ticket went to a printer: what is printed later is a copy. */
  printed?: true;
  /** Means that were corrected, in order. */
  corrections?: MeansCorrection[];
  /** Only for a sale of another register: its name, and whether its POS document can be replaced by an invoice. */
  elsewhere?: { register: string | null; can_invoice: boolean };
}

/** The buyer as the ticket names her. */
export function buyerIn(
  catalog: Catalog,
  customerId: string | null,
): Pick<KeptSale, "customer_name" | "customer_document"> {
  const customer = customerId === null ? undefined : catalog.get("customer", customerId);
  if (!customer) return { customer_name: null, customer_document: null };
  const { name, last_name, document_type, document_number } = customer;
  return {
    customer_name: [name, last_name].filter(Boolean).join(" "),
    customer_document: document_number ? [document_type, document_number].filter(Boolean).join(" ") : null,
  };
}

export interface SaleContext {
  at: Date;
  shiftId: string | null;
}

export function saleData(ticket: Ticket, totals: Totals, payment: Charge, { at, shiftId }: SaleContext): SaleData {
  const { discount } = ticket;
  return {
    status: "completed",
    document_kind: ticket.document_kind,
    payment_method: mainMethod(payment.payments),
    customer_id: ticket.customer_id,
    cash_session_id: shiftId,
    subtotal: totals.subtotal,
    discount: totals.discount,
    discount_percent: discount && "percent" in discount ? discount.percent : 0,
    tax: totals.tax,
    tip_amount: totals.tip_amount,
    total: totals.total,
    tax_breakdown: totals.tax_breakdown,
    notes: ticket.notes,
    table_label: ticket.table_label,
    items: itemsOf(ticket, totals).map((item) => ({ ...item, unit_cost: null })),
    occurred_at: at.toISOString(),
    ...(ticket.order_id && { order_id: ticket.order_id }),
  };
}

/** The lines as a sale or a quote publishes them: a discount has lowered the unit price already. */
export function itemsOf({ lines }: Ticket, totals: Totals): Omit<SaleItemData, "unit_cost">[] {
  return lines.map((line, i) => ({
    id: line.id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    item_kind: line.product_id === null ? "custom" : "product",
    description: line.description,
    quantity: line.quantity,
    unit_price: totals.unitPrices[i]!,
    subtotal: totals.lines[i]!.subtotal,
    tax_class: line.tax_class,
    taxes: totals.lines[i]!.taxes,
  }));
}

/** The records of a charged sale: the sale, and what it took out of the stock. */
export function saleDrafts(sale: KeptSale, warehouseId: string | null, newId: () => string): Draft[] {
  return [
    saleDraft(sale),
    ...stockOf(sale).map(({ product_id, quantity }) =>
      movementDraft(newId(), {
        product_id,
        quantity,
        type: "sale",
        origin_type: "sale",
        sale_id: sale.id,
        warehouseId,
      }),
    ),
  ];
}

/** The records of a cancelled sale: the sale in its last state, and its stock back. */
export function cancelDrafts(sale: KeptSale, warehouseId: string | null, newId: () => string): Draft[] {
  const cancelled = { ...sale, data: { ...sale.data, status: "cancelled" } };
  return [
    saleDraft(cancelled),
    ...stockOf(sale).map(({ product_id, quantity }) =>
      movementDraft(newId(), {
        product_id,
        quantity,
        type: "in",
        origin_type: "reversal",
        sale_id: sale.id,
        warehouseId,
      }),
    ),
  ];
}

export function saleDraft({ id, number, data, charge, cashier_id, acts }: KeptSale): Draft {
  const who = { ...(cashier_id !== null && { cashier_id }), ...(acts && acts.length > 0 && { acts }) };
  return { type: "sale", id, data, payments: charge.payments, ticket_number: number, ...who };
}

/** The wish to have another register's sale invoiced. */
export function invoiceDraft(id: string, sale_id: string, customer_id: string): Draft {
  return { type: "sale_invoice", id, data: { sale_id, customer_id } };
}

/** Sales of other registers that were looked up: none of this register's shifts has them. */
export const elsewhereGroup = "elsewhere";

export function saleRow(sale: KeptSale): Row {
  const group = sale.elsewhere ? elsewhereGroup : (sale.shift_id ?? "");
  return { table: "sale", key: sale.id, value: sale, group };
}

function stockOf({ data, stocked }: KeptSale): { product_id: string; quantity: number }[] {
  return data.items.flatMap(({ id, product_id, quantity }) =>
    product_id !== null && stocked.includes(id) ? [{ product_id, quantity }] : [],
  );
}

export interface Movement {
  product_id: string;
  quantity: number;
  type: string;
  origin_type: string;
  sale_id: string | null;
  warehouseId: string | null;
  unit_cost?: number | null;
  reason?: string | null;
  reference?: string | null;
}

export function movementDraft(id: string, movement: Movement): Draft {
  const { warehouseId, unit_cost = null, reason = null, reference = null, ...fields } = movement;
  const data = { ...fields, variant_id: null, warehouse_id: warehouseId, reason, reference, unit_cost };
  return { type: "stock_movement", id, data };
}
