import { createHash } from "node:crypto";
import { bogotaDate, bogotaTime } from "../../taxes/bogota-time.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { parseNit } from "../../taxes/nit.ts";
import type { SaleTaxes } from "../../taxes/tax.ts";

export type FiscalEnvironment = "production" | "test";

/** Pesos. A number is read by its shortest decimal text; text may have any number of decimals. */
export type Amount = number | string;

export type HashedAmounts = {
  /** Before taxes, after discounts: the sum of all bases and of all untaxed lines. */
  lineExtension: Amount;
  iva: Amount;
  inc: Amount;
  ica: Amount;
  /** With taxes and tip. */
  payable: Amount;
};

export type HashedDocument = HashedAmounts & {
  /** Prefix and number together: SETP990000027. */
  number: string;
  issuedAt: Date;
  issuerNit: string;
  /** Null for the final consumer. */
  customer: { document_type: string; document_number: string | null } | null;
  environment: FiscalEnvironment;
};

export const finalConsumer = "222222222222";

/** Code of an electronic invoice, sealed with the technical key of its numbering range. */
export function cufe(document: HashedDocument, technicalKey: string): string {
  if (!isTechnicalKey(technicalKey))
    throw new FiscalError("bad_technical_key", "technical_key", "la clave técnica son 40 dígitos hexadecimales");
  return sha384(hashedText(document, technicalKey));
}

/** A truncated key still hashes: the authority would reject the document after its number was used. */
export function isTechnicalKey(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Code of a POS document, of any note and of a transcribed contingency invoice, sealed with the software's PIN. */
export function cude(document: HashedDocument, softwarePin: string): string {
  return sha384(hashedText(document, checkedPin(softwarePin)));
}

/** Proves which software made a document. */
export function softwareSecurityCode(softwareId: string, softwarePin: string, documentNumber: string): string {
  return sha384(softwareId + checkedPin(softwarePin) + documentNumber);
}

/** The address in the QR code of the printed document. */
export function qrUrl(documentKey: string, environment: FiscalEnvironment): string {
  const host = environment === "production" ? "catalogo-vpfe.dian.gov.co" : "catalogo-vpfe-hab.dian.gov.co";
  return `https://${host}/document/searchqr?documentkey=${encodeURIComponent(documentKey)}`;
}

/**
 * The amounts of a sale's document. The tax on bags has no field of its own: it is part of the payable amount only.
 * Every part is a safe integer no larger than the total, so plain sums are exact.
 */
export function hashedAmounts(sale: Omit<SaleTaxes, "lines" | "subtotal" | "discount">): HashedAmounts {
  const taxOf = (code: string) =>
    sale.tax_breakdown.filter((entry) => entry.code === code).reduce((total, entry) => total + entry.amount, 0);
  return {
    lineExtension: sale.total - sale.tax - sale.tip_amount,
    iva: taxOf("01"),
    inc: taxOf("04"),
    ica: taxOf("03"),
    payable: sale.total,
  };
}

/** The authority defines the order: taxes 01, 04, 03, each present even when it is 0.00. */
function hashedText(document: HashedDocument, secret: string): string {
  if (!/^[A-Z0-9]+$/i.test(document.number))
    throw new FiscalError("unreadable", "number", "el número va con su prefijo, sin guiones ni espacios");
  return [
    document.number,
    bogotaDate(document.issuedAt),
    bogotaTime(document.issuedAt),
    twoDecimals(document.lineExtension, "lineExtension"),
    "01",
    twoDecimals(document.iva, "iva"),
    "04",
    twoDecimals(document.inc, "inc"),
    "03",
    twoDecimals(document.ica, "ica"),
    twoDecimals(document.payable, "payable"),
    issuerNumber(document.issuerNit),
    customerNumber(document.customer),
    secret,
    document.environment === "production" ? "1" : "2",
  ].join("");
}

/** Truncated, not rounded: 262.569 is hashed as 262.56. */
export function twoDecimals(amount: Amount, field = "amount"): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(amount));
  if (!match || (typeof amount === "number" && amount > Number.MAX_SAFE_INTEGER))
    throw new FiscalError("unreadable", field, "un valor del documento es un decimal exacto y no negativo");
  const [, pesos = "", cents = ""] = match;
  return `${BigInt(pesos)}.${cents.slice(0, 2).padEnd(2, "0")}`;
}

/**
 * The buyer's number as it is hashed and printed. Only a NIT has a check digit to remove; a buyer without a number is
 * the final consumer. The number is used as it was typed at the counter, right or wrong: the sale is already made.
 */
export function customerNumber(customer: HashedDocument["customer"]): string {
  const written = customer?.document_number ?? "";
  const reading = customer?.document_type === "NIT" ? parseNit(written) : null;
  if (reading && reading.kind !== "unreadable") return reading.number;
  return written.replace(/[\s.-]/g, "") || finalConsumer;
}

/** The issuer's number comes from its settings, so a wrong one is refused. */
function issuerNumber(nit: string): string {
  const reading = parseNit(nit);
  if (reading.kind !== "valid")
    throw new FiscalError("unreadable", "issuerNit", "no es un NIT, o su dígito de verificación no corresponde");
  return reading.number;
}

function checkedPin(pin: string): string {
  if (!/^[0-9A-Za-z]+$/.test(pin)) throw new FiscalError("bad_pin", "software_pin", "el PIN del software falta");
  return pin;
}

function sha384(text: string): string {
  return createHash("sha384").update(text, "utf8").digest("hex");
}
