import { type FormEvent, useState } from "react";
import { pesos } from "../../../register/format.ts";
import { suggestedTip, type Ticket } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { useCounter, useOpen } from "../use-device.ts";
import { isMuchTip, MuchTip } from "./much-tip.tsx";
import { useEdit } from "./use-edit.ts";

/** What belongs to the whole ticket: discount, tip, table, notes. */
export function TicketPanel({ onDrop, onClose }: { onDrop: () => void; onClose: () => void }) {
  const { counter } = useOpen();
  const { edit, isFree } = useEdit();
  const { current, business } = useCounter();
  const [unit, setUnit] = useState<"percent" | "pesos">(
    current.discount && "pesos" in current.discount ? "pesos" : "percent",
  );
  const [discount, setDiscount] = useState<number | undefined>(amountOf(current.discount));
  const [tip, setTip] = useState<number | undefined>(current.tip);
  const [askedTip, setAskedTip] = useState(current.tip);
  const [label, setLabel] = useState(current.table_label ?? "");
  const [notes, setNotes] = useState(current.notes ?? "");
  const change: Partial<Ticket> = {
    discount: discount ? (unit === "percent" ? { percent: discount } : { pesos: discount }) : null,
    tip: tip ?? 0,
    table_label: label.trim() || null,
    notes: notes.trim() || null,
  };
  const isValid =
    discount !== undefined && tip !== undefined && isSellable(() => counter.totals({ ...current, ...change }));
  const suggested =
    business.tip_percent > 0 ? suggestedTip(counter.totals({ ...current, discount: null }), business.tip_percent) : 0;
  const changed = (ticket: Ticket) => ({ ...ticket, ...change });
  const isAsked = isValid && isMuchTip(counter.totals({ ...current, ...change }), tip) && askedTip === tip;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    if (isMuchTip(counter.totals({ ...current, ...change }), tip) && askedTip !== tip) setAskedTip(tip);
    else edit(changed, onClose);
  }
  useScan({
    take() {
      const { discount: _, ...others } = change;
      if (isValid) edit(isFree(changed) ? changed : (ticket) => ({ ...ticket, ...others }));
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title="Descuento y notas" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <div className="pair">
          <NumberField
            label="Descuento"
            value={discount}
            onChange={setDiscount}
            {...(unit === "percent" && { decimals: 2, most: 100 })}
            autoFocus
          />
          <label className="field">
            <span>En</span>
            <select value={unit} onChange={(event) => setUnit(event.currentTarget.value as "percent" | "pesos")}>
              <option value="percent">%</option>
              <option value="pesos">pesos</option>
            </select>
          </label>
        </div>
        <NumberField
          label="Propina voluntaria"
          value={tip}
          onChange={setTip}
          hint={
            suggested > 0
              ? `Pregunte: ${business.tip_percent} % son ${pesos(suggested)}. Solo si el cliente acepta.`
              : undefined
          }
        />
        {isAsked && tip !== current.tip && <MuchTip tip={tip} />}
        <label className="field">
          <span>Mesa o nombre</span>
          <input value={label} onChange={(event) => setLabel(event.currentTarget.value)} maxLength={60} />
        </label>
        <label className="field">
          <span>Notas</span>
          <textarea value={notes} onChange={(event) => setNotes(event.currentTarget.value)} maxLength={500} rows={2} />
        </label>
        {!isValid && <p className="problem">El descuento no cabe en este tiquete.</p>}
        <div className="buttons">
          <button type="button" className="danger" onClick={onDrop}>
            Botar el tiquete <KeyHint act="drop" />
          </button>
          <button type="submit" className="primary" disabled={!isValid}>
            Guardar
          </button>
        </div>
      </form>
    </Panel>
  );
}

function amountOf(discount: Ticket["discount"]): number {
  return discount === null ? 0 : "percent" in discount ? discount.percent : discount.pesos;
}

function isSellable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
