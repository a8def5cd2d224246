import type { Customer } from "../../src/business/customers/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import {
  type AnnulledDocument,
  contentOfNote,
  type DocumentContent,
  type DocumentLine,
  type Seal,
  type SoldProduct,
} from "../../src/fiscal/content/document-content.ts";
import type { Chance } from "../../src/operations/demo/random.ts";
import { shareOut } from "../../src/taxes/exact.ts";
import { allMeans } from "../../src/taxes/means.ts";
import { breakDown, computeTaxes, type LineTax } from "../../src/taxes/tax.ts";
import { lineFor, type Regime, taxClasses } from "../../src/taxes/tax-classes.ts";
import { softwarePin, technicalKey } from "./fiscal.ts";
import { customerBody, saleBody, saleItemBody } from "./records.ts";

const units = ["und", "und", "und", "kg", "g", "lb", "oz", "l", "ml", "doc"] as const;
const at = new Date("2026-11-16T15:04:05.678Z");

export interface Cart {
  sale: Sale;
  buyer: Customer | undefined;
  products: Map<string, SoldProduct>;
}

/** Any basket that a register can ring up: every class, regime, unit, buyer, discount, tip and bag. */
export function randomCart(chance: Chance): Cart {
  const regime = chance.pick<Regime>(["iva", "iva", "inc", "none"]);
  const profile = { regime, pricesIncludeTax: chance.happens(0.8) };
  const products = new Map<string, SoldProduct>();
  const basket = Array.from({ length: chance.happens(0.1) ? chance.between(10, 40) : chance.between(1, 7) }, () => {
    const tax_class = chance.pick(taxClasses);
    const unit = tax_class === "bag" ? "und" : chance.pick(units);
    const price = priceOf(chance, tax_class);
    const item = saleItemBody({ tax_class, description: `Producto ${tax_class}`, unit_price: price });
    products.set(item.product_id!, { unit, price: price || 500 });
    const quantity = quantityOf(chance, unit);
    return { item, quantity, line: lineFor({ tax_class, base_price: price }, quantity, profile, at) };
  });
  const tip = chance.happens(0.15) ? chance.between(1, 200_000) : 0;
  const discount = chance.happens(0.3) ? { discountPercent: chance.pick([1, 5, 10, 33.33, 50, 99, 100]) } : {};
  const { lines, ...totals } = computeTaxes({ lines: basket.map(({ line }) => line), tip, ...discount });
  const items = basket.map(({ item, quantity, line }, i) => ({
    ...item,
    quantity,
    unit_price: line.unit_price,
    subtotal: lines[i]!.subtotal,
    taxes: lines[i]!.taxes,
  }));
  const document_kind = chance.pick(["pos", "pos", "invoice"] as const);
  const buyer = chance.happens(0.5) ? buyerOf(chance) : undefined;
  const fields = {
    ...totals,
    items,
    document_kind,
    customer_id: buyer?.id ?? null,
    payment_method: chance.pick(allMeans),
  };
  return { sale: saleBody(at.toISOString(), fields), buyer, products };
}

function priceOf(chance: Chance, taxClass: string): number {
  if (taxClass === "bag") return chance.pick([0, 0, 100, 300]);
  if (chance.happens(0.03)) return 0;
  return chance.pick([chance.between(1, 99), 50 * chance.between(1, 400), chance.between(1, 5_000_000)]);
}

function quantityOf(chance: Chance, unit: string): number {
  if (unit === "und" || unit === "doc")
    return chance.happens(0.1) ? chance.between(100, 20_000) : chance.between(1, 12);
  return chance.between(1, 20_000) / 1000;
}

function buyerOf(chance: Chance): Customer {
  const kinds: Partial<Customer>[] = [
    { document_type: "CC", document_number: "1020456789" },
    { document_type: "TI", document_number: "1034567890" },
    { document_type: "CE", document_number: "412356" },
    { document_type: "PASAPORTE", document_number: "X1234567", email: "emily@example.com", phone: "300 123 4567" },
    { document_type: "NIT", document_number: "900.166.483-1", person_type: "company", name: "Inversiones Daval SAS" },
    {
      document_type: "NIT",
      document_number: "9001664831",
      person_type: "company",
      email: "sin-arroba",
      phone: "3".repeat(30),
    },
    { document_type: "NIT", document_number: "1020456789", last_name: "Gómez" },
  ];
  return customerBody(at.toISOString(), chance.pick(kinds));
}

/** What a document of this kind is sealed with. */
export function sealFor(content: DocumentContent, number: number): Seal {
  const { type_document_id } = content;
  return {
    issuerNit: "900373923-8",
    prefix: type_document_id === 1 ? "SETP" : type_document_id === 15 ? "EPOS" : "NA",
    number,
    resolution: content.annuls ? null : "18760000001",
    issuedAt: at,
    environment: "test",
    softwarePin,
    technicalKey,
  };
}

export const issuedBefore = (type_document_id: number): AnnulledDocument => ({
  number: "EPOS1",
  cufe: "ab".repeat(48),
  issued_at: at.toISOString(),
  type_document_id,
});

/** A note about some units of some lines: every amount of a line in proportion, each tax rounded once for all lines. */
export function partOf(content: DocumentContent, chance: Chance): DocumentContent {
  const chosen = content.lines.filter(() => chance.happens(0.6));
  const parts = (chosen.length > 0 ? chosen : content.lines.slice(0, 1)).map((line) => partOfLine(line, chance));
  const groups = Map.groupBy(parts, ({ line }) => line.taxes.map(({ code, rate }) => `${code} ${rate}`).join());
  for (const group of groups.values()) shareTaxes(group);
  const lines = parts.map(({ line }) => line);
  const subtotal = lines.reduce((sum, { extension }) => sum + extension, 0);
  const tax_breakdown = breakDown(lines);
  const tax = tax_breakdown.reduce((sum, { amount }) => sum + amount, 0);
  const part = { ...content, lines, subtotal, tax, tax_breakdown, tip_amount: 0, total: subtotal + tax };
  const reference = {
    ...issuedBefore(content.type_document_id),
    concept: 1,
    reason: "Devolución de una parte",
  } as const;
  return contentOfNote(part, reference);
}

interface Part {
  line: DocumentLine;
  /** Percentage taxes included. */
  net: number;
}

function partOfLine(line: DocumentLine, chance: Chance): Part {
  const whole = Number.isInteger(line.quantity);
  const quantity = whole
    ? chance.between(1, line.quantity)
    : chance.between(1, Math.round(line.quantity * 1000)) / 1000;
  const net = line.taxes.reduce((sum, { rate, amount }) => sum + (rate === null ? 0 : amount), line.extension);
  return { line: { ...line, quantity }, net: Math.round((net * quantity) / line.quantity) };
}

function shareTaxes(parts: Part[]): void {
  const rates = parts[0]!.line.taxes.reduce((sum, { rate }) => sum + (rate ?? 0), 0);
  const shares = parts[0]!.line.taxes.map(({ rate }) =>
    shareOut(
      parts.map(({ net }) => BigInt(net) * BigInt(Math.round((rate ?? 0) * 1000))),
      BigInt(Math.round((100 + rates) * 1000)),
    ),
  );
  parts.forEach((part, i) => {
    const { quantity } = part.line;
    const taxes = part.line.taxes.map((tax, t): LineTax => {
      if (tax.per_unit !== null) return { ...tax, base: quantity, amount: quantity * tax.per_unit };
      return { ...tax, amount: Number(shares[t]![i]!) };
    });
    const extension = taxes.reduce((left, { rate, amount }) => left - (rate === null ? 0 : amount), part.net);
    part.line = {
      ...part.line,
      extension,
      taxes: taxes.map((tax) => (tax.rate === null ? tax : { ...tax, base: extension })),
    };
  });
}
