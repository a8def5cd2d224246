import { type FormEvent, useEffect, useRef, useState } from "react";
import { pesos } from "../../../register/format.ts";
import type { Payment } from "../../../register/protocol.ts";
import { meansOffered, paymentName } from "../../../src/taxes/means.ts";
import { NumberField } from "../ui/number-field.tsx";
import { ReferenceField } from "../ui/reference-field.tsx";
import { CloseSign } from "../ui/signs.tsx";

/** A payment that is not cash, with its reference if somebody typed one. */
export function paymentBy(payment_method: string, amount: number, reference: string): Payment {
  return { payment_method, amount, ...(reference.trim() !== "" && { reference: reference.trim() }) };
}

/** The parts that are not cash, each with a way to take it back. */
export function Parts({ others, onChange }: { others: readonly Payment[]; onChange: (others: Payment[]) => void }) {
  if (others.length === 0) return null;
  return (
    <ul className="parts">
      {others.map(({ payment_method, amount, reference }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be alike
        <li key={i}>
          <span>
            {paymentName(payment_method)} {reference && <small className="dim">{reference}</small>}
          </span>
          <strong>{pesos(amount)}</strong>
          <button
            type="button"
            aria-label={`Quitar ${paymentName(payment_method)}`}
            onClick={() => onChange(others.filter((_, at) => at !== i))}
          >
            <CloseSign />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** All of it with one means. The reference is a form of its own: Enter in it pays nothing. */
export function OneMeans(props: { rest: number; isReady: boolean; onPaid: (payment: Payment) => void }) {
  const { rest, isReady, onPaid } = props;
  const [reference, setReference] = useState("");
  return (
    <>
      <fieldset className="bare choices" aria-label="Pagar todo con un solo medio">
        {meansOffered("counter")
          .filter((method) => method !== "CASH")
          .map((method) => (
            <button
              key={method}
              type="button"
              disabled={!isReady}
              onClick={() => onPaid(paymentBy(method, rest, reference))}
            >
              {paymentName(method)}
            </button>
          ))}
      </fieldset>
      <form onSubmit={(event) => event.preventDefault()}>
        <ReferenceField value={reference} onChange={setReference} />
      </form>
    </>
  );
}

/** Pays a part with another means; what is left is charged in cash or with the next one. */
export function Split({ rest, onAdd }: { rest: number; onAdd: (payment: Payment) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [method, setMethod] = useState<string>("CARD");
  const [amount, setAmount] = useState<number>();
  const [reference, setReference] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOpen) form.current?.querySelector("input")?.focus();
  }, [isOpen]);
  if (!isOpen)
    return (
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        Dividir el pago
      </button>
    );
  const isValid = amount !== undefined && amount > 0 && amount <= rest;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    onAdd(paymentBy(method, amount, reference));
    setOpen(false);
    setAmount(undefined);
    setReference("");
  }
  return (
    <form ref={form} onSubmit={submit}>
      <fieldset className="part">
        <legend>Una parte con otro medio · hasta {pesos(rest)}</legend>
        <label className="field">
          <span>Medio</span>
          <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
            {meansOffered("counter")
              .filter((one) => one !== "CASH")
              .map((one) => (
                <option key={one} value={one}>
                  {paymentName(one)}
                </option>
              ))}
          </select>
        </label>
        <NumberField label="Valor" value={amount} onChange={setAmount} />
        <ReferenceField label="Referencia de esta parte (opcional)" value={reference} onChange={setReference} />
        <button type="submit" disabled={!isValid}>
          Agregar
        </button>
      </fieldset>
    </form>
  );
}
