import { sql } from "../../db/sql.ts";
import type { Loaded, Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, type FieldError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { requireMovable } from "../inventory/create-movement.ts";
import { findWarehouse, placeOf } from "../inventory/find-warehouse.ts";
import { recordMovement } from "../inventory/record-movement.ts";
import type { ProductLedger } from "../products/ledger.ts";
import { products } from "../products/resource.ts";
import type { Product } from "../products/schema.ts";
import { baseMilli, milli, owedFor } from "./amounts.ts";
import { dueDate } from "./due-date.ts";
import { maxReceipts, type NewReceipt } from "./new-purchase.ts";
import { requireSupplier } from "./operations.ts";
import { purchases } from "./resource.ts";
import type { Purchase, PurchaseLine, PurchaseReceipt, PurchaseReceiptLine } from "./schema.ts";
import { purchaseStates, type ReceiptKind } from "./states.ts";

/** How each kind of receipt moves stock, and what it does to what a line has. */
const kinds = {
  receipt: { type: "in", sign: 1, origin: "purchase", words: "Compra", left: (line) => line.quantity - line.received },
  return: {
    ...{ type: "out", sign: 1, origin: "purchase_return", words: "Devolución al proveedor" },
    left: (line) => line.received - line.returned,
  },
  correction: {
    ...{ type: "adjustment", sign: -1, origin: "purchase_correction", words: "Corrección de una recepción" },
    left: (line) => line.received - line.returned,
  },
} as const satisfies Record<
  ReceiptKind,
  { type: string; sign: 1 | -1; origin: string; words: string; left: (line: PurchaseLine) => number }
>;

interface Moved {
  line: PurchaseLine;
  quantity: number;
  /** Where a request says it. */
  param: string;
}

/** Goods came, went back, or had been written down wrongly: stock moves, and what is owed. Nothing of before changes. */
export async function receivePurchase(write: Write, current: Loaded<Purchase>, input: NewReceipt): Promise<Purchase> {
  const { body: before } = current;
  const kind = input.kind ?? "receipt";
  const corrected = correctedBy(before, kind, input.corrects);
  refuseEnded(before, kind);
  const moved = movedLines(before, kind, corrected, input);
  const warehouse_id = await warehouseOf(write, before, corrected, input.warehouse_id);
  const lines = await moveStock(write, before, { kind, corrected, warehouse_id, moved });
  const after = withMoved(before, kind, moved);
  const owed = owedFor(after);
  const at = write.at.toISOString();
  const receipt: PurchaseReceipt = {
    ...{ object: "purchase_receipt", id: uuidv7(write.at), number: before.receipts.length + 1, kind },
    ...{
      corrects: corrected?.id ?? null,
      warehouse_id,
      reference: input.reference || null,
      notes: input.notes || null,
    },
    ...{ owed: owed - before.owed, lines, created_at: at },
  };
  const supplier = await requireSupplier(write, before.supplier_id);
  const body: Purchase = {
    ...after,
    status: statusOf(after),
    owed,
    due_date: before.due_date ?? dueDate(bogotaDate(write.at), supplier.term_days),
    receipts: [...before.receipts, receipt],
    received_at: kind === "receipt" ? at : before.received_at,
    updated_at: at,
  };
  write.put(purchases, { ...current, body });
  owe(write, body, receipt);
  if (kind === "receipt") write.emit("purchase.received", body);
  return body;
}

function correctedBy({ receipts }: Purchase, kind: ReceiptKind, id: string | undefined): PurchaseReceipt | undefined {
  if (kind !== "correction") {
    if (id === undefined) return undefined;
    throw validationError([{ param: "corrects", message: '`corrects` va con `kind: "correction"`.' }]);
  }
  if (id === undefined)
    throw validationError([
      { param: "corrects", message: "`corrects` falta: diga qué recepción de la compra se había escrito mal." },
    ]);
  const found = receipts.find((one) => one.id === id.toLowerCase() && one.kind === "receipt");
  if (!found) throw referenceNotFound("corrects", "una recepción de esta compra");
  return found;
}

function refuseEnded({ number, status, receipts }: Purchase, kind: ReceiptKind): void {
  const of = `La compra ${number}`;
  if (receipts.length >= maxReceipts)
    throw new ApiError("CONFLICT", { message: `${of} ya tiene ${maxReceipts} recepciones. Ciérrela y haga otra.` });
  // What came of a closed one may still go back.
  if (status === "closed" && kind !== "receipt") return;
  if (purchaseStates[status].receives) return;
  throw new ApiError("CONFLICT", {
    param: "id",
    message: `${of} está ${purchaseStates[status].spanish.toLowerCase()} y no recibe más. Haga otra con lo que llegó.`,
  });
}

/** In thousandths, because 0.3 − 0.1 is not 0.2. */
const minus = (one: number, other: number): number => Number(milli(one) - milli(other)) / 1000;
const plus = (one: number, other: number): number => minus(one, -other);

/** What of a receipt was not corrected yet, by line. */
function standing({ receipts }: Purchase, { id, lines }: PurchaseReceipt): Map<string, number> {
  const left = new Map(lines.map(({ line_id, quantity }) => [line_id, quantity]));
  for (const one of receipts)
    if (one.corrects === id)
      for (const { line_id, quantity } of one.lines) left.set(line_id, minus(left.get(line_id) ?? 0, quantity));
  return left;
}

function movedLines(
  purchase: Purchase,
  kind: ReceiptKind,
  corrected: PurchaseReceipt | undefined,
  { lines }: NewReceipt,
): Moved[] {
  const stands = corrected && standing(purchase, corrected);
  const limitOf = (line: PurchaseLine) =>
    stands ? Math.min(stands.get(line.id) ?? 0, minus(line.received, line.returned)) : round(kinds[kind].left(line));
  if (lines === undefined) {
    if (kind === "return")
      throw validationError([{ param: "lines", message: "`lines` falta: diga qué se devuelve, y cuánto." }]);
    const all = purchase.lines.flatMap((line, i): Moved[] => {
      const quantity = limitOf(line);
      return quantity > 0 ? [{ line, quantity, param: `lines.${i}` }] : [];
    });
    if (all.length > 0) return all;
    throw new ApiError("CONFLICT", {
      message:
        kind === "receipt"
          ? `De la compra ${purchase.number} no falta nada por recibir. Si llegó más, haga otra compra.`
          : "De esa recepción no queda nada por corregir.",
    });
  }
  const byId = new Map(purchase.lines.map((line) => [line.id, line]));
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const moved = lines.flatMap(({ line_id, quantity }, i): Moved[] => {
    const line = byId.get(line_id.toLowerCase());
    const problem = !line
      ? { param: `lines.${i}.line_id`, message: `\`lines.${i}.line_id\` no es de una línea de esta compra.` }
      : seen.has(line.id)
        ? { param: `lines.${i}.line_id`, message: `«${line.description}» está dos veces. Deje una sola línea.` }
        : tooMuch(kind, line, quantity, limitOf(line), `lines.${i}.quantity`);
    if (line) seen.add(line.id);
    if (problem) errors.push(problem);
    return line && !problem ? [{ line, quantity, param: `lines.${i}` }] : [];
  });
  if (errors.length > 0) throw validationError(errors);
  return moved;
}

const round = (quantity: number): number => Math.round(quantity * 1000) / 1000;

function tooMuch(
  kind: ReceiptKind,
  { description, unit, quantity: bought }: PurchaseLine,
  quantity: number,
  limit: number,
  param: string,
): FieldError | undefined {
  if (quantity <= limit) return undefined;
  const message = {
    receipt: `De «${description}» faltan ${limit} de ${bought} (${unit}) y se quieren recibir ${quantity}. Si llegó más, haga otra compra con lo que sobra.`,
    return: `De «${description}» hay ${limit} (${unit}) que se pueden devolver, y no ${quantity}.`,
    correction: `De «${description}» esa recepción tiene ${limit} (${unit}) sin corregir ni devolver, y no ${quantity}.`,
  }[kind];
  return { param, message };
}

/** A correction takes from where it was put. */
async function warehouseOf(
  write: Write,
  purchase: Purchase,
  corrected: PurchaseReceipt | undefined,
  asked: string | undefined,
): Promise<string> {
  if (corrected) return corrected.warehouse_id;
  return findWarehouse(write, asked ?? purchase.warehouse_id);
}

interface Move {
  kind: ReceiptKind;
  corrected: PurchaseReceipt | undefined;
  warehouse_id: string;
  moved: readonly Moved[];
}

/** Records movements one after the other: a write does not see what it has put. */
async function moveStock(
  write: Write,
  { number, invoice_number }: Purchase,
  { kind, corrected, warehouse_id, moved }: Move,
): Promise<PurchaseReceiptLine[]> {
  const location_id = await placeOf(write, warehouse_id);
  const ids = moved.flatMap(({ line }) => line.product_id ?? []);
  const stored = new Map<string, Stored<Product, ProductLedger>>(await write.loadMany(products, ids));
  const { type, sign, origin, words } = kinds[kind];
  return moved.map(({ line, quantity, param }) => {
    if (line.product_id === null)
      throw validationError([
        { param, message: `De «${line.description}» nadie ha dicho qué producto es. Edite la compra y escójalo.` },
      ]);
    const product = stored.get(line.product_id);
    if (!product) throw referenceNotFound(`${param}.line_id`, "un producto de la cuenta");
    const base = Number(baseMilli({ quantity, factor: line.factor })) / 1000;
    requireMovable(product.body, base, { product: `${param}.line_id`, quantity: `${param}.quantity` });
    const before = corrected?.lines.find(({ line_id }) => line_id === line.id);
    const unit_cost = before?.unit_cost ?? line.landed_unit_cost;
    const {
      movement,
      product: after,
      emitCreated,
    } = recordMovement(write, product, {
      ...{ warehouse_id, location_id, type, quantity: base * sign, unit_cost, origin_type: origin },
      reason: words,
      reference: invoice_number ?? `Compra ${number}`,
    });
    stored.set(line.product_id, after);
    emitCreated();
    const { product_id, variant_id } = line;
    return {
      line_id: line.id,
      product_id,
      variant_id,
      quantity,
      base_quantity: base,
      unit_cost,
      movement_id: movement.id,
    };
  });
}

function withMoved(purchase: Purchase, kind: ReceiptKind, moved: readonly Moved[]): Purchase {
  const by = new Map(moved.map(({ line, quantity }) => [line.id, quantity]));
  const lines = purchase.lines.map((line): PurchaseLine => {
    const quantity = by.get(line.id) ?? 0;
    if (kind === "return") return { ...line, returned: plus(line.returned, quantity) };
    return { ...line, received: kind === "receipt" ? plus(line.received, quantity) : minus(line.received, quantity) };
  });
  return { ...purchase, lines };
}

/** By what is here; what was closed stays so. */
function statusOf({ status, lines, ordered_at }: Purchase): Purchase["status"] {
  if (status === "closed") return status;
  if (lines.every(({ quantity, received }) => received >= quantity)) return "received";
  if (lines.some(({ received }) => received > 0)) return "partly_received";
  return ordered_at === null ? "draft" : "ordered";
}

/** What is owed changes by what came of the goods, in an entry that stays. */
function owe(write: Write, { id, supplier_id, location_id }: Purchase, { kind, owed, number }: PurchaseReceipt): void {
  if (owed === 0) return;
  write.addStatement(sql`
    insert into payable_entries (account_id, id, supplier_id, purchase_id, location_id, kind, amount, note, created_at)
    values (${write.accountId}, ${uuidv7(write.at)}, ${supplier_id}, ${id}, ${must(location_id, "A purchase has its sede")},
      ${kind}, ${owed}, ${`Recepción ${number}`}, ${write.at})`);
}
