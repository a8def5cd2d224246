import { type FormEvent, useEffect, useState } from "react";
import { may } from "../../../register/cashiers.ts";
import { moment, pesos } from "../../../register/format.ts";
import { expectedCash, portalCash, type Shift } from "../../../register/shift.ts";
import type { ShiftSums } from "../../../register/shift-sums.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { storeProblem } from "../ui/problems.ts";
import { hasSound, play, setSound } from "../ui/sounds.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { CountFields } from "./count-fields.tsx";
import { OpenShiftScreen } from "./open-shift.tsx";
import { PrinterSettings } from "./printer-settings.tsx";
import { ShiftReportDialog } from "./shift-report-dialog.tsx";

type Asking = { kind: "cash" } | { kind: "close" } | { kind: "report"; shift: Shift; hidesDrawer: boolean };

const formerShifts = 20;

/** What was closed before, to be printed again. */
function FormerShifts({ onShow }: { onShow: (shift: Shift) => void }) {
  const { counter } = useOpen();
  const { shift } = useCounter();
  const [closed, setClosed] = useState<Shift[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closing a shift adds one
  useEffect(() => {
    void counter.shifts().then((all) => setClosed(all.filter(({ closed_at }) => closed_at !== null)));
  }, [counter, shift]);
  if (closed.length === 0) return null;
  return (
    <fieldset className="stack">
      <legend>Cierres anteriores</legend>
      <ul className="rows former">
        {closed.slice(0, formerShifts).map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onShow(one)}>
              <span>{moment(one.closed_at!)}</span>
              <span>{one.closed_by}</span>
              <GrossSales shift={one} />
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Read from the shift's sales; undefined until they are. */
function useSums(shift: Shift): ShiftSums | undefined {
  const { counter } = useOpen();
  const [sums, setSums] = useState<ShiftSums>();
  useEffect(() => {
    let isCurrent = true;
    void counter.sumsOf(shift).then((read) => isCurrent && setSums(read));
    return () => {
      isCurrent = false;
    };
  }, [counter, shift]);
  return sums;
}

function GrossSales({ shift }: { shift: Shift }) {
  const sums = useSums(shift);
  return (
    <strong>
      <small className="dim">Ventas brutas</small> {sums && pesos(sums.gross)}
    </strong>
  );
}

function ShiftSales({ shift }: { shift: Shift }) {
  const sums = useSums(shift);
  return sums && `${sums.tickets} · ${pesos(sums.gross)} brutas`;
}

export function ShiftScreen() {
  const { shift, business, cashier, tickets } = useCounter();
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const report = asking?.kind === "report" ? asking : undefined;
  const authorize = useAuthorization();
  const { counter } = useOpen();
  /** A report says what should be in the drawer. */
  async function showReport(one: Shift) {
    const permit = await authorize("expected_cash", [
      one.closed_at === null ? "El informe X de este turno" : `El cierre Z de ${moment(one.closed_at)}`,
    ]);
    if (!permit) return;
    setAsking({ kind: "report", shift: one, hidesDrawer: false });
    if (permit.by) void counter.note({ kind: "expected_cash_seen" }, permit).catch(() => {});
  }
  return (
    <>
      {!shift ? (
        <OpenShiftScreen isCovered={asking !== undefined} />
      ) : (
        <section className="list">
          <h2>Turno</h2>
          <dl className="facts">
            <dt>Ventas</dt>
            <dd>
              <ShiftSales shift={shift} />
            </dd>
            <dt>Base</dt>
            <dd>{pesos(shift.opening_amount)}</dd>
            {!business.blind_count && may(cashier, "expected_cash") && (
              <>
                <dt>Efectivo esperado</dt>
                <dd>{pesos(expectedCash(shift))}</dd>
                {portalCash(shift) > 0 && (
                  <>
                    <dt>Devuelto desde el portal (ya restado)</dt>
                    <dd>{pesos(-portalCash(shift))}</dd>
                  </>
                )}
              </>
            )}
          </dl>
          <div className="choices">
            <button type="button" className="big" onClick={() => setAsking({ kind: "cash" })}>
              Entrada o salida de efectivo
            </button>
            {!business.blind_count && (
              <button type="button" className="big" onClick={() => void showReport(shift)}>
                Informe X
              </button>
            )}
            <button
              type="button"
              className="big"
              disabled={tickets.length > 0}
              onClick={() => setAsking({ kind: "close" })}
            >
              Cerrar turno
            </button>
          </div>
          {tickets.length > 0 && (
            <p>
              {tickets.length === 1
                ? "Hay 1 tiquete abierto: cóbrelo o bótelo antes de cerrar."
                : `Hay ${tickets.length} tiquetes abiertos: cóbrelos o bótelos antes de cerrar.`}
            </p>
          )}
          <PrinterSettings />
          <SoundSetting />
          {!business.blind_count && <FormerShifts onShow={(one) => void showReport(one)} />}
        </section>
      )}
      {asking?.kind === "cash" && <CashDialog onClose={close} />}
      {asking?.kind === "close" && (
        <CloseDialog
          onClosed={(closed) =>
            setAsking({ kind: "report", shift: closed, hidesDrawer: !may(cashier, "expected_cash") })
          }
          onClose={close}
        />
      )}
      {report && <ShiftReportDialog {...report} onClose={close} />}
    </>
  );
}

/** A cashier who works beside others may want silence. */
function SoundSetting() {
  const [isOn, setOn] = useState(hasSound());
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          setSound(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
          play("added");
        }}
      />
      <span>Sonidos al agregar, al no encontrar y al cobrar</span>
    </label>
  );
}

function CashDialog({ onClose }: { onClose: () => void }) {
  const { counter } = useOpen();
  const device = useDevice();
  const [type, setType] = useState<"in" | "out">("out");
  const [amount, setAmount] = useState<number>();
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const { shift } = useCounter();
  const authorize = useAuthorization();
  const isMore = type === "out" && amount !== undefined && shift !== undefined && amount > expectedCash(shift);
  const isAsked = isMore && asked === amount;
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isMore && !isAsked) return setAsked(amount);
    const permit = await authorize("cash", [
      `${type === "in" ? "Entran" : "Salen"} ${pesos(amount!)}: ${reason.trim()}`,
    ]);
    if (!permit) return;
    try {
      await counter.moveCash(type, amount!, reason.trim(), permit);
      device.wake();
      onClose();
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  return (
    <Dialog title="Entrada o salida de efectivo" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <fieldset className="bare chips" aria-label="Qué pasa con el efectivo">
          <button type="button" aria-pressed={type === "out"} onClick={() => setType("out")}>
            Sale
          </button>
          <button type="button" aria-pressed={type === "in"} onClick={() => setType("in")}>
            Entra
          </button>
        </fieldset>
        <NumberField label="Valor" value={amount} onChange={setAmount} autoFocus />
        <label className="field">
          <span>Motivo</span>
          <input value={reason} onChange={(event) => setReason(event.currentTarget.value)} maxLength={120} />
        </label>
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        {isAsked && (
          <p role="alert" className="notice">
            Es más de lo que debería haber en el cajón. Si de verdad sale, confírmelo.
          </p>
        )}
        <button type="submit" className="primary big" disabled={!amount || reason.trim() === ""}>
          {isAsked ? `Sí, salen ${pesos(amount)}` : "Registrar"}
        </button>
      </form>
    </Dialog>
  );
}

function CloseDialog({ onClosed, onClose }: { onClosed: (shift: Shift) => void; onClose: () => void }) {
  const { counter } = useOpen();
  const device = useDevice();
  const { shift, business, cashier } = useCounter();
  const authorize = useAuthorization();
  // Once it is closed there is no open shift any more, and this dialog goes with it.
  const [opened] = useState(shift);
  const [counted, setCounted] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const counting = shift ?? opened;
  const gap = counted === undefined || !counting ? undefined : counted - expectedCash(counting);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const permit = await authorize("close_shift", [`Contado: ${pesos(counted!)}`]);
    if (!permit) return;
    try {
      const closed = await counter.closeShift(counted!, permit);
      device.wake();
      onClosed(closed);
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  return (
    <Dialog title="Cerrar turno" onClose={onClose} wide>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <CountFields onCount={setCounted} />
        {!business.blind_count && may(cashier, "expected_cash") && gap !== undefined && (
          <p className="due">
            <span>{gap === 0 ? "Cuadra" : gap > 0 ? "Sobra" : "Falta"}</span> <strong>{pesos(gap)}</strong>
          </p>
        )}
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <button type="submit" className="primary big" disabled={counted === undefined}>
          Cerrar turno
        </button>
      </form>
    </Dialog>
  );
}
