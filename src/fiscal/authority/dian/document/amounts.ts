import { fromCents, pesos } from "../../amounts.ts";
import { leaf, type Xml } from "../xml/write-xml.ts";

const currency = { currencyID: "COP" };

export function amountOf(name: string, amount: number): Xml {
  return leaf(name, pesos(amount), currency);
}

export function centsOf(name: string, cents: bigint): Xml {
  return leaf(name, fromCents(cents), currency);
}

/** At least two decimals: 19.00, 0.966. */
export function percentText(rate: number): string {
  const text = String(rate);
  const decimals = text.split(".")[1]?.length ?? 0;
  return decimals < 2 ? rate.toFixed(2) : text;
}
