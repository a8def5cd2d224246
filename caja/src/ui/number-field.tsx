import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { quantity } from "../../../register/format.ts";
import type { Meaning } from "../scan/burst.ts";

interface Props {
  label: string;
  value: number | undefined;
  /** Undefined for an empty field, and for one that cannot be read. */
  onChange: (value: number | undefined) => void;
  /** Whether what was typed can be read. A form where an empty field means something asks for it. */
  onReadable?: (isReadable: boolean) => void;
  /** How many decimals may be typed; none for pesos. */
  decimals?: number;
  most?: number;
  least?: number;
  /** What it is for; pesos, unless decimals may be typed. */
  meaning?: Meaning;
  autoFocus?: boolean;
  hint?: ReactNode;
  /** One that could be typed. */
  example?: string;
  /** With buttons for one less, down to one, and one more. */
  hasSteps?: boolean;
}

/** A number that is typed with either comma or point; thousands may be written with points. */
export function NumberField(props: Props) {
  const {
    label,
    value,
    onChange,
    onReadable,
    decimals = 0,
    most = mostEver,
    least = 0,
    autoFocus = false,
    hint,
  } = props;
  const { hasSteps = false, example = decimals > 0 ? `1,${"5".padEnd(decimals, "0")}` : "20.000" } = props;
  const { meaning = decimals > 0 ? "number" : "money" } = props;
  const [wrong, setWrong] = useState<string>();
  const isReadable = wrong === undefined;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  function problemOf(text: string): string {
    const range = `un número de ${least} a ${most.toLocaleString("es-CO")}`;
    if (isLikeCode(text, most)) return `Es demasiado grande, y parece un código. Escriba ${range}.`;
    if (most < mostEver) return `Escriba ${range}.`;
    return `Escriba un número${decimals > 0 ? "" : " sin decimales"}, por ejemplo ${example}.`;
  }
  function read(field: HTMLInputElement): void {
    const number = parseNumber(field.value, decimals, most);
    const isFine = (number !== undefined && number >= least) || field.value.trim() === "";
    const problem = isFine ? undefined : problemOf(field.value);
    setWrong(problem);
    // Neither Enter nor a button sends a form with a number that nobody can read.
    field.setCustomValidity(problem ?? "");
    onReadable?.(isFine);
    onChange(number);
  }
  function step(by: number): void {
    input.current!.value = shown((value ?? 0) + by, decimals);
    read(input.current!);
  }
  const before = useRef({ decimals, most });
  // What was typed is read again where another unit is chosen.
  useEffect(() => {
    const { decimals: former, most: formerMost } = before.current;
    if (former === decimals && formerMost === most) return;
    before.current = { decimals, most };
    if (!input.current) return;
    // The point of 5.200 would be a decimal one now.
    input.current.value = plainly(input.current.value, former);
    read(input.current);
  });
  return (
    <div className={hasSteps ? "field stepped" : "field"}>
      <label>
        <span>{label}</span>
        <input
          ref={input}
          inputMode={decimals > 0 ? "decimal" : "numeric"}
          autoComplete="off"
          data-meaning={meaning}
          defaultValue={shown(value, decimals)}
          onChange={(event) => read(event.currentTarget)}
          onFocus={({ currentTarget: field }) => {
            field.value = plainly(field.value, decimals);
            field.select();
          }}
          onBlur={({ currentTarget: field }) => {
            if (decimals === 0) field.value = shown(parseNumber(field.value, 0), 0) || field.value;
          }}
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

/** As it stands where nobody types: whole numbers with their points, others with a comma. */
function shown(value: number | undefined, decimals: number): string {
  return value === undefined ? "" : decimals === 0 ? quantity(value) : String(value).replace(".", ",");
}

/** As one types it. What cannot be read stays as it is. */
function plainly(text: string, decimals: number): string {
  const value = decimals === 0 ? parseNumber(text, 0) : undefined;
  return value === undefined ? text : String(value);
}

const mostEver = 999_999_999;

/** The shortest code on a product, an EAN-8. */
const shortestCode = 8;

function isLikeCode(text: string, most: number): boolean {
  const clean = text.trim();
  return /^\d+$/.test(clean) && clean.length >= shortestCode && Number(clean) > most;
}

export function parseNumber(text: string, decimals: number, most = mostEver): number | undefined {
  const clean = text.replace(/[\s$]/g, "");
  if (clean === "") return undefined;
  const plain = decimals === 0 ? clean.replace(/[.,](?=\d{3}(\D|$))/g, "") : clean.replace(",", ".");
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  const scale = 10 ** decimals;
  return value <= most && Math.round(value * scale) / scale === value ? value : undefined;
}
