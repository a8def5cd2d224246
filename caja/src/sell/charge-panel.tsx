import { type FormEvent, useState } from "react";
import { type ChargeProblem, charge, paymentMethods, quickNotes, roundedCash } from "../../../register/charge.ts";
import { methodName, pesos } from "../../../register/format.ts";
import type { Payment } from "../../../register/protocol.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { openDrawer } from "../paper/printer.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { BuyerFields, isBuyerComplete } from "./buyer.tsx";

export function ChargeDialog({ onSold, onClose }: { onSold: (sale: KeptSale) => void; onClose: () => void }) {
  const { counter } = useOpen();
  const device = useDevice();
  const { current, business } = useCounter();
  const { total } = counter.totals(current);
  const [others, setOthers] = useState<Payment[]>([]);
  const [tendered, setTendered] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isCharging, setCharging] = useState(false);
  const rest = total - others.reduce((sum, { amount }) => sum + amount, 0);
  const due = roundedCash(Math.max(0, rest), business.cash_rounding);
  const preview = charge(total, others, { rounding: business.cash_rounding, tendered });

  async function finish(parts: readonly Payment[], cash: number | undefined): Promise<void> {
    setCharging(true);
    setProblem(undefined);
    try {
      const result = await counter.charge(parts, cash);
      if ("problem" in result) setProblem(problemText(result.problem));
      else {
        device.wake();
        if (result.sale.charge.tendered > 0) void openDrawer().catch(() => {});
        return onSold(result.sale);
      }
    } catch (error) {
      setProblem(storeProblem(error, { isSale: true }));
    }
    setCharging(false);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void finish(others, tendered);
  }
  const isReady = !isCharging && isBuyerComplete(current);
  return (
    <Dialog title="Cobrar" onClose={onClose} wide>
      <form className="charge" onSubmit={submit}>
        <p className="due">
          <span>Total</span> <strong>{pesos(total)}</strong>
        </p>
        <BuyerFields />
        <Parts others={others} onChange={setOthers} />
        {rest > 0 && (
          <>
            <fieldset className="cash">
              <legend>Efectivo · {pesos(due)}</legend>
              <div className="choices">
                {quickNotes(due).map((note) => (
                  <button key={note} type="button" disabled={!isReady} onClick={() => void finish(others, note)}>
                    {note === due ? "Exacto" : pesos(note)}
                  </button>
                ))}
              </div>
              <NumberField label="Recibido" value={tendered} onChange={setTendered} autoFocus />
            </fieldset>
            <fieldset className="bare choices" aria-label="Pagar todo con un solo medio">
              {paymentMethods
                .filter((method) => method !== "CASH" && rest > 0)
                .map((method) => (
                  <button
                    key={method}
                    type="button"
                    disabled={!isReady}
                    onClick={() => void finish([...others, { payment_method: method, amount: rest }], undefined)}
                  >
                    {methodName(method)}
                  </button>
                ))}
            </fieldset>
            <Split rest={rest} onAdd={(payment) => setOthers([...others, payment])} />
          </>
        )}
        {"charge" in preview && preview.charge.change > 0 && (
          <p className="due">
            <span>Cambio</span> <strong>{pesos(preview.charge.change)}</strong>
          </p>
        )}
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <button type="submit" className="primary big" disabled={!isReady || "problem" in preview}>
          {isCharging ? "Guardando…" : rest > 0 ? "Cobrar en efectivo" : "Terminar la venta"}
        </button>
      </form>
    </Dialog>
  );
}

function problemText(problem: ChargeProblem): string {
  return problem.kind === "too_much"
    ? `Sobran ${pesos(problem.excess)} en los medios de pago.`
    : `Faltan ${pesos(problem.missing)} en efectivo.`;
}

/** The parts that are not cash, each with a way to take it back. */
function Parts({ others, onChange }: { others: readonly Payment[]; onChange: (others: Payment[]) => void }) {
  if (others.length === 0) return null;
  return (
    <ul className="parts">
      {others.map(({ payment_method, amount }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be alike
        <li key={i}>
          <span>{methodName(payment_method)}</span>
          <strong>{pesos(amount)}</strong>
          <button
            type="button"
            aria-label={`Quitar ${methodName(payment_method)}`}
            onClick={() => onChange(others.filter((_, at) => at !== i))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Pays a part with another means; what is left is charged in cash or with the next one. */
function Split({ rest, onAdd }: { rest: number; onAdd: (payment: Payment) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [method, setMethod] = useState<string>("CARD");
  const [amount, setAmount] = useState<number>();
  if (!isOpen)
    return (
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        Dividir el pago
      </button>
    );
  const isValid = amount !== undefined && amount > 0 && amount <= rest;
  return (
    <fieldset className="pair">
      <legend>Una parte con otro medio</legend>
      <label className="field">
        <span>Medio</span>
        <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
          {paymentMethods
            .filter((one) => one !== "CASH")
            .map((one) => (
              <option key={one} value={one}>
                {methodName(one)}
              </option>
            ))}
        </select>
      </label>
      <NumberField label="Valor" value={amount} onChange={setAmount} />
      <button
        type="button"
        disabled={!isValid}
        onClick={() => {
          onAdd({ payment_method: method, amount: amount! });
          setOpen(false);
          setAmount(undefined);
        }}
      >
        Agregar
      </button>
    </fieldset>
  );
}
