import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { writeOwnFields } from "../../engine/writing/write-own-fields.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { readTaxProfile } from "../counter/tax-profile.ts";
import { findWarehouse, placeOf } from "../inventory/find-warehouse.ts";
import { suppliers } from "../suppliers/resource.ts";
import type { Supplier } from "../suppliers/schema.ts";
import { type LineInput, linesOf, totalsOf } from "./amounts.ts";
import { dueDate, requireDay } from "./due-date.ts";
import { findLines } from "./find-lines.ts";
import { type NewCharge, NewPurchase, PurchaseChanges } from "./new-purchase.ts";
import { invoiceKey, purchases } from "./resource.ts";
import type { Purchase, PurchaseCharge, PurchaseLine } from "./schema.ts";
import { type Decision, mayDecide, purchaseStates } from "./states.ts";
import { rememberItems } from "./supplier-items.ts";

export const purchaseOperations: Operations<Purchase> = {
  create: {
    body: NewPurchase,
    run: (write, input: NewPurchase) => createPurchase(write, input),
    emits: [],
    errors: ["NOT_FOUND", "CONFLICT", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED", "COMPOSITE_STOCK_UNSUPPORTED"],
  },
  update: {
    body: PurchaseChanges,
    run: updatePurchase,
    emits: [],
    errors: ["CONFLICT", "VARIANT_STOCK_UNSUPPORTED", "COMPOSITE_STOCK_UNSUPPORTED"],
  },
};

/** Of an electronic invoice: what it says besides what somebody may type. */
export interface FromInvoice {
  cufe?: string | undefined;
  rounding?: number | undefined;
  lines?: readonly LineInput[] | undefined;
  /** Whom this write found or made: what it has put it does not find. */
  supplier?: Supplier | undefined;
}

export async function createPurchase(write: Write, input: NewPurchase, read: FromInvoice = {}): Promise<Purchase> {
  const supplier = read.supplier ?? (await requireSupplier(write, input.supplier_id));
  const warehouse_id = await findWarehouse(write, input.warehouse_id);
  const charges = chargesOf(write, input.charges ?? []);
  const lines = await computeLines(write, read.lines ?? (await findLines(write, supplier.id, input.lines)), charges);
  const at = write.at.toISOString();
  const rounding = read.rounding ?? 0;
  const invoice = { invoice_number: input.invoice_number || null, invoice_date: input.invoice_date ?? null };
  requireDay("invoice_date", invoice.invoice_date);
  requireDay("due_date", input.due_date ?? null);
  const status = input.status ?? "draft";
  const body: Purchase = {
    object: "purchase",
    id: uuidv7(write.at),
    number: await nextNumber(write),
    status,
    supplier_id: supplier.id,
    supplier_name: supplier.name,
    warehouse_id,
    ...invoice,
    due_date: input.due_date ?? dueDate(invoice.invoice_date, supplier.term_days),
    cufe: read.cufe ?? null,
    lines,
    charges,
    ...totalsOf({ lines, charges, rounding }),
    owed: 0,
    paid: 0,
    receipts: [],
    notes: input.notes || null,
    cancelled_reason: null,
    ordered_at: status === "ordered" ? at : null,
    received_at: null,
    closed_at: null,
    cancelled_at: null,
    ...(await writeOwnFields(write, purchases, {}, input)),
    created_at: at,
    updated_at: at,
    location_id: await placeOf(write, warehouse_id),
  };
  await requireOwnInvoice(write, body);
  write.put(purchases, { body });
  for (const statement of rememberItems(write, body)) write.addStatement(statement);
  return body;
}

export async function updatePurchase(
  write: Write,
  { body: before }: Loaded<Purchase>,
  changes: PurchaseChanges,
): Promise<Purchase> {
  refuseLate(before, changes);
  const supplier = await requireSupplier(write, changes.supplier_id ?? before.supplier_id);
  const warehouse_id =
    changes.warehouse_id === undefined ? before.warehouse_id : await findWarehouse(write, changes.warehouse_id);
  const charges = changes.charges ? chargesOf(write, changes.charges) : before.charges;
  const goods =
    changes.lines || changes.charges
      ? await computeLines(
          write,
          changes.lines ? await findLines(write, supplier.id, changes.lines) : again(before.lines),
          charges,
        )
      : before.lines;
  requireDay("invoice_date", changes.invoice_date ?? null);
  requireDay("due_date", changes.due_date ?? null);
  const invoice_date = changes.invoice_date === undefined ? before.invoice_date : changes.invoice_date;
  const isDated = changes.invoice_date !== undefined || changes.supplier_id !== undefined || changes.due_date === null;
  const body: Purchase = {
    ...before,
    supplier_id: supplier.id,
    supplier_name: changes.supplier_id === undefined ? before.supplier_name : supplier.name,
    warehouse_id,
    invoice_number: changes.invoice_number === undefined ? before.invoice_number : changes.invoice_number || null,
    invoice_date,
    due_date: changes.due_date ?? (isDated ? dueDate(invoice_date, supplier.term_days) : before.due_date),
    lines: goods,
    charges,
    ...totalsOf({ lines: goods, charges, rounding: changes.lines ? 0 : before.rounding }),
    notes: changes.notes === undefined ? before.notes : changes.notes || null,
    ...(await writeOwnFields(write, purchases, before, changes)),
    updated_at: write.at.toISOString(),
    ...(changes.warehouse_id !== undefined && { location_id: await placeOf(write, warehouse_id) }),
  };
  const decided = changes.status === undefined ? body : decide(write, body, changes.status, changes.cancelled_reason);
  await requireOwnInvoice(write, decided);
  write.put(purchases, { body: decided });
  if (changes.lines) for (const statement of rememberItems(write, decided)) write.addStatement(statement);
  return decided;
}

/** What is here is what was received: what it cost changes by correcting that, never by editing it away. */
function refuseLate(before: Purchase, changes: PurchaseChanges): void {
  const [late] = (["lines", "charges", "supplier_id", "warehouse_id"] as const).filter(
    (name) => changes[name] !== undefined,
  );
  const of = `La compra ${before.number}`;
  if (before.status === "cancelled")
    throw new ApiError("CONFLICT", { message: `${of} está cancelada y no cambia. Haga una nueva.` });
  if (late !== undefined && !purchaseStates[before.status].isOpen)
    throw new ApiError("CONFLICT", {
      param: late,
      message: `${of} ya se recibió: \`${late}\` no cambia. Corrija la recepción, edite la compra y recíbala otra vez.`,
    });
  if (changes.cancelled_reason && changes.status !== "cancelled")
    throw validationError([{ param: "cancelled_reason", message: '`cancelled_reason` va con `status: "cancelled"`.' }]);
}

function decide(write: Write, body: Purchase, to: Decision, reason: string | null | undefined): Purchase {
  if (body.status === to) return body;
  if (!mayDecide(body.status, to))
    throw new ApiError("CONFLICT", {
      param: "status",
      message: `La compra ${body.number} está ${purchaseStates[body.status].spanish.toLowerCase()} y no puede quedar ${purchaseStates[to].spanish.toLowerCase()}.`,
    });
  const at = write.at.toISOString();
  return {
    ...body,
    status: to,
    ...(to === "ordered" && { ordered_at: at }),
    ...(to === "closed" && { closed_at: at }),
    ...(to === "cancelled" && { cancelled_at: at, cancelled_reason: reason || null }),
  };
}

export async function requireSupplier(write: Write, id: string): Promise<Supplier> {
  const found = await write.load(suppliers, id);
  if (!found) throw referenceNotFound("supplier_id", "un proveedor");
  return found.body;
}

function chargesOf(write: Write, charges: readonly NewCharge[]): PurchaseCharge[] {
  return charges.map(({ description, amount, tax, spread_by, in_invoice }) => ({
    object: "purchase_charge",
    id: uuidv7(write.at),
    description,
    amount,
    tax: tax ?? 0,
    spread_by: spread_by ?? "value",
    in_invoice: in_invoice ?? true,
  }));
}

/** Its lines as they were said, to be computed with other charges. */
export const again = (lines: readonly PurchaseLine[]): LineInput[] =>
  lines.map(
    ({ id, product_id, variant_id, supplier_code, description, unit, factor, quantity, unit_cost, ...rest }) => ({
      ...{ id, product_id, variant_id, supplier_code, description, unit, factor, quantity, unit_cost },
      ...{ discount: rest.discount, weight: rest.weight, taxes: rest.taxes },
    }),
  );

export async function computeLines(
  write: Write,
  inputs: readonly LineInput[],
  charges: readonly PurchaseCharge[],
): Promise<PurchaseLine[]> {
  const byWeight = charges.findIndex(({ spread_by }) => spread_by === "weight");
  const light = inputs.findIndex(({ weight }) => weight === null);
  if (byWeight >= 0 && light >= 0)
    throw validationError([
      {
        param: `lines.${light}.weight`,
        message: `\`lines.${light}.weight\` falta: «charges.${byWeight}» se reparte por peso.`,
      },
    ]);
  const { regime } = await readTaxProfile(write.client, write.accountId);
  return linesOf(inputs, charges, regime === "iva");
}

/** The account's lock is held: nobody else takes it. */
async function nextNumber({ client, accountId }: Write): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    sql`select coalesce(max(number), 0) + 1 as next from purchases where account_id = ${accountId}`,
  );
  return Number(oneRow(rows).next);
}

/** The same invoice twice would bring the same goods twice, and owe them twice. */
async function requireOwnInvoice({ client, accountId }: Write, body: Purchase): Promise<void> {
  const key = invoiceKey(body);
  if (key === null && body.cufe === null) return;
  const { rows } = await client.query<{ id: string; number: number; same: boolean }>(sql`
    select id, number, coalesce(invoice_key = ${key}, false) as same from purchases
    where account_id = ${accountId} and id <> ${body.id} and (invoice_key = ${key} or cufe = ${body.cufe}) limit 1`);
  const [other] = rows;
  if (!other || body.status === "cancelled") return;
  throw new ApiError("CONFLICT", {
    param: other.same ? "invoice_number" : "cufe",
    message: `Esa factura de ${body.supplier_name} ya está en la compra ${other.number} (${other.id}). Ábrala, o revise el número.`,
  });
}
