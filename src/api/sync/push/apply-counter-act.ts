import type { ActKind } from "../../../business/counter/act-kinds.ts";
import type { Batch } from "./batch.ts";
import { applied, type Outcome } from "./outcome.ts";
import { fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";

/** Something that happened at a counter and is no sale. It is never edited; the same record is one act. */
export function applyCounterAct(batch: Batch, record: Incoming): Outcome {
  const { id, data, findings } = record;
  batch.flags.set(record, findings);
  batch.acts.push({
    id,
    kind: data.kind as ActKind,
    occurred_at: instantIn(data, "occurred_at", batch.at),
    cashier_id: idIn(data, "cashier_id"),
    authorized_by: idIn(data, "authorized_by"),
    shift_id: idIn(data, "shift_id"),
    sale_id: idIn(data, "sale_id"),
    label: fieldIn(data, "label", null),
    amount: fieldIn(data, "amount", null),
    detail: fieldIn(data, "detail", null),
    is_allowed: true,
  });
  return applied;
}
