import { expect, test } from "vitest";
import { computeTaxes } from "../src/taxes/tax.ts";
import type { CatalogProduct } from "./catalog.ts";
import { allActs } from "./shown-acts.ts";
import { freeLine, lineOf, newTicket, type Ticket, type TicketLine, type Totals } from "./ticket.ts";

const at = new Date("2026-11-18T15:00:00Z");
const product = (given: Partial<CatalogProduct> = {}): CatalogProduct => ({
  ...{ id: "pan", name: "Pan", base_price: 5_000, final_price: 5_000, tax_class: "excluded", base_unit: "und" },
  ...{ sold_by_weight: false, active: true, sellable: true, variants: [], ...given },
});
const person = (permissions: string[], rights: string[] = []) => ({
  id: "luz",
  name: "Luz",
  pin_hash: "",
  permissions,
  rights,
});
const luz = person(["discount"], ["price", "free_line"]);

/** The rights that she declares of a ticket with these lines. */
function declared(
  lines: TicketLine[],
  {
    now = product(),
    cashier = luz,
    isOffered = false,
    discount = 0,
    acts,
    perUnit = 0,
  }: {
    now?: CatalogProduct;
    cashier?: typeof luz | null;
    isOffered?: boolean;
    discount?: number;
    acts?: Ticket["acts"];
    perUnit?: number;
  } = {},
): string[] {
  const sums = computeTaxes({
    lines: lines.map(({ quantity, price }) => ({
      ...{ quantity, unit_price: price },
      taxes: perUnit === 0 ? [] : [{ code: "22", name: "Bolsas", rate: null, per_unit: perUnit }],
    })),
    discount,
  });
  const totals: Totals = { ...sums, unitPrices: lines.map(({ price }) => price) };
  const ticket = { ...newTicket("t", at), lines, ...(acts && { acts }) };
  return allActs(ticket, { cashier: cashier ?? undefined, totals, productOf: () => now, isOffered }).map(
    ({ right }) => right,
  );
}
const bread = (given: Partial<TicketLine> = {}) => ({ ...lineOf("l", product()), ...given });

test("what a ticket shows and nobody declared is declared by whoever sells it and may", () => {
  expect(declared([bread()])).toEqual([]);
  // The price went up while the ticket was open.
  expect(declared([bread()], { now: product({ final_price: 6_000 }) })).toEqual(["price"]);
  expect(declared([freeLine("f", "Domicilio", 3_000, "excluded")])).toEqual(["free_line"]);
  expect(declared([bread()], { discount: 500 })).toEqual(["discount"]);
  // A part of what is sold by the piece since.
  expect(declared([bread({ quantity: 0.5 })])).toEqual(["price"]);
  expect(declared([bread({ quantity: 0.5 })], { now: product({ sold_by_weight: true }) })).toEqual([]);
});

test("a pack's price, a variant's and a bag with its tax are the catalogue's", () => {
  const barcodes = [{ code: "770", units: 24, name: null, price: 96_000, variant_id: null }];
  expect(declared([bread({ price: 4_000, quantity: 24 })], { now: product({ barcodes }) })).toEqual([]);
  const variants = [{ id: "mini", label: "Mini", final_price: 2_000 }];
  expect(declared([bread({ price: 2_000, variant_id: "mini" })], { now: product({ variants }) })).toEqual([]);
  const bag = product({ tax_class: "bag", base_price: 100, final_price: 170 });
  expect(declared([bread({ price: 100 })], { now: bag, perUnit: 70 })).toEqual([]);
});

test("nobody declares what she may not, what was declared already, or what a quote or an order offers", () => {
  const dearer = product({ final_price: 6_000 });
  expect(declared([bread()], { now: dearer, cashier: person([]) })).toEqual([]);
  expect(declared([bread()], { now: dearer, cashier: null })).toEqual([]);
  const acts = [{ right: "price" as const, cashier_id: "ana", authorized_by: "luz" }];
  expect(declared([bread()], { now: dearer, acts })).toEqual(["price"]);
  // Whoever gave a discount on the line said why it costs less.
  const given = [{ right: "discount" as const, cashier_id: "luz", authorized_by: null }];
  expect(declared([bread({ price: 4_500 })], { acts: given })).toEqual(["discount"]);
  const quoted = bread({ price: 1_000, quantity: 2, quoted: 2 });
  expect(declared([quoted], { isOffered: true, discount: 100 })).toEqual([]);
  expect(declared([{ ...quoted, quantity: 3 }], { isOffered: true })).toEqual(["price"]);
  expect(declared([quoted])).toEqual(["price"]);
});
