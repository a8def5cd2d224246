import { bogotaDate, bogotaTime, bogotaZone } from "./bogota-time.ts";
import type { LineTax, TaxTotal } from "./tax.ts";

/** How papers, mails and journals write money, time and names: in Spanish, as in Colombia. */

/** $ 1.234.567 */
export function money(pesos: number): string {
  return `${pesos < 0 ? "-" : ""}$ ${grouped(Math.abs(pesos))}`;
}

export function grouped(value: number): string {
  const [whole = "", decimals] = String(value).split(".");
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ".");
  return decimals === undefined ? text : `${text},${decimals}`;
}

/** 16/11/2026 */
export function dayText(isoDay: string): string {
  return isoDay.split("-").toReversed().join("/");
}

const days = new Intl.DateTimeFormat("es-CO", { dateStyle: "long", timeZone: bogotaZone });

/** 16 de noviembre de 2026, in Bogotá. */
export const dayInWords = (at: Date): string => days.format(at);

/** 16/11/2026 14:05:09, in Bogotá. */
export function instantText(instant: string | Date): string {
  const at = new Date(instant);
  return `${dayText(bogotaDate(at))} ${bogotaTime(at).slice(0, 8)}`;
}

const taxNames = new Map([
  ["01", "IVA"],
  ["03", "ICA"],
  ["04", "INC"],
  ["22", "INC bolsas"],
  // What bears no tax, in the rows by rate.
  ["excluded", "Excluido"],
  ["untaxed", "Sin impuesto"],
  ["", "Impuestos sin detalle"],
]);

export function taxName(code: string): string {
  return taxNames.get(code) ?? `Impuesto ${code}`;
}

type Rated = Pick<TaxTotal | LineTax, "code" | "rate" | "per_unit">;

/** IVA 19 %, IVA 0 % (exento), INC bolsas $ 73 c/u, Excluido */
export function rateText({ code, rate, per_unit }: Rated): string {
  if (rate === null) return `${taxName(code)} ${per_unit === null ? "" : `${money(per_unit)} c/u`}`.trim();
  return `${taxName(code)} ${grouped(rate)} %${code === "01" && rate === 0 ? " (exento)" : ""}`;
}

/** What the tax is a part of: pesos, or units of a tax by unit. */
export function baseText({ per_unit, base }: Pick<TaxTotal, "per_unit" | "base">): string {
  return per_unit === null ? money(base) : `${grouped(base)} und`;
}

/** The taxes of a line in a few characters. */
export function lineTaxText(taxClass: string, taxes: readonly Rated[]): string {
  if (taxes.length > 0)
    return taxes
      .map(({ code, rate }) => (rate === null ? taxName(code) : `${taxName(code)} ${grouped(rate)} %`))
      .join(" + ");
  return taxClass === "passthrough" ? "De terceros" : taxClass === "excluded" ? "Excluido" : "Sin IVA";
}
