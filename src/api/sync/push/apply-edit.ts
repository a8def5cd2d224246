import { addEntry } from "../../../business/inventory/ledger.ts";
import { type MovementColumns, warehouses } from "../../../business/inventory/resource.ts";
import type { StockMovement } from "../../../business/inventory/schema.ts";
import { productCodes } from "../../../business/products/barcodes.ts";
import type { ProductLedger } from "../../../business/products/ledger.ts";
import { codesOf } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import { withLedger } from "../../../business/products/with-ledger.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Loaded, MergedResource, RecordBody, Stored } from "../../../engine/resources/resource.ts";
import { creation, type Tracking } from "../../../engine/resources/revisions.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { feedData } from "../feed-data.ts";
import { type Kind, plainKind } from "./kind.ts";
import { type Edit, mergeFields } from "./merge-fields.ts";
import { noteCatalogue, noteRemovedVariant } from "./note-catalogue.ts";
import { noteDeletion } from "./note-deletions.ts";
import { applied, type Outcome, refused, tooLarge } from "./outcome.ts";
import { productKind } from "./product-kind.ts";
import { addTo } from "./push-reads.ts";
import { quoteKind } from "./quote-kind.ts";
import type { Incoming } from "./read-record.ts";
import type { RecordSet, WorkingSet } from "./working-set.ts";

export function applyPlain(batch: WorkingSet, resource: MergedResource, record: Incoming): Outcome {
  return applyEdit(batch, batch.recordSetOf(resource), plainKind(resource), record);
}

export function applyQuote(batch: WorkingSet, record: Incoming): Outcome {
  return applyEdit(batch, batch.recordSets.quotes, quoteKind, record);
}

/** A new warehouse is assigned the movements that were waiting for it. */
export function applyWarehouse(batch: WorkingSet, record: Incoming): Outcome {
  const outcome = applyPlain(batch, warehouses, record);
  const { stockMovements } = batch.recordSets;
  if (!batch.recordSets.warehouses.get(record.id)) return outcome;
  for (const id of batch.parkedMovements.get(record.id) ?? []) {
    const movement = must(stockMovements.get(id), "Movements that wait are loaded with the working set");
    stockMovements.set({ ...movement, body: { ...movement.body, warehouse_id: record.id, updated_at: batch.at } });
  }
  batch.parkedMovements.delete(record.id);
  return outcome;
}

/** A product that arrives after some of its movements starts with their stock. */
export function applyProduct(batch: WorkingSet, sent: Incoming): Outcome {
  const record = readBy(batch, sent);
  const { products, stockMovements } = batch.recordSets;
  const before = products.get(record.id);
  const outcome = applyEdit(batch, products, productKind, record, (made) => {
    const entries = [...(batch.orphanMovements.get(record.id) ?? [])].map((id) =>
      must(stockMovements.get(id), "Movements that wait are loaded with the working set"),
    );
    batch.orphanMovements.delete(record.id);
    return withEntries(made, entries);
  });
  const after = products.get(record.id);
  noteCatalogue(batch, record, before?.body, after?.body);
  const known = before && !before.body.deleted_at ? codesOf(before.body) : [];
  for (const code of after ? codesOf(after.body) : [])
    if (!known.includes(code)) addTo(batch.newCodes, record.id, code);
  return outcome;
}

/** A register that does not announce the other codes of products cannot have meant them. */
function readBy({ capabilities }: WorkingSet, record: Incoming): Incoming {
  if (record.data.barcodes === undefined || capabilities?.includes(productCodes)) return record;
  const { barcodes, ...data } = record.data;
  return { ...record, data };
}

function withEntries(
  made: Stored<Product, ProductLedger>,
  entries: readonly Stored<StockMovement, MovementColumns>[],
): Stored<Product, ProductLedger> {
  const ledger = entries.reduce(addEntry, made);
  return { ...ledger, body: withLedger(made.body, ledger) };
}

/** The deletion of a single variant. */
export function applyVariantDeletion(batch: WorkingSet, record: Incoming): Outcome {
  const { products } = batch.recordSets;
  const product = products.get((record.data.product_id as string).toLowerCase());
  if (!product?.body.variants.some((variant) => variant.id === record.id)) return applied;
  const variants = product.body.variants.filter((variant) => variant.id !== record.id);
  const changed = { ...product.body, variants, has_variants: variants.length > 0, updated_at: batch.at };
  const body = withLedger(changed, product);
  const revisions = {
    ...product.tracking!.revisions,
    [`variants.${record.id}`]: editOf(batch, record).revision,
  };
  products.set({ ...product, body }, { revisions, feedSeq: batch.write.seq });
  const gone = product.body.variants.find((variant) => variant.id === record.id);
  if (gone) {
    const name = `${product.body.name} · ${gone.label}`;
    noteDeletion(batch, record, { ...gone, name });
    noteRemovedVariant(batch, record, name);
  }
  batch.events.push({ type: "product.updated", body });
  return applied;
}

function editOf(batch: WorkingSet, record: Incoming): Edit & { revision: [number, number, string] } {
  const atMs = batch.editedAtMs(record);
  const { seq } = batch.write;
  return { seq, atMs, deviceId: batch.deviceId, baseSeq: record.baseSeq, revision: [seq, atMs, batch.deviceId] };
}

/** Merges an upload of a record that several registers and the API may edit. */
function applyEdit<B extends RecordBody, P extends object>(
  batch: WorkingSet,
  recordSet: RecordSet<B, P>,
  kind: Kind<B, P>,
  record: Incoming,
  finish: (made: Stored<B, P>) => Stored<B, P> = (made) => made,
): Outcome {
  const before = recordSet.get(record.id);
  if (!before) return createRecord(batch, recordSet, kind, record, finish);
  if (kind.resource.isFinal?.(before.body)) return { status: "merged", record: feedData(before.body, batch) };
  const edit = editOf(batch, record);
  const changedUnits = record.changed && new Set(record.changed.map(kind.unitOf));
  const isChanged = (unit: string) => changedUnits === null || changedUnits.has(unit);
  const units = record.op === "delete" ? { deleted: true } : kind.read(record.data, before.body);
  const competing =
    record.op === "delete" ? units : Object.fromEntries(Object.entries(units).filter(([unit]) => isChanged(unit)));
  const merged = mergeFields(
    { units: kind.resource.units!(before), revisions: before.tracking!.revisions },
    competing,
    edit,
  );
  if (record.op === "upsert") kind.mergeLists?.(merged, record.data, record.changed, edit);
  const after = merged.changed.length > 0 ? kind.make(merged.units, record.id, batch.at, before) : undefined;
  const refusal = after && tooLarge(after.body);
  if (refusal) return refusal;
  for (const conflict of merged.conflicts) batch.addConflict(record, conflict);
  if (after) {
    recordSet.set({ ...before, ...after }, { revisions: merged.revisions, feedSeq: batch.write.seq });
    const { updated, deleted } = kind.resource.events ?? {};
    if (merged.changed.some((unit) => unit !== "deleted")) addEvent(batch, updated, after.body);
    if (merged.changed.includes("deleted") && isDeleted(after)) addEvent(batch, deleted, after.body);
  }
  const now = must(recordSet.get(record.id), "The record has just been set");
  if (isDeleted(now) && !isDeleted(before)) noteDeletion(batch, record, before.body);
  if (isDeleted(now)) batch.flags.set(record, []);
  else flagEdit(batch, kind, record);
  const wasDeleted = record.op === "upsert" && isDeleted(now);
  if (merged.conflicts.length === 0 && !wasDeleted) return applied;
  // The response may get lost, and its retry is only a duplicate: the feed makes sure the register gets the merged record.
  batch.write.resend(kind.resource, record.id);
  return { status: "merged", record: feedData(now.body, batch) };
}

function createRecord<B extends RecordBody, P extends object>(
  batch: WorkingSet,
  recordSet: RecordSet<B, P>,
  kind: Kind<B, P>,
  record: Incoming,
  finish: (made: Stored<B, P>) => Stored<B, P>,
): Outcome {
  // The server never received this record, so there is nothing to delete.
  if (record.op === "delete") return applied;
  const units = kind.read(record.data, undefined);
  const missing = kind.needs.find((unit) => units[unit] === undefined);
  if (missing !== undefined) return refused("MISSING_FIELDS", `data.${missing}: falta para crear el registro`);
  const made = finish(kind.make(units, record.id, batch.at, undefined));
  batch.flags.set(record, [...record.findings, ...(kind.check?.(record.data) ?? [])]);
  const tracking: Tracking = { revisions: { [creation]: editOf(batch, record).revision }, feedSeq: batch.write.seq };
  recordSet.set(made, tracking);
  if (!isDeleted(made)) addEvent(batch, kind.resource.events?.created, made.body);
  return applied;
}

/** Replaces the findings about the fields that the upload edits. Other fields keep theirs. */
function flagEdit<B extends RecordBody, P extends object>(batch: WorkingSet, kind: Kind<B, P>, record: Incoming): void {
  const unitAt = (path: string) => kind.unitOf(path.split(".")[0]!);
  const sent = new Set(Object.keys(record.data).map(unitAt));
  const changed = record.changed && new Set(record.changed.map(unitAt));
  const counts = ({ field }: Finding) => sent.has(unitAt(field)) && (changed === null || changed.has(unitAt(field)));
  const found = [...record.findings, ...(kind.check?.(record.data) ?? [])];
  batch.flags.set(record, [...batch.flags.get(record).filter((one) => !counts(one)), ...found.filter(counts)]);
}

function isDeleted({ body, deletedAt }: Pick<Loaded<RecordBody>, "body" | "deletedAt">): boolean {
  return (body.deleted_at === undefined ? deletedAt : body.deleted_at) != null;
}

function addEvent(batch: WorkingSet, type: EventType | undefined, body: RecordBody): void {
  if (type !== undefined) batch.events.push({ type, body });
}
