import { type FormEvent, useEffect, useRef, useState } from "react";
import { type ChargeProblem, charge, quickNotes, roundedCash } from "../../../register/charge.ts";
import { pesos } from "../../../register/format.ts";
import type { Payment } from "../../../register/protocol.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { openDrawer } from "../paper/printer.ts";
import type { Doubt } from "../scan/scanner.ts";
import { useScan } from "../scan/use-scan.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { useKey } from "../ui/keys.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { storeProblem } from "../ui/problems.ts";
import { play } from "../ui/sounds.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { BuyerFields, isBuyerComplete } from "./buyer.tsx";
import { CodeOrNumber } from "./code-or-number.tsx";
import { muchCash, settleMs } from "./limits.ts";
import { OneMeans, Parts, Split } from "./split.tsx";
import { TipQuestion } from "./tip-question.tsx";

const noParts: readonly Payment[] = [];

/** Takes the money. Buyer, parts and cash are forms of their own: Enter in one never charges by another. */
export function ChargePanel({ onSold, onClose }: { onSold: (sale: KeptSale) => void; onClose: () => void }) {
  const { counter } = useOpen();
  const device = useDevice();
  const { current, business } = useCounter();
  const { total } = counter.totals(current);
  const others = current.parts ?? noParts;
  const setOthers = (parts: readonly Payment[]) => counter.edit((ticket) => ({ ...ticket, parts }));
  const [problem, setProblem] = useState<string>();
  const [isCharging, setCharging] = useState(false);
  const rest = total - others.reduce((sum, { amount }) => sum + amount, 0);

  async function finish(parts: readonly Payment[], cash: number | undefined): Promise<void> {
    if (!isReady) return;
    // An order may have ended by its time alone: nothing of it is charged before somebody has read that.
    counter.settleOrders();
    const { id, order_id } = counter.state().current;
    if (id !== current.id || order_id !== current.order_id) return;
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
    ask(asked) {
      if (!isCharging) setDoubt(asked);
      return !isCharging;
    },
  });
  const [doubt, setDoubt] = useState<Doubt>();
  const fields = useRef<HTMLDivElement>(null);
  const before = useRef({ others, buyer: current.customer_id });
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  /** The next key is for the amount, but an Enter on its way there was for what stood before. */
  function moveOn(): void {
    movedAt.current = performance.now();
    fields.current?.querySelector<HTMLElement>(".cash input, .pay")?.focus();
  }
  // What was typed into is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when one of them changes, and only then
  useEffect(() => {
    if (before.current.others === others && before.current.buyer === current.customer_id) return;
    before.current = { others, buyer: current.customer_id };
    moveOn();
  }, [others, current.customer_id]);
  useKey("exact", isReady && rest > 0 ? () => void finish(others, undefined) : undefined);
  return (
    <Panel title="Cobrar" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is in one of its forms */}
      <div
        ref={fields}
        className="charge"
        onKeyDown={(event) => {
          const pays = (event.target as Element).closest(".cash, .pay") !== null;
          if (pays && event.key === "Enter" && performance.now() - movedAt.current < settleMs) event.preventDefault();
        }}
      >
        <p className="due">
          <span>Total</span> <strong>{pesos(total)}</strong>
        </p>
        <TipQuestion isDisabled={isCharging} onAnswered={moveOn} />
        <BuyerFields onAnswered={moveOn} />
        {!isBuyerComplete(current) && (
          <p role="alert" className="notice">
            Una factura lleva el nombre de quien compra: elija el cliente aquí arriba, o cobre con tiquete POS.
          </p>
        )}
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
            <OneMeans rest={rest} isReady={isReady} onPaid={(part) => void finish([...others, part], undefined)} />
            <Split rest={rest} onAdd={(payment) => setOthers([...others, payment])} />
          </>
        ) : (
          <button
            type="button"
            className="primary big pay"
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
      {doubt && <CodeOrNumber doubt={doubt} onDone={() => setDoubt(undefined)} isCharging />}
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
            <small className="dim">Escriba lo que recibe o toque un billete; vacío es el valor exacto.</small>
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
        <button type="submit" className="primary big pay" disabled={!canPay}>
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
