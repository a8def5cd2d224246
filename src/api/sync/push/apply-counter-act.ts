import type { ActKind } from "../../../business/counter/act-kinds.ts";
import type { NewAct } from "../../../business/counter/counter-acts.ts";
import { finding } from "../../../fiscal/findings/finding.ts";
import { uuidFrom, uuidv7 } from "../../../lib/ids.ts";
import { checkClock } from "./check-clock.ts";
import { applied, duplicate, type Outcome } from "./outcome.ts";
import { fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * Something that happened at a counter and is no sale. It is never edited: the same record is one act, and another one of the same
 * id is an act of its own, or a register could hide one behind another.
 */
export function applyCounterAct(batch: WorkingSet, record: Incoming): Outcome {
  const { id, data, findings } = record;
  const act: NewAct = {
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
    cause: null,
  };
  const stored = batch.storedActs.get(id);
  if (stored && contentOf(stored) === contentOf(act)) return duplicate;
  if (!stored) batch.storedActs.set(id, act);
  batch.acts.push(stored ? { ...act, id: uuidv7(batch.write.at), cause: uuidFrom(contentOf(act)) } : act);
  const odd = [...findings, ...checkClock(batch, batch.at, [["occurred_at", act.occurred_at]])];
  batch.flags.set(record, stored ? [...odd, secondAct(id)] : odd);
  return applied;
}

function contentOf(act: NewAct): string {
  const { id, kind, occurred_at, cashier_id, authorized_by, shift_id, sale_id, label, amount, detail } = act;
  const at = new Date(occurred_at).toISOString();
  return JSON.stringify([id, kind, at, cashier_id, authorized_by, shift_id, sale_id, label, amount, detail]);
}

function secondAct(id: string) {
  const message = "La caja ya había subido otro acto con este mismo id. Los dos quedaron en la lista de actos.";
  return finding("id", null, id, message);
}
