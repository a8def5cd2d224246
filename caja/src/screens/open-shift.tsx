import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { NumberField } from "../ui/number-field.tsx";
import { notKept, storeProblem } from "../ui/problems.ts";
import { useDevice, useOpen } from "../use-device.ts";

/** `isCovered`: the paper of the shift before lies over it, and takes the keys. */
export function OpenShiftScreen({ isCovered = false }: { isCovered?: boolean }) {
  const { counter } = useOpen();
  const device = useDevice();
  const isPersisted = useSyncExternalStore(device.subscribe, device.isPersisted);
  const [base, setBase] = useState<number | undefined>(0);
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Where there are only fingers, a keyboard would cover the screen.
    if (!isCovered && matchMedia("(hover: hover)").matches) form.current?.querySelector("input")?.focus();
  }, [isCovered]);
  async function submit(event: FormEvent) {
    event.preventDefault();
    try {
      await counter.openShift(base!);
      device.wake();
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  return (
    <section className="message">
      <h2>Abra el turno</h2>
      <p>Cuente el efectivo con que empieza el cajón.</p>
      <form ref={form} className="stack" onSubmit={(event) => void submit(event)}>
        <NumberField label="Base en pesos" value={base} onChange={setBase} />
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <button type="submit" className="primary big" disabled={base === undefined}>
          Abrir turno
        </button>
      </form>
      {isPersisted === false && <p className="dim">{notKept}</p>}
    </section>
  );
}
