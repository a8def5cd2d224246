import type { ListedSale, Payment, SalesPage } from "./protocol.ts";
import { fieldsOf, list, number, orNull, position, text, whole } from "./read-answer.ts";
import type { KeptReturn, SaleData, SaleItemData } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";

// What the service says of other registers' sales, read like every answer: nothing is taken of one in another shape.

/** A sale with what it takes to print its ticket again, to take lines back, to invoice it and to mail it. */
export interface WholeSale {
  id: string;
  data: SaleData;
  ticket_number: number | null;
  register: string | null;
  cashier: string | null;
  customer: { name: string; document: string | null } | null;
  payments: Payment[] | null;
  documents: SaleDocument[];
  returns: KeptReturn[];
  can_invoice: boolean;
}

export function readSalesPage(answer: unknown, from: string): SalesPage {
  const { sales, ...rest } = fieldsOf(answer);
  return { ...position(rest, from), sales: list(sales).map(listedSale) };
}

function listedSale(value: unknown): ListedSale {
  const sale = fieldsOf(value);
  return {
    id: text(sale.id),
    status: text(sale.status),
    payment_method: text(sale.payment_method),
    total: number(sale.total),
    occurred_at: instant(sale.occurred_at),
    ticket_number: orNull(sale.ticket_number, whole),
    register: orNull(sale.register, text),
    customer_name: orNull(sale.customer_name, text),
    description: orNull(sale.description, text),
    // A service of before tells only the largest part.
    means: sale.means === undefined ? [text(sale.payment_method)] : list(sale.means).map(text),
    documents: list(sale.documents).map(text),
    is_returned: sale.is_returned === true,
  };
}

export function readWholeSale(answer: unknown): WholeSale {
  const { sale, customer, ...rest } = fieldsOf(answer);
  return {
    id: text(fieldsOf(sale).id),
    data: saleData(sale),
    ticket_number: orNull(rest.ticket_number, whole),
    register: orNull(rest.register, text),
    cashier: orNull(rest.cashier, text),
    customer: orNull(customer, (value) => {
      const { name, document } = fieldsOf(value);
      return { name: text(name), document: orNull(document, text) };
    }),
    payments: orNull(rest.payments, (value) => list(value).map(payment)),
    documents: list(rest.documents).map(document),
    returns: list(rest.returns).map(keptReturn),
    can_invoice: rest.can_invoice === true,
  };
}

function saleData(value: unknown): SaleData {
  const sale = fieldsOf(value);
  return {
    status: text(sale.status),
    document_kind: sale.document_kind === "invoice" ? "invoice" : "pos",
    payment_method: text(sale.payment_method),
    customer_id: orNull(sale.customer_id, text),
    cash_session_id: orNull(sale.cash_session_id, text),
    subtotal: number(sale.subtotal),
    discount: number(sale.discount),
    discount_percent: number(sale.discount_percent),
    tax: number(sale.tax),
    tip_amount: number(sale.tip_amount),
    total: number(sale.total),
    tax_breakdown: orNull(sale.tax_breakdown, taxes) ?? [],
    notes: orNull(sale.notes, text),
    table_label: orNull(sale.table_label, text),
    items: list(sale.items).map(saleItem),
    occurred_at: instant(sale.occurred_at),
  };
}

function saleItem(value: unknown): SaleItemData {
  const item = fieldsOf(value);
  return {
    id: text(item.id),
    product_id: orNull(item.product_id, text),
    variant_id: orNull(item.variant_id, text),
    item_kind: text(item.item_kind),
    description: orNull(item.description, text) ?? "",
    quantity: number(item.quantity),
    unit_price: number(item.unit_price),
    subtotal: number(item.subtotal),
    unit_cost: null,
    tax_class: text(item.tax_class),
    taxes: orNull(item.taxes, lineTaxes) ?? [],
  };
}

function taxes(value: unknown): SaleData["tax_breakdown"] {
  return list(value).map((one) => {
    const { code, rate, per_unit, base, amount } = fieldsOf(one);
    return {
      code: text(code),
      rate: orNull(rate, number),
      per_unit: orNull(per_unit, number),
      base: number(base),
      amount: number(amount),
    };
  });
}

function lineTaxes(value: unknown): SaleItemData["taxes"] {
  const names = list(value).map((one) => orNull(fieldsOf(one).name, text));
  return taxes(value).map((tax, i) => ({ ...tax, name: names[i]! }));
}

function payment(value: unknown): Payment {
  const { payment_method, amount, reference } = fieldsOf(value);
  const told = orNull(reference, text);
  return { payment_method: text(payment_method), amount: number(amount), ...(told && { reference: told }) };
}

function document(value: unknown): SaleDocument {
  const one = fieldsOf(value);
  return {
    id: text(one.id),
    sale_id: text(one.sale_id),
    document_type: text(one.document_type),
    status: text(one.status),
    prefix: orNull(one.prefix, text),
    number: orNull(one.number, whole),
    cufe: orNull(one.cufe, text),
    dian_message: orNull(one.dian_message, text),
    qr: orNull(one.qr, text),
  };
}

function keptReturn(value: unknown): KeptReturn {
  const one = fieldsOf(value);
  return {
    id: text(one.id),
    kind: one.kind === "full" ? "full" : "partial",
    payment_method: text(one.payment_method),
    reason: orNull(one.reason, text),
    occurred_at: instant(one.occurred_at),
    subtotal: number(one.subtotal),
    discount: number(one.discount),
    tax: number(one.tax),
    tip_amount: number(one.tip_amount),
    total: number(one.total),
    tax_breakdown: orNull(one.tax_breakdown, taxes),
    lines: list(one.lines).map((line) => {
      const read = fieldsOf(line);
      return {
        object: "return_line",
        item_id: text(read.item_id),
        product_id: orNull(read.product_id, text),
        variant_id: orNull(read.variant_id, text),
        description: orNull(read.description, text),
        quantity: number(read.quantity),
        unit_price: number(read.unit_price),
        subtotal: number(read.subtotal),
        discount: number(read.discount),
        total: number(read.total),
        tax_class: text(read.tax_class),
        taxes: orNull(read.taxes, lineTaxes),
      };
    }),
  };
}

/** A return that came down by itself; undefined in another shape. */
export function readReturn(value: unknown): KeptReturn | undefined {
  try {
    return keptReturn(value);
  } catch {
    return undefined;
  }
}

/** A text that no calendar reads would break the screen that shows it. */
function instant(value: unknown): string {
  return new Date(number(Date.parse(text(value)))).toISOString();
}
