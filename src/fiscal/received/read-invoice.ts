import { parseNit } from "../../taxes/nit.ts";
import {
  attributeOf,
  childText,
  findElement,
  type ReadElement,
  readAnswerXml,
} from "../authority/dian/xml/read-xml.ts";
import { unitNamed } from "./units.ts";
import { Unreadable } from "./unpack.ts";

/** A supplier's electronic invoice, as far as a purchase is made of it. Figures are as the invoice has them. */
export interface ReceivedInvoice {
  cufe: string | null;
  number: string;
  issued_on: string | null;
  due_on: string | null;
  supplier: { name: string; nit: string | null; email: string | null; phone: string | null };
  /** Whom it is made out to. */
  buyer_nit: string | null;
  lines: ReceivedLine[];
  /** On top of the whole: freight and the like, in pesos. */
  charges: { description: string; amount: number }[];
  /** Off the whole. */
  discount: number;
  payable: number;
}

export interface ReceivedLine {
  description: string;
  /** What the supplier calls it, and what a scanner reads on it. */
  code: string | null;
  barcode: string | null;
  quantity: number;
  unit: string;
  price: number;
  discount: number;
  /** Less its discount, without taxes. */
  net: number;
  taxes: { code: string; rate: number | null; amount: number }[];
}

const maxLines = 500;

/** Reads an invoice, or the AttachedDocument that holds one. Throws an `Unreadable` that says what is wrong. */
export function readInvoice(xml: string): ReceivedInvoice {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new Unreadable("El XML define entidades (DOCTYPE), y una factura no lo hace: no se lee.");
  const root = readAnswerXml(xml);
  if (!root) throw new Unreadable("El XML está incompleto o dañado. Descárguelo otra vez y súbalo de nuevo.");
  return invoiceOf(root.name === "AttachedDocument" ? held(root) : root);
}

/** What an AttachedDocument carries, as text within its own. */
function held(container: ReadElement): ReadElement {
  const attachment = container.children.find(({ name }) => name === "Attachment");
  const text = attachment && findElement(attachment, "Description")?.text.trim();
  if (!text) throw new Unreadable("El contenedor (AttachedDocument) viene sin la factura. Pida el XML al proveedor.");
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Unreadable("La factura define entidades (DOCTYPE): no se lee.");
  const root = readAnswerXml(text);
  if (!root) throw new Unreadable("La factura dentro del contenedor está dañada. Pida el XML al proveedor.");
  return root;
}

const others: Record<string, string> = {
  CreditNote: "Es una nota crédito. Abra la compra y use «Devolver», o corrija la recepción.",
  DebitNote: "Es una nota débito, y aquí se leen facturas. Haga una compra con lo que cobra.",
  ApplicationResponse: "Es la respuesta de la DIAN y no la factura. Suba el XML de la factura.",
};

function invoiceOf(root: ReadElement): ReceivedInvoice {
  if (root.name !== "Invoice")
    throw new Unreadable(
      others[root.name] ?? "No es una factura electrónica (UBL Invoice). Suba el XML de la factura.",
    );
  const currency = childText(root, "DocumentCurrencyCode") ?? "COP";
  if (currency !== "COP")
    throw new Unreadable(
      `La factura está en ${currency} y las compras se llevan en pesos. Escríbala a mano con su costo en pesos.`,
    );
  const number = childText(root, "ID");
  if (number === null) throw new Unreadable("La factura no tiene número. Pida el XML al proveedor.");
  const lines = all(root, "InvoiceLine");
  if (lines.length === 0) throw new Unreadable("La factura no tiene líneas.");
  if (lines.length > maxLines)
    throw new Unreadable(`La factura tiene ${lines.length} líneas y una compra admite ${maxLines}. Pártala a mano.`);
  const totals = child(root, "LegalMonetaryTotal");
  const allowances = all(root, "AllowanceCharge");
  return {
    cufe: childText(root, "UUID")?.toLowerCase() ?? null,
    number: number.slice(0, 40),
    issued_on: dayIn(childText(root, "IssueDate")),
    due_on: dayIn(childText(root, "DueDate") ?? deepText(root, ["PaymentMeans", "PaymentDueDate"])),
    supplier: supplierOf(root),
    buyer_nit: nitOf(child(root, "AccountingCustomerParty")),
    lines: lines.map(lineOf),
    charges: allowances.filter(isCharge).map((one) => ({
      description: (childText(one, "AllowanceChargeReason") ?? "Cargo").slice(0, 120),
      amount: Math.round(amountIn(one, "Amount")),
    })),
    discount: sum(allowances.filter((one) => !isCharge(one)).map((one) => amountIn(one, "Amount"))),
    payable: amountIn(totals, "PayableAmount") + optionalAmount(totals, "PrepaidAmount"),
  };
}

const child = (of: ReadElement | undefined, name: string) => of?.children.find((one) => one.name === name);
const all = (of: ReadElement, name: string) => of.children.filter((one) => one.name === name);
const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
const isCharge = (one: ReadElement) => childText(one, "ChargeIndicator")?.toLowerCase() === "true";

function deepText(of: ReadElement | undefined, path: readonly string[]): string | null {
  const [last, ...above] = path.toReversed();
  const holder = above.toReversed().reduce<ReadElement | undefined>(child, of);
  return holder && last !== undefined ? childText(holder, last) : null;
}

function dayIn(text: string | null): string | null {
  const day = text?.slice(0, 10) ?? "";
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(day) ? day : null;
}

/** Pesos with cents, in plain decimals. What is none is told, never taken for 0. */
function amountIn(of: ReadElement | undefined, name: string): number {
  const text = of && childText(of, name);
  const value = text && /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Unreadable(`La factura no dice bien «${name}» (${text ?? "falta"}). Pida el XML al proveedor.`);
}

const optionalAmount = (of: ReadElement | undefined, name: string): number =>
  of && childText(of, name) !== null ? amountIn(of, name) : 0;

function supplierOf(root: ReadElement): ReceivedInvoice["supplier"] {
  const party = child(child(root, "AccountingSupplierParty"), "Party");
  const name =
    deepText(party, ["PartyTaxScheme", "RegistrationName"]) ??
    deepText(party, ["PartyLegalEntity", "RegistrationName"]) ??
    deepText(party, ["PartyName", "Name"]);
  if (name === null) throw new Unreadable("La factura no dice quién la hizo. Pida el XML al proveedor.");
  const email = deepText(party, ["Contact", "ElectronicMail"]);
  return {
    name: oneLine(name).slice(0, 120),
    nit: nitOf(child(root, "AccountingSupplierParty")),
    email: email !== null && /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/.test(email) ? email.slice(0, 200) : null,
    phone: deepText(party, ["Contact", "Telephone"])?.slice(0, 30) ?? null,
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** With its check digit, as people write it. */
function nitOf(party: ReadElement | undefined): string | null {
  const text = deepText(child(party, "Party"), ["PartyTaxScheme", "CompanyID"]);
  const nit = parseNit(text ?? "");
  return nit.kind === "unreadable" ? (text?.slice(0, 30) ?? null) : `${nit.number}-${nit.checkDigit}`;
}

function lineOf(line: ReadElement): ReceivedLine {
  const item = child(line, "Item");
  const description = item && (childText(item, "Description") ?? childText(item, "Name"));
  const counted = child(line, "InvoicedQuantity");
  const quantity = amountIn(line, "InvoicedQuantity");
  if (quantity === 0) throw new Unreadable(`La línea «${description ?? ""}» viene en cantidad 0.`);
  const price = child(line, "Price");
  const per = optionalAmount(price, "BaseQuantity") || 1;
  return {
    description: oneLine(description ?? "Sin descripción").slice(0, 300),
    code: codeIn(item, "SellersItemIdentification"),
    barcode: codeIn(item, "StandardItemIdentification"),
    quantity,
    unit: unitNamed((counted && attributeOf(counted, "unitCode")) ?? ""),
    price: optionalAmount(price, "PriceAmount") / per,
    discount: sum(
      all(line, "AllowanceCharge")
        .filter((one) => !isCharge(one))
        .map((one) => amountIn(one, "Amount")),
    ),
    net: amountIn(line, "LineExtensionAmount"),
    taxes: all(line, "TaxTotal").flatMap((total) => all(total, "TaxSubtotal").map(taxOf)),
  };
}

function codeIn(item: ReadElement | undefined, kind: string): string | null {
  const text = deepText(item, [kind, "ID"]);
  return text === null ? null : oneLine(text).slice(0, 100) || null;
}

function taxOf(subtotal: ReadElement): ReceivedLine["taxes"][number] {
  const category = child(subtotal, "TaxCategory");
  const percent = optionalAmount(category, "Percent");
  return {
    code: deepText(category, ["TaxScheme", "ID"])?.slice(0, 4) ?? "ZZ",
    rate: category && childText(category, "Percent") !== null ? percent : null,
    amount: amountIn(subtotal, "TaxAmount"),
  };
}
