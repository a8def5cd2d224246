import type { ReactNode } from "react";

interface Props {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /** How many decimals may be typed; none for pesos. */
  decimals?: number;
  autoFocus?: boolean;
  hint?: ReactNode;
}

/** A number that is typed with either comma or point; thousands may be written with points. */
export function NumberField({ label, value, onChange, decimals = 0, autoFocus = false, hint }: Props) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        inputMode={decimals > 0 ? "decimal" : "numeric"}
        autoComplete="off"
        defaultValue={value ?? ""}
        onChange={(event) => onChange(parseNumber(event.currentTarget.value, decimals))}
        onFocus={(event) => event.currentTarget.select()}
        {...(autoFocus && { "data-autofocus": true })}
      />
      {hint && <small>{hint}</small>}
    </label>
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
