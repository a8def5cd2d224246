import { type FormEvent, useEffect, useState } from "react";
import { useOpen } from "../use-device.ts";
import { UnusedScan } from "./unused-scan.tsx";

/** A person's PIN. After several wrong ones it waits, longer each time, however often the page is loaded anew. */
export function PinForm(props: {
  cashierId: string;
  action: string;
  /** Whether it was hers. */
  onPin: (pin: string) => Promise<boolean>;
  onOther: (() => void) | undefined;
  /** What did not happen to a product that is scanned meanwhile: its code is no PIN. */
  scanned?: "no se usó" | "no se agregó";
}) {
  const { cashierId, action, onPin, onOther, scanned } = props;
  const [pin, setPin] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const waitSeconds = useWait(cashierId, isChecking);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pin === "" || isChecking || waitSeconds > 0) return;
    setChecking(true);
    const isRight = await onPin(pin).catch(() => false);
    if (isRight) return;
    setWrong(true);
    setPin("");
    setChecking(false);
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>PIN</span>
        <input
          type="password"
          inputMode="numeric"
          autoComplete="off"
          value={pin}
          readOnly={isChecking}
          onChange={(event) => setPin(event.currentTarget.value)}
          // Whoever chose her name is about to type this.
          // biome-ignore lint/a11y/noAutofocus: the only field of the form
          autoFocus
          data-autofocus
        />
      </label>
      {(isWrong || waitSeconds > 0) && (
        <p role="alert" className="problem">
          {waitSeconds === 0
            ? "El PIN no es ese. Pruebe otra vez."
            : `Hubo varios PIN equivocados. Espere ${waitText(waitSeconds)} y pruebe otra vez.`}
        </p>
      )}
      <UnusedScan what={scanned} first="Escriba primero el PIN" />
      <button type="submit" className="primary big" disabled={pin === "" || isChecking || waitSeconds > 0}>
        {isChecking ? "Revisando…" : action}
      </button>
      {onOther && (
        <button type="button" className="quiet" onClick={onOther}>
          Otra persona
        </button>
      )}
    </form>
  );
}

/** The seconds until this person's PIN may be tried again. */
function useWait(cashierId: string, isChecking: boolean): number {
  const { counter } = useOpen();
  const read = () => Math.ceil(counter.pinWaitMs(cashierId) / 1000);
  const [seconds, setSeconds] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt that ended may have begun a wait
  useEffect(() => {
    setSeconds(read());
    const timer = setInterval(() => setSeconds(read()), 250);
    return () => clearInterval(timer);
  }, [cashierId, isChecking]);
  return isChecking ? 0 : seconds;
}

function waitText(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutos`;
  return seconds === 1 ? "1 segundo" : `${seconds} segundos`;
}
