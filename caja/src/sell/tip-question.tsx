import { type FormEvent, useEffect, useRef, useState } from "react";
import { pesos, quantity } from "../../../register/format.ts";
import { suggestedTip } from "../../../register/ticket.ts";
import { mostTipPercent } from "../../../src/taxes/tip.ts";
import { NumberField } from "../ui/number-field.tsx";
import { useCounter, useOpen } from "../use-device.ts";
import { isMuchTip, MuchTip } from "./much-tip.tsx";

/** Where the business asks for a tip. There is none unless the customer accepts it: charging without an answer charges none. */
export function TipQuestion({ isDisabled, onAnswered }: { isDisabled: boolean; onAnswered: () => void }) {
  const { counter } = useOpen();
  const { current, business } = useCounter();
  const [isOther, setOther] = useState(false);
  const [amount, setAmount] = useState<number>();
  const [asked, setAsked] = useState<number>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOther) form.current?.querySelector("input")?.focus();
  }, [isOther]);
  if (business.tip_percent <= 0) return null;
  const percent = Math.min(business.tip_percent, mostTipPercent);
  const suggested = suggestedTip(counter.totals({ ...current, tip: 0 }), percent);
  function put(tip: number): void {
    counter.edit((ticket) => ({ ...ticket, tip }));
    setOther(false);
    onAnswered();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (amount === undefined) return;
    if (isMuchTip(counter.totals({ ...current, tip: amount }), amount) && asked !== amount) setAsked(amount);
    else put(amount);
  }
  const isNone = current.tip === 0;
  const isSuggested = !isNone && current.tip === suggested;
  return (
    <fieldset className="tip" disabled={isDisabled}>
      <legend>¿Propina? Solo si el cliente acepta</legend>
      <div className="choices">
        <button type="button" aria-pressed={isNone && !isOther} onClick={() => put(0)}>
          Sin propina
        </button>
        {suggested > 0 && (
          <button type="button" aria-pressed={isSuggested && !isOther} onClick={() => put(suggested)}>
            {quantity(percent)} % · {pesos(suggested)}
          </button>
        )}
        <button type="button" aria-pressed={isOther || (!isNone && !isSuggested)} onClick={() => setOther(true)}>
          {isNone || isSuggested ? "Otro valor" : pesos(current.tip)}
        </button>
      </div>
      {isOther && (
        <form ref={form} className="pair" onSubmit={submit}>
          <NumberField label="Propina" value={amount} onChange={setAmount} />
          <button type="submit" disabled={amount === undefined}>
            Poner
          </button>
          {amount !== undefined && asked === amount && <MuchTip tip={amount} />}
        </form>
      )}
    </fieldset>
  );
}
