import { addEntry, isKnownType, knownTypes } from "../../../business/inventory/ledger.ts";
import { newEntry } from "../../../business/inventory/resource.ts";
import type { StockMovement } from "../../../business/inventory/schema.ts";
import type { ProductLedger } from "../../../business/products/ledger.ts";
import type { Product } from "../../../business/products/schema.ts";
import { withLedger } from "../../../business/products/with-ledger.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { isCountedUnit } from "../../../taxes/units.ts";
import { withoutOurs } from "./apply-owned.ts";
import { applied, duplicate, type Outcome, parked } from "./outcome.ts";
import { addTo } from "./push-reads.ts";
import { fieldIn, type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * A ledger entry, appended once and never edited. It changes its product's stock now, or when the product arrives; the
 * order makes no difference to the sum.
 */
export function applyMovement(batch: WorkingSet, record: Incoming): Outcome {
  const { stockMovements, products, warehouses } = batch.recordSets;
  const stored = stockMovements.get(record.id);
  const wanted = idIn(record.data, "warehouse_id");
  if (stored) {
    const again = readMovement(record, stored.body.warehouse_id, stored.body.created_at, stored.body.updated_at);
    const isSame =
      JSON.stringify(again) === JSON.stringify(withoutOurs(stored.body)) &&
      wanted === (stored.body.warehouse_id ?? stored.wanted_warehouse_id ?? null);
    if (isSame) return duplicate;
    batch.addConflict(record, { unit: "*", kept: null, lost: record.data });
    return { status: "merged", record: stored.body };
  }
  const isKnown = wanted !== null && warehouses.get(wanted) !== undefined;
  const body = readMovement(record, isKnown ? wanted : null, batch.at, batch.at);
  const entry = newEntry(body, { from_api: false, wanted_warehouse_id: wanted, made_us: madeUs(batch, record) });
  stockMovements.set(entry);
  const findings = findingsOf(body, entry.delta_milli);
  batch.events.push({ type: "inventory.movement.created", body });
  if (wanted !== null && !isKnown) addTo(batch.parkedMovements, wanted, record.id);

  const product = products.get(body.product_id);
  if (product) {
    const ledger = addEntry(product, entry);
    products.set({ ...ledger, body: withLedger({ ...product.body, updated_at: batch.at }, ledger) });
    findings.push(...fractionOf(body, ledger));
  } else addTo(batch.orphanMovements, body.product_id, record.id);
  batch.flags.set(record, findings);
  return product && (wanted === null || isKnown) ? applied : parked;
}

/** By its register's clock, put right. What it made in one thousandth of a second keeps its order, in whichever pushes it comes. */
function madeUs({ times }: WorkingSet, record: Incoming): number {
  return times.madeAt(record) * 1000 + (record.deviceSeq % 1000);
}

/** Part of a piece is recorded as it was sent, and shown to the owner, unless it makes the stock whole again. */
function fractionOf({ quantity }: StockMovement, { body, stock_milli }: ProductLedger & { body: Product }): Finding[] {
  if (Number.isInteger(quantity) || !isCountedUnit(body.base_unit) || stock_milli % 1000 === 0) return [];
  const message = `El producto se cuenta en ${body.base_unit}, que no se parte. Cuente cuánto hay y registre un ajuste.`;
  return [finding("quantity", Math.round(quantity), quantity, message)];
}

function findingsOf({ type, quantity }: StockMovement, deltaMilli: number): Finding[] {
  if (isKnownType(type)) return [];
  const done =
    deltaMilli < 0
      ? "se restó de las existencias"
      : deltaMilli > 0
        ? "se sumó a las existencias"
        : `no movió las existencias. Si debía hacerlo, registre un ajuste de ${quantity}`;
  return [finding("type", knownTypes.join(", "), type, `Tipo de movimiento desconocido: ${done}.`)];
}

function readMovement(
  { id, data }: Incoming,
  warehouseId: string | null,
  createdAt: string,
  updatedAt: string,
): StockMovement {
  return {
    object: "stock_movement",
    id,
    product_id: must(idIn(data, "product_id"), "A movement names its product, or it is not readable"),
    variant_id: idIn(data, "variant_id"),
    warehouse_id: warehouseId,
    type: data.type as string,
    quantity: data.quantity as number,
    reason: fieldIn(data, "reason", null),
    reference: fieldIn(data, "reference", null),
    unit_cost: fieldIn(data, "unit_cost", null),
    origin_type: fieldIn(data, "origin_type", null),
    sale_id: idIn(data, "sale_id"),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
