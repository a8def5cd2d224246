import { type FormEvent, useState } from "react";
import { changeTexts } from "../../../register/change-texts.ts";
import { pesos } from "../../../register/format.ts";
import type { Quote } from "../../../register/quote.ts";
import { useScan } from "../scan/use-scan.ts";
import { QuoteDialog } from "../screens/quote-dialog.tsx";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { CustomerPicker, useBuyer } from "./buyer.tsx";

const usualDays = 15;
const mostDays = 365;

/** Turns the ticket into a quote, and shows it once it is on the disk. */
export function MakeQuoteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Quote>();
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  if (made) return <QuoteDialog quote={made} onClose={onClose} />;
  return (
    <Dialog title="Cotizar" onClose={onClose}>
      <QuoteForm onMade={setMade} />
    </Dialog>
  );
}

function QuoteForm({ onMade }: { onMade: (quote: Quote) => void }) {
  const { counter, quotes } = useOpen();
  const device = useDevice();
  const { current } = useCounter();
  const authorize = useAuthorization();
  const customer = useBuyer();
  const [isChoosing, setChoosing] = useState(false);
  const [days, setDays] = useState<number | undefined>(usualDays);
  const [notes, setNotes] = useState(current.notes ?? "");
  const [problem, setProblem] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const { total, tip_amount } = counter.totals(current);
  const isValid = days !== undefined && days >= 1 && days <= mostDays;
  async function submit(event: FormEvent) {
    event.preventDefault();
    const what = changeTexts("remove_kept", current, { ...current, lines: [] }, counter.totals);
    const permit = current.kept && (await authorize("remove_kept", ["El tiquete se vuelve cotización", ...what]));
    if (current.kept && !permit) return;
    setMaking(true);
    try {
      const quote = await quotes.make({ days: days!, notes: notes.trim() || null }, permit);
      device.wake();
      onMade(quote);
    } catch (error) {
      setProblem(storeProblem(error));
      setMaking(false);
    }
  }
  return (
    <div className="stack">
      <p className="due">
        <span>Total</span> <strong>{pesos(total - tip_amount)}</strong>
      </p>
      <button type="button" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
        Para: {customer ?? "sin nombre"}
      </button>
      {isChoosing && (
        <CustomerPicker
          draftOf={current.id}
          nobody="Sin nombre"
          onChoose={(customer_id) => {
            counter.edit((ticket) => ({ ...ticket, customer_id }));
            setChoosing(false);
          }}
        />
      )}
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Days value={days} onChange={setDays} />
        <label className="field">
          <span>Notas</span>
          <textarea value={notes} onChange={(event) => setNotes(event.currentTarget.value)} maxLength={500} rows={2} />
        </label>
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <button type="submit" className="primary big" disabled={!isValid || isMaking}>
          {isMaking ? "Guardando…" : "Guardar cotización"}
        </button>
      </form>
    </div>
  );
}

function Days(props: { value: number | undefined; onChange: (days: number | undefined) => void }) {
  return (
    <NumberField
      label="Vale por cuántos días"
      most={mostDays}
      least={1}
      meaning="days"
      hint="Contando hoy"
      autoFocus
      {...props}
    />
  );
}
