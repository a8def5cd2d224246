import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Operations } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { writeOwnFields } from "../../engine/writing/write-own-fields.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { documentKey } from "./document-key.ts";
import { suppliers } from "./resource.ts";
import { NewSupplier, type Supplier, SupplierChanges } from "./schema.ts";

export const supplierOperations: Operations<Supplier> = {
  create: { body: NewSupplier, run: createSupplier, errors: ["CONFLICT"] },
  update: { body: SupplierChanges, run: updateSupplier, errors: ["CONFLICT"] },
};

export async function createSupplier(write: Write, input: NewSupplier): Promise<Supplier> {
  await requireOwnDocument(write, null, input.document_number);
  const at = write.at.toISOString();
  const body: Supplier = {
    object: "supplier",
    id: uuidv7(write.at),
    name: input.name,
    document_type: input.document_type ?? "NIT",
    document_number: input.document_number || null,
    contact_name: input.contact_name || null,
    email: input.email || null,
    phone: input.phone || null,
    term_days: input.term_days ?? 0,
    notes: input.notes || null,
    active: input.active ?? true,
    ...(await writeOwnFields(write, suppliers, {}, input)),
    created_at: at,
    updated_at: at,
  };
  write.put(suppliers, { body });
  write.emit("supplier.created", body);
  return body;
}

export async function updateSupplier(
  write: Write,
  current: Loaded<Supplier>,
  changes: SupplierChanges,
): Promise<Supplier> {
  if (documentKey(changes.document_number) !== documentKey(current.body.document_number))
    await requireOwnDocument(write, current.body.id, changes.document_number);
  const own = await writeOwnFields(write, suppliers, current.body, changes);
  const body: Supplier = { ...current.body, ...changes, ...own, updated_at: write.at.toISOString() };
  write.put(suppliers, { body });
  write.emit("supplier.updated", body);
  return body;
}

/** Two suppliers with one document would split what is bought from them and what is owed to them. */
async function requireOwnDocument(write: Write, id: string | null, number: string | null | undefined): Promise<void> {
  const holder = await supplierWithDocument(write, number);
  if (holder === undefined || holder.id === id) return;
  throw new ApiError("CONFLICT", {
    param: "document_number",
    message: `Ese documento ya es de «${holder.name}» (${holder.id}). Use ese proveedor, o revise el número.`,
  });
}

/** Whose document it is, however it was written. */
export async function supplierWithDocument(
  { client, accountId }: Pick<Write, "client" | "accountId">,
  number: string | null | undefined,
): Promise<{ id: string; name: string } | undefined> {
  const key = documentKey(number);
  if (key === null) return undefined;
  const { rows } = await client.query<{ id: string; body: string }>(sql`
    select id, body from suppliers where account_id = ${accountId} and document_key = ${key}
    order by created_at, id limit 1`);
  return rows[0] && { id: rows[0].id, name: (JSON.parse(rows[0].body) as Supplier).name };
}
