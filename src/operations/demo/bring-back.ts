import { stockMovements } from "../../business/inventory/resource.ts";
import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { products } from "../../business/products/resource.ts";
import { returns } from "../../business/returns/resource.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { withDocument } from "../../business/sales/summary.ts";
import type { Write } from "../../engine/writing/write.ts";
import { noteReasons } from "../../fiscal/content/note-reasons.ts";
import { reasonOf } from "../../fiscal/documents/issue-note.ts";
import { planReturn } from "../../fiscal/returns/plan-return.ts";
import { effectsOfReturn } from "../../fiscal/returns/record-return.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import type { CashDrawer } from "./cash-drawer.ts";
import { issuedDocument } from "./documents.ts";
import type { Numbering } from "./issuer.ts";
import type { RungUp } from "./ring-up.ts";
import type { Shop } from "./shop.ts";

const whys = ["Venía dañado", "No era la talla", "Se llevó uno de más", null];

/** A sale of the day with its document, at the register that made it. */
export type DemoSale = RungUp & { invoice: Invoice; drawer: CashDrawer };

/** One line of a sale comes back, or all of it: the money, the stock and the note, as a register's upload brings them. */
export async function bringBack(
  write: Write,
  shop: Shop,
  sold: DemoSale,
  numbering: Numbering,
  day: number,
): Promise<void> {
  const { sale, invoice: original, drawer } = sold;
  const stored = must(await write.load(sales, sale.id), "The demo brings back sales that it has made");
  const isFull = day % 3 === 0 || sale.items.length === 1;
  const lines = (isFull ? sale.items : sale.items.slice(0, 1)).map(({ id, quantity }) => ({ item_id: id, quantity }));
  const plan = planReturn(sale, [], lines);
  const isCash = sale.payment_method === "CASH";
  const made = {
    plan,
    id: uuidv7(write.at),
    reason: whys[day % whys.length] ?? null,
    payment_method: sale.payment_method,
    cash_session_id: isCash ? drawer.id : null,
    cashAmount: isCash ? plan.total : 0,
    occurred_at: write.at.toISOString(),
  };
  const effects = effectsOfReturn(made, {
    sale: stored,
    session: undefined,
    productOf: (id) => shop.products.get(id),
    warehouseOf: () => drawer.sede.warehouseId,
    at: write.at,
  });
  const note = issueNote(
    write,
    shop,
    sale,
    original,
    { ...plan, reason: reasonOf({ ...plan, reason: made.reason }) },
    numbering,
  );
  const annulled = plan.kind === "full" ? await annul(write, original) : original;
  write.put(returns, { ...effects.record, body: { ...effects.record.body, invoice_id: note.id } });
  for (const product of effects.products) {
    shop.products.set(product.body.id, product);
    write.put(products, product);
  }
  for (const movement of effects.movements) {
    write.put(stockMovements, movement);
    write.emit("inventory.movement.created", movement.body);
  }
  drawer.refund(made.cashAmount);
  const body = withDocument(withDocument(effects.sale.body, annulled), note);
  write.put(sales, { ...effects.sale, body });
  write.emit("sale.updated", body);
}

/** The buyer asks for an invoice after all: a note annuls the POS document, and the invoice replaces it. */
export async function giveInvoice(write: Write, shop: Shop, sold: DemoSale, numbering: Numbering): Promise<void> {
  const { sale, invoice: original } = sold;
  const stored = must(await write.load(sales, sale.id), "The demo brings back sales that it has made");
  const buyer = must(
    shop.customers.find(({ document_type }) => document_type === "NIT"),
    "One of the demo's customers is a company",
  );
  const at = write.at.toISOString();
  const note = issueNote(write, shop, sale, original, { ...sale, reason: noteReasons.invoiced }, numbering);
  const issued = { kind: "invoice", saleId: sale.id, customer: buyer, issuedAt: write.at, arrivedAt: at } as const;
  const invoice = issuedDocument({ ...issued, amounts: sale }, numbering);
  announce(write, invoice);
  const documents = [await annul(write, original), note, invoice];
  const changed: Sale = { ...sale, document_kind: "invoice", customer_id: buyer.id, updated_at: at };
  const body = documents.reduce(withDocument, changed);
  write.put(sales, { ...stored, body, settled: ["invoiced"] });
  write.emit("sale.updated", body);
}

function issueNote(
  write: Write,
  shop: Shop,
  sale: Sale,
  original: Invoice,
  { reason, ...amounts }: Pick<Sale, "tax" | "tip_amount" | "total" | "tax_breakdown"> & { reason: string },
  numbering: Numbering,
): Invoice {
  const note = issuedDocument(
    {
      kind: original.document_type === "electronic_invoice" ? "invoiceNote" : "posNote",
      saleId: sale.id,
      customer: shop.customers.find(({ id }) => id === sale.customer_id),
      amounts,
      reason,
      issuedAt: write.at,
      arrivedAt: write.at.toISOString(),
    },
    numbering,
  );
  announce(write, note);
  return note;
}

function announce(write: Write, invoice: Invoice): void {
  write.put(invoices, { body: invoice, announced: [invoice.status] });
  write.emit("invoice.issued", invoice);
}

async function annul(write: Write, original: Invoice): Promise<Invoice> {
  await write.load(invoices, original.id);
  const body: Invoice = { ...original, status: "annulled", updated_at: write.at.toISOString() };
  write.put(invoices, { body });
  return body;
}
