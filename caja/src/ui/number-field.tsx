import { type ReactNode, useId, useRef, useState } from "react";

interface Props {
  label: string;
  value: number | undefined;
  /** Undefined for an empty field, and for one that cannot be read. */
  onChange: (value: number | undefined) => void;
  /** Whether what was typed can be read. A form where an empty field means something asks for it. */
  onReadable?: (isReadable: boolean) => void;
  /** How many decimals may be typed; none for pesos. */
  decimals?: number;
  autoFocus?: boolean;
  hint?: ReactNode;
  /** One that could be typed. */
  example?: string;
  /** With buttons for one less, down to one, and one more. */
  hasSteps?: boolean;
}

/** A number that is typed with either comma or point; thousands may be written with points. */
export function NumberField(props: Props) {
  const { label, value, onChange, onReadable, decimals = 0, autoFocus = false, hint, hasSteps = false } = props;
  const { example = decimals > 0 ? `1,${"5".padEnd(decimals, "0")}` : "20.000" } = props;
  const wrong = `Escriba un número${decimals > 0 ? "" : " sin decimales"}, por ejemplo ${example}.`;
  const box = useRef<HTMLInputElement>(null);
  const [isReadable, setReadable] = useState(true);
  const id = useId();
  function read(input: HTMLInputElement): void {
    const number = parseNumber(input.value, decimals);
    const isFine = number !== undefined || input.value.trim() === "";
    setReadable(isFine);
    // Neither Enter nor a button sends a form with a number that nobody can read.
    input.setCustomValidity(isFine ? "" : wrong);
    onReadable?.(isFine);
    onChange(number);
  }
  function step(by: number): void {
    box.current!.value = String((value ?? 0) + by);
    read(box.current!);
  }
  return (
    <div className={hasSteps ? "field stepped" : "field"}>
      <label>
        <span>{label}</span>
        <input
          ref={box}
          inputMode={decimals > 0 ? "decimal" : "numeric"}
          autoComplete="off"
          defaultValue={value ?? ""}
          onChange={(event) => read(event.currentTarget)}
          onFocus={(event) => event.currentTarget.select()}
          aria-invalid={!isReadable}
          aria-describedby={isReadable && !hint ? undefined : id}
          {...(autoFocus && { "data-autofocus": true })}
        />
      </label>
      {hasSteps && (
        <div className="steps">
          <button
            type="button"
            aria-label="Uno menos"
            disabled={value === undefined || value <= 1}
            onClick={() => step(-1)}
          >
            −
          </button>
          <button type="button" aria-label="Uno más" onClick={() => step(1)}>
            +
          </button>
        </div>
      )}
      {isReadable ? (
        hint && <small id={id}>{hint}</small>
      ) : (
        <small id={id} role="alert" className="wrong">
          {wrong}
        </small>
      )}
    </div>
  );
}

export function parseNumber(text: string, decimals: number): number | undefined {
  const clean = text.replace(/[\s$]/g, "");
  if (clean === "") return undefined;
  const plain = decimals === 0 ? clean.replace(/[.,](?=\d{3}(\D|$))/g, "") : clean.replace(",", ".");
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  const scale = 10 ** decimals;
  return value <= 999_999_999 && Math.round(value * scale) / scale === value ? value : undefined;
}
