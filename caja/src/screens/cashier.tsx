import { type FormEvent, useState } from "react";
import { useCounter, useOpen } from "../use-device.ts";
import { Message } from "./message.tsx";

/** After this many wrong PINs in a row each further attempt waits longer. */
const freeAttempts = 3;

export function CashierScreen() {
  const { counter } = useOpen();
  const { cashiers } = useCounter();
  const [chosen, setChosen] = useState(cashiers.length === 1 ? cashiers[0]!.id : undefined);
  const [pin, setPin] = useState("");
  const [failures, setFailures] = useState(0);
  const [isChecking, setChecking] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setChecking(true);
    if (failures >= freeAttempts)
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** (failures - freeAttempts)));
    if (!(await counter.signIn(chosen!, pin))) {
      setFailures(failures + 1);
      setPin("");
      setChecking(false);
    }
  }
  if (!chosen)
    return (
      <Message title="¿Quién atiende?">
        <div className="choices">
          {cashiers.map(({ id, name }) => (
            <button key={id} type="button" className="big" onClick={() => setChosen(id)}>
              {name}
            </button>
          ))}
        </div>
      </Message>
    );
  return (
    <Message title={cashiers.find(({ id }) => id === chosen)?.name ?? "¿Quién atiende?"}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>PIN</span>
          <input
            type="password"
            inputMode="numeric"
            autoComplete="off"
            value={pin}
            onChange={(event) => setPin(event.currentTarget.value)}
            // The cashier chose her name to type this.
            // biome-ignore lint/a11y/noAutofocus: the only field of the screen
            autoFocus
          />
        </label>
        {failures > 0 && (
          <p role="alert" className="problem">
            El PIN no es ese. Pruebe otra vez.
          </p>
        )}
        <button type="submit" className="primary big" disabled={pin === "" || isChecking}>
          {isChecking ? "Revisando…" : "Entrar"}
        </button>
        {cashiers.length > 1 && (
          <button type="button" className="quiet" onClick={() => setChosen(undefined)}>
            Otra persona
          </button>
        )}
      </form>
    </Message>
  );
}
