import { bogotaDate, bogotaTime } from "./bogota-time.ts";
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
]);

export function taxName(code: string): string {
  return taxNames.get(code) ?? `Impuesto ${code}`;
}

type Rated = Pick<TaxTotal | LineTax, "code" | "rate" | "per_unit">;

/** IVA 19 %, IVA 0 % (exento), INC bolsas $ 73 c/u */
export function rateText({ code, rate, per_unit }: Rated): string {
  if (rate === null) return `${taxName(code)} ${per_unit === null ? "" : `${money(per_unit)} c/u`}`.trim();
  return `${taxName(code)} ${grouped(rate)} %${code === "01" && rate === 0 ? " (exento)" : ""}`;
}

/** The taxes of a line in a few characters. */
export function lineTaxText(taxClass: string, taxes: readonly Rated[]): string {
  if (taxes.length > 0)
    return taxes
      .map(({ code, rate }) => (rate === null ? taxName(code) : `${taxName(code)} ${grouped(rate)} %`))
      .join(" + ");
  return taxClass === "passthrough" ? "De terceros" : taxClass === "excluded" ? "Excluido" : "Sin IVA";
}

/** A map: a register may call its means "constructor". */
const paymentNames = new Map(
  Object.entries({
    CASH: "Efectivo",
    CARD: "Tarjeta",
    CREDIT_CARD: "Tarjeta de crédito",
    DEBIT_CARD: "Tarjeta débito",
    TRANSFER: "Transferencia",
    NEQUI: "Nequi",
    DAVIPLATA: "Daviplata",
    BRE_B: "Bre-B",
    CHEQUE: "Cheque",
    BONO: "Bono",
    FIADO: "Fiado (crédito)",
  }),
);

export function paymentName(method: string): string {
  return paymentNames.get(method) ?? method;
}

export function isCredit(method: string): boolean {
  return method === "FIADO";
}
