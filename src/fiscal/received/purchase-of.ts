import { products } from "../../business/products/resource.ts";
import type { Product } from "../../business/products/schema.ts";
import { baseMilli, grossOf, type LineInput, linesOf, spread, totalsOf } from "../../business/purchases/amounts.ts";
import { holdersOf } from "../../business/purchases/find-lines.ts";
import { createPurchase } from "../../business/purchases/operations.ts";
import type { Purchase, PurchaseCharge } from "../../business/purchases/schema.ts";
import { itemsOfSupplier, type SupplierItem } from "../../business/purchases/supplier-items.ts";
import { createSupplier, supplierWithDocument } from "../../business/suppliers/operations.ts";
import { suppliers } from "../../business/suppliers/resource.ts";
import type { Supplier } from "../../business/suppliers/schema.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { lineText } from "../../lib/one-line.ts";
import { money } from "../../taxes/words.ts";
import type { ReceivedInvoice, ReceivedLine } from "./read-invoice.ts";
import { factorNamed } from "./units.ts";
import { Unreadable } from "./unpack.ts";

/** Pesos by which an invoice may differ from the sum of its lines, each of which is rounded by itself. */
const tolerance = (lines: number): number => 10 + 2 * lines;

/** The draft that an invoice makes. What of it is no product yet has none, and is asked once. */
export async function purchaseOf(
  write: Write,
  invoice: ReceivedInvoice,
  at: { warehouse_id?: string | undefined } = {},
): Promise<{ purchase: Purchase; isNewSupplier: boolean }> {
  const { supplier, isNew } = await supplierOf(write, invoice);
  const lines = await matched(write, isNew ? undefined : supplier.id, invoice);
  const charges = invoice.charges.map(
    ({ description, amount }): PurchaseCharge => ({
      ...{ object: "purchase_charge", id: uuidv7(write.at), description: lineText(description) || "Cargo", amount },
      ...{ tax: 0, spread_by: "value", in_invoice: true },
    }),
  );
  const rounding = roundingOf(invoice, lines, charges);
  const { number, issued_on, due_on, cufe } = invoice;
  const purchase = await createPurchase(
    write,
    {
      supplier_id: supplier.id,
      lines: [],
      charges: charges.map(({ description, amount }) => ({ description, amount })),
      invoice_number: lineText(number),
      ...(issued_on !== null && { invoice_date: issued_on }),
      ...(due_on !== null && { due_date: due_on }),
      ...(at.warehouse_id !== undefined && { warehouse_id: at.warehouse_id }),
    },
    { lines, rounding, supplier, ...(cufe !== null && { cufe }) },
  );
  return { purchase, isNewSupplier: isNew };
}

async function supplierOf(
  write: Write,
  { supplier: { name, nit, email, phone } }: ReceivedInvoice,
): Promise<{ supplier: Supplier; isNew: boolean }> {
  const known = await supplierWithDocument(write, nit);
  const found = known && (await write.load(suppliers, known.id));
  if (found) return { supplier: found.body, isNew: false };
  const made = await createSupplier(write, {
    name: lineText(name),
    ...(nit !== null && { document_number: nit }),
    ...(email !== null && { email }),
    ...(phone !== null && { phone: lineText(phone) }),
  });
  return { supplier: made, isNew: true };
}

interface Known {
  items: readonly SupplierItem[];
  holders: ReadonlyMap<string, string>;
  products: ReadonlyMap<string, Loaded<Product>>;
}

async function matched(write: Write, supplierId: string | undefined, { lines, discount }: ReceivedInvoice) {
  const codes = lines.flatMap(({ code }) => (code === null ? [] : lineText(code)));
  const scanned = lines.flatMap(({ code, barcode }) => [code, barcode].flatMap((one) => (one ? lineText(one) : [])));
  const items = supplierId === undefined ? [] : await itemsOfSupplier(write, supplierId, { codes });
  const holders = await holdersOf(write, scanned);
  const ids = [...new Set([...items.map(({ product_id }) => product_id), ...holders.values()])];
  const known: Known = { items, holders, products: await write.loadMany(products, ids) };
  const shares = spread(
    Math.round(discount),
    lines.map(({ net }) => BigInt(Math.round(net))),
  );
  return lines.map((line, i) => inputOf(write, line, known, shares[i] ?? 0));
}

/** By what was matched before, then by a code of ours. */
function inputOf(write: Write, line: ReceivedLine, { items, holders, products: all }: Known, share: number): LineInput {
  const code = line.code === null ? null : lineText(line.code);
  const before = items.find((item) => item.code === code && code !== null);
  const scanned = [line.barcode, line.code]
    .flatMap((one) => (one ? lineText(one) : []))
    .find((one) => holders.has(one));
  const id = before?.product_id ?? (scanned === undefined ? undefined : holders.get(scanned));
  const product = id === undefined ? undefined : all.get(id)?.body;
  const keeps =
    product && !product.deleted_at && !product.has_variants && product.kind === "simple" ? product : undefined;
  const pack = keeps?.barcodes?.find((one) => one.code === scanned && one.units !== 1);
  return {
    ...{ id: uuidv7(write.at), product_id: keeps?.id ?? null, variant_id: null, supplier_code: code },
    description: lineText(line.description) || "Sin descripción",
    unit: before?.unit ?? pack?.name ?? (pack ? `Caja x${pack.units}` : line.unit),
    factor: before?.factor ?? pack?.units ?? factorNamed(line.unit),
    ...figuresOf(line, share),
    weight: null,
    taxes: line.taxes
      .filter(({ amount }) => amount > 0)
      .map(({ code: tax, rate, amount }) => ({ code: tax, rate, amount: Math.round(amount) })),
  };
}

/** Price and discount as the invoice shows them where they make its net; the net itself otherwise. */
function figuresOf({ quantity: exact, price, discount, net }: ReceivedLine, share: number) {
  const quantity = Math.max(0.001, Math.round(exact * 1000) / 1000);
  const shown = { quantity, unit_cost: Number(price.toFixed(6)), discount: Math.round(discount) };
  const isShown = price > 0 && Math.abs(grossOf(shown) - shown.discount - net) <= 1;
  const plain = isShown ? shown : { quantity, unit_cost: Number((net / quantity).toFixed(6)), discount: 0 };
  return { ...plain, discount: Math.min(plain.discount + share, grossOf(plain)) };
}

function roundingOf(
  { payable }: ReceivedInvoice,
  inputs: readonly LineInput[],
  charges: readonly PurchaseCharge[],
): number {
  const lines = linesOf(inputs, charges, true);
  if (lines.some((line) => baseMilli(line) === 0n)) throw new Unreadable("La factura tiene una línea sin cantidad.");
  const { total } = totalsOf({ lines, charges, rounding: 0 });
  const difference = Math.round(payable) - total;
  if (Math.abs(difference) <= tolerance(lines.length)) return difference;
  throw new Unreadable(
    `La factura dice que se pagan ${money(Math.round(payable))} y sus líneas suman ${money(total)}. Revísela con el proveedor, o escriba la compra a mano.`,
  );
}
