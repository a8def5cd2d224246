import { type FormEvent, useState } from "react";
import { pesos } from "../../../register/format.ts";
import type { Payment } from "../../../register/protocol.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { meansOffered, paymentName } from "../../../src/taxes/means.ts";
import { ReferenceField } from "../ui/reference-field.tsx";
import { useFirstField } from "../ui/use-first-field.ts";

interface Props {
  sale: KeptSale;
  onCorrect: (part: number, means: Omit<Payment, "amount">) => void;
  onClose: () => void;
}

/** A wrong means is put right: what was paid stays, how it was paid changes. */
export function MeansForm({ sale, onCorrect, onClose }: Props) {
  const { payments } = sale.charge;
  const [part, setPart] = useState(0);
  const [method, setMethod] = useState("");
  const [reference, setReference] = useState("");
  const current = payments[part]!;
  const form = useFirstField<HTMLFormElement>();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (method === "" || method === current.payment_method) return;
    const isCash = method === "CASH";
    onCorrect(part, {
      payment_method: method,
      ...(!isCash && reference.trim() !== "" && { reference: reference.trim() }),
    });
  }
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <p>Lo cobrado no cambia: solo con qué se pagó, en el tiquete y en las cuentas del turno.</p>
      {payments.length > 1 && (
        <label className="field">
          <span>Qué parte</span>
          <select value={part} onChange={(event) => setPart(Number(event.currentTarget.value))}>
            {payments.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be alike
              <option key={i} value={i}>
                {paymentName(one.payment_method)} {pesos(one.amount)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="field">
        <span>
          {paymentName(current.payment_method)} {pesos(current.amount)} fue en realidad
        </span>
        <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
          <option value="">Elija el medio</option>
          {meansOffered("counter")
            .filter((one) => one !== current.payment_method)
            .map((one) => (
              <option key={one} value={one}>
                {paymentName(one)}
              </option>
            ))}
        </select>
      </label>
      {method !== "" && method !== "CASH" && <ReferenceField value={reference} onChange={setReference} />}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          No corregir
        </button>
        <button type="submit" className="primary" disabled={method === "" || method === current.payment_method}>
          Corregir
        </button>
      </div>
    </form>
  );
}
