import { type FormEvent, useState } from "react";
import { type ChargeProblem, charge, paymentMethods, quickNotes, roundedCash } from "../../../register/charge.ts";
import { methodName, pesos } from "../../../register/format.ts";
import type { Payment } from "../../../register/protocol.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { openDrawer } from "../paper/printer.ts";
import { useScan } from "../scan/use-scan.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { useKey } from "../ui/keys.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { storeProblem } from "../ui/problems.ts";
import { play } from "../ui/sounds.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { BuyerFields, isBuyerComplete } from "./buyer.tsx";
import { muchCash } from "./limits.ts";

/** Takes the money. Buyer, parts and cash are forms of their own: Enter in one never charges by another. */
export function ChargePanel({ onSold, onClose }: { onSold: (sale: KeptSale) => void; onClose: () => void }) {
  const { counter } = useOpen();
  const device = useDevice();
  const { current, business } = useCounter();
  const { total } = counter.totals(current);
  const [others, setOthers] = useState<Payment[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isCharging, setCharging] = useState(false);
  const rest = total - others.reduce((sum, { amount }) => sum + amount, 0);

  async function finish(parts: readonly Payment[], cash: number | undefined): Promise<void> {
    if (!isReady) return;
    setCharging(true);
    setProblem(undefined);
    try {
      const result = await counter.charge(parts, cash);
      if ("problem" in result) setProblem(problemText(result.problem));
      else {
        device.wake();
        play("charged");
        if (result.sale.charge.tendered > 0) void openDrawer().catch(() => {});
        return onSold(result.sale);
      }
    } catch (error) {
      setProblem(storeProblem(error, { isSale: true }));
    }
    setCharging(false);
  }
  const isReady = !isCharging && isBuyerComplete(current);
  // A scan never pays: it is the next product of this ticket, or of the next one if this is being stored.
  useScan({
    take() {
      if (!isCharging) onClose();
      return "pass";
    },
  });
  useKey("exact", isReady && rest > 0 ? () => void finish(others, undefined) : undefined);
  return (
    <Panel title="Cobrar" onClose={onClose}>
      <div className="charge">
        <p className="due">
          <span>Total</span> <strong>{pesos(total)}</strong>
        </p>
        <BuyerFields />
        <Parts others={others} onChange={setOthers} />
        {rest > 0 ? (
          <>
            <CashForm
              rest={rest}
              rounding={business.cash_rounding}
              isReady={isReady}
              isCharging={isCharging}
              onPaid={(cash) => void finish(others, cash)}
            />
            <fieldset className="bare choices" aria-label="Pagar todo con un solo medio">
              {paymentMethods
                .filter((method) => method !== "CASH")
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
        ) : (
          <button
            type="button"
            className="primary big"
            disabled={!isReady || rest < 0}
            onClick={() => void finish(others, undefined)}
          >
            {isCharging ? "Guardando…" : "Terminar la venta"}
          </button>
        )}
        {(problem ?? (rest < 0 && problemText({ kind: "too_much", excess: -rest }))) && (
          <p role="alert" className="problem">
            {problem ?? problemText({ kind: "too_much", excess: -rest })}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** What is handed over in cash, and what goes back. An empty field means the exact sum; one that cannot be read means nothing. */
function CashForm(props: {
  rest: number;
  rounding: number;
  isReady: boolean;
  isCharging: boolean;
  onPaid: (tendered: number | undefined) => void;
}) {
  const { rest, rounding, isReady, isCharging, onPaid } = props;
  const [tendered, setTendered] = useState<number>();
  const [isReadable, setReadable] = useState(true);
  const [asked, setAsked] = useState<number>();
  const due = roundedCash(rest, rounding);
  const preview = charge(rest, [], { rounding, tendered });
  const isMuch = tendered !== undefined && tendered > muchCash * due;
  const isAsked = isMuch && asked === tendered;
  const canPay = isReady && isReadable && "charge" in preview;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!canPay) return;
    if (isMuch && !isAsked) setAsked(tendered);
    else onPaid(tendered);
  }
  return (
    <form onSubmit={submit}>
      <fieldset className="cash">
        <legend>Efectivo · {pesos(due)}</legend>
        <div className="choices">
          {quickNotes(due).map((note) => (
            <button key={note} type="button" disabled={!isReady} onClick={() => onPaid(note)}>
              {note === due ? "Exacto" : pesos(note)} {note === due && <KeyHint act="exact" />}
            </button>
          ))}
        </div>
        <NumberField label="Recibido" value={tendered} onChange={setTendered} onReadable={setReadable} autoFocus />
        <p className="due" role="status">
          {!isReadable || tendered === undefined ? (
            <small className="dim">Escriba lo que recibe, o toque un billete.</small>
          ) : "charge" in preview ? (
            <>
              <span>Cambio</span> <strong>{pesos(preview.charge.change)}</strong>
            </>
          ) : (
            <span className="wrong">{problemText(preview.problem)}</span>
          )}
        </p>
        {isAsked && (
          <p role="alert" className="notice">
            {pesos(tendered)} es más de {muchCash} veces lo que se debe. Si es lo que recibió, confírmelo.
          </p>
        )}
        <button type="submit" className="primary big" disabled={!canPay}>
          {isCharging ? "Guardando…" : isAsked ? `Sí, recibí ${pesos(tendered)}` : "Cobrar en efectivo"}
        </button>
      </fieldset>
    </form>
  );
}

function problemText(problem: ChargeProblem): string {
  return problem.kind === "too_much"
    ? `Sobran ${pesos(problem.excess)} en los medios de pago.`
    : `Faltan ${pesos(problem.missing)}.`;
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
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    onAdd({ payment_method: method, amount });
    setOpen(false);
    setAmount(undefined);
  }
  return (
    <form onSubmit={submit}>
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
        <NumberField label="Valor" value={amount} onChange={setAmount} hint={`Hasta ${pesos(rest)}`} />
        <button type="submit" disabled={!isValid}>
          Agregar
        </button>
      </fieldset>
    </form>
  );
}
