import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { typedNumber } from "../../../src/lib/typed-number.ts";

export interface NumberFieldProps extends Omit<TextInputProps, "value" | "onChange" | "prefix" | "min" | "max"> {
  /** A number; text where what was typed is empty or is no number that fits. */
  value: number | string;
  onChange: (value: number | string) => void;
  min?: number;
  max: number;
  decimals?: number;
  prefix?: string;
}

/**
 * A number that stays as it was typed: what cannot be meant is told, never changed. Only a number that fits reaches the form as one,
 * and a form with another one is not sent.
 */
export function NumberField({
  value,
  onChange,
  min = 0,
  max,
  decimals = 0,
  prefix = "",
  error,
  ...others
}: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const limits = { min, max, decimals };
  // A form that keeps only numbers has none while something else stands here.
  const read = typed === undefined ? undefined : readAs(typed, limits);
  const isOwn = typeof read === "string" ? typeof value === "string" : read !== undefined && read === value;
  const text = isOwn && typed !== undefined ? typed : typeof value === "number" ? prefix + shown(value) : value;
  const problem = problemOf(text, limits);
  useEffect(() => input.current?.setCustomValidity(problem ?? ""), [problem]);
  return (
    <TextInput
      {...others}
      ref={input}
      inputMode={decimals > 0 ? "decimal" : "numeric"}
      autoComplete="off"
      value={text}
      error={problem ?? error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(readAs(currentTarget.value, limits));
      }}
      onKeyDown={(event) => {
        others.onKeyDown?.(event);
        const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const next = (typeof value === "number" ? value : 0) + step;
        setTyped(undefined);
        if (next >= min && next <= max) onChange(next);
      }}
      // Read again with its points, now that it is whole.
      onBlur={() => problem === undefined && setTyped(undefined)}
    />
  );
}

interface Limits {
  min: number;
  max: number;
  decimals: number;
}

function readAs(text: string, limits: Limits): number | string {
  return problemOf(text, limits) === undefined ? (typedNumber(text) ?? "") : text;
}

function problemOf(text: string, { min, max, decimals }: Limits): string | undefined {
  if (text.trim() === "") return undefined;
  const value = typedNumber(text);
  if (value === undefined) return `No es un número. Escriba por ejemplo ${decimals > 0 ? "1,5" : "20.000"}.`;
  const scale = 10 ** decimals;
  if (Math.round(value * scale) / scale !== value)
    return decimals > 0 ? `Escriba hasta ${decimals} decimales.` : "Escriba un número sin decimales.";
  if (value < min) return `Escriba ${shown(min)} o más.`;
  return value > max ? `Escriba ${shown(max)} o menos.` : undefined;
}

const numbers = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 6 });
const shown = (value: number) => numbers.format(value);
