import { type KeyboardEvent, useState } from "react";
import { pesos } from "../../../register/format.ts";
import { parseNumber } from "../ui/number-field.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";

const denominations = [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50];

/** Of one kind, in one drawer. */
const mostNotes = 100_000;

/** Enter goes on to the next kind of note: a count ends with its button alone. */
function goOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const fields = [...event.currentTarget.form!.querySelectorAll<HTMLInputElement>(".count input")];
  fields[fields.indexOf(event.currentTarget) + 1]?.focus();
}

/** Counts notes and coins; the sum is what the drawer holds. */
export function CountFields({ onCount }: { onCount: (sum: number | undefined) => void }) {
  const [counts, setCounts] = useState<Record<number, number | undefined>>({});
  const isWrong = (value: number) => value in counts && counts[value] === undefined;
  const sum = denominations.reduce((total, value) => total + value * (counts[value] ?? 0), 0);
  function set(value: number, text: string) {
    const count = text.trim() === "" ? 0 : parseNumber(text, 0);
    const next = { ...counts, [value]: count !== undefined && count <= mostNotes ? count : undefined };
    setCounts(next);
    const isReadable = Object.values(next).every((one) => one !== undefined);
    onCount(isReadable ? denominations.reduce((total, one) => total + one * (next[one] ?? 0), 0) : undefined);
  }
  return (
    <fieldset className="count">
      <legend>Cuente billetes y monedas</legend>
      {denominations.map((value, i) => (
        <label key={value}>
          <span>{pesos(value)}</span>
          <input
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={isWrong(value) || undefined}
            onChange={(event) => set(value, event.currentTarget.value)}
            onKeyDown={goOn}
            {...(i === 0 && { "data-autofocus": true })}
          />
        </label>
      ))}
      {denominations.some(isWrong) && (
        <p role="alert" className="problem">
          Escriba cuántos hay de cada uno, en números enteros.
        </p>
      )}
      <UnusedScan />
      <p className="due">
        <span>Contado</span> <strong>{pesos(sum)}</strong>
      </p>
    </fieldset>
  );
}
