import fc from "fast-check";
import { expect, test } from "vitest";
import { isScaleLabel, readScaleLabel, scaleLabelOf } from "../src/lib/scale-label.ts";
import { type BusinessInfo, profileOf, unknownBusiness } from "./business.ts";
import { type CatalogBarcode, type CatalogProduct, newCatalog } from "./catalog.ts";
import { findScanned, linesOf, type Scanned } from "./scanned.ts";
import { newTicket, totalsOf, withLine } from "./ticket.ts";

const at = new Date("2026-09-28T19:05:09.120Z");
const byWeight = "20AAAAAGGGGGC";
const byPrice = "21AAAAAPPPPPC";
const shop: BusinessInfo = { ...unknownBusiness, regime: "iva", scale_labels: [byWeight, byPrice] };
const beforeTax: BusinessInfo = { ...shop, prices_include_tax: false };

const beer: CatalogProduct = {
  id: "b",
  name: "Cerveza",
  sku: "7701",
  base_price: 2500,
  final_price: 2500,
  tax_class: "standard",
  base_unit: "und",
  sold_by_weight: false,
  active: true,
  sellable: true,
  variants: [],
};
const cheese: CatalogProduct = { ...beer, id: "c", name: "Queso", sku: "123", base_unit: "kg", sold_by_weight: true };
const pack = (given: Partial<CatalogBarcode> = {}): CatalogBarcode => ({
  ...{ code: "17701", units: 24, name: null, price: null, variant_id: null },
  ...given,
});

function sold(scanned: Scanned, count = 1, business = shop) {
  let id = 0;
  const lines = linesOf(scanned, count, { business, at, newId: () => `l${id++}` });
  const ticket = lines.reduce(withLine, newTicket("t", at));
  return { lines: ticket.lines, total: totalsOf(ticket, profileOf(business), at).total };
}
const unitsIn = (lines: readonly { quantity: number }[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

test("a pack is its units at the product's price, and says so", () => {
  const { lines, total } = sold({ product: beer, pack: pack() });
  expect(lines).toMatchObject([{ quantity: 24, price: 2500, description: "Cerveza · Caja x24" }]);
  expect(total).toBe(60_000);
  expect(sold({ product: beer, pack: pack({ name: "Petaca" }) }, 5)).toMatchObject({
    lines: [{ quantity: 120, description: "Cerveza · Petaca" }],
    total: 300_000,
  });
  expect(sold({ product: beer, pack: pack({ units: 1 }) }).lines).toMatchObject([
    { quantity: 1, description: "Cerveza" },
  ]);
});

test("a pack's own price is sold to the peso, whatever it is divided by", () => {
  const priced = pack({ price: 50_000 });
  expect(sold({ product: beer, pack: priced })).toMatchObject({
    lines: [
      { quantity: 16, price: 2083 },
      { quantity: 8, price: 2084 },
    ],
    total: 50_000,
  });
  const amounts = fc.record({
    units: fc.integer({ min: 1, max: 10_000 }),
    price: fc.integer({ min: 0, max: 99_999_999 }),
    count: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(amounts, ({ units, price, count }) => {
      const { lines, total } = sold({ product: beer, pack: pack({ units, price }) }, count);
      expect(total).toBe(price * count);
      expect(unitsIn(lines)).toBe(units * count);
      expect(lines.every(({ quantity }) => quantity > 0)).toBe(true);
    }),
  );
});

test("where prices are typed before taxes, a pack's own price gets them once", () => {
  expect(sold({ product: beer, pack: pack({ price: 50_000 }) }, 1, beforeTax).total).toBe(59_500);
  expect(sold({ product: beer, pack: pack() }, 1, beforeTax).total).toBe(24 * 2975);
});

test("two scans of a pack are one pack twice, and a loose unit stays apart", () => {
  const lines = [{ product: beer, pack: pack() }, { product: beer, pack: pack() }, { product: beer }].flatMap(
    (one, i) => linesOf(one, 1, { business: shop, at, newId: () => `l${i}` }),
  );
  const ticket = lines.reduce(withLine, newTicket("t", at));
  expect(ticket.lines).toMatchObject([{ quantity: 48 }, { quantity: 1, description: "Cerveza" }]);
});

test("a label with a weight sells that weight, in the product's own unit", () => {
  const label = { kind: "weight", value: 735 } as const;
  expect(sold({ product: cheese, label })).toMatchObject({ lines: [{ quantity: 0.735 }], total: 1838 });
  expect(sold({ product: { ...cheese, base_unit: "g", final_price: 3 }, label }).lines[0]!.quantity).toBe(735);
  expect(sold({ product: { ...cheese, base_unit: "lb" }, label }).lines[0]!.quantity).toBe(1.47);
});

test("a label with a price costs that price to the peso, whatever a kilo costs", () => {
  const prices = fc.record({
    kilo: fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 99_999_999 })),
    value: fc.integer({ min: 1, max: 999_999 }),
    business: fc.constantFrom(shop, beforeTax),
  });
  fc.assert(
    fc.property(prices, ({ kilo, value, business }) => {
      const product = { ...cheese, base_price: kilo, final_price: kilo };
      const label = { kind: "price", value } as const;
      const { lines, total } = sold({ product, label }, 1, business);
      expect(total).toBe(value);
      expect(lines).toHaveLength(1);
      expect(sold({ product: beer, label }, 1, business)).toMatchObject({ lines: [{ quantity: 1 }], total: value });
    }),
    { numRuns: 500 },
  );
});

test("what is no weighed product and costs by its label otherwise than in the catalogue says what it cost before", () => {
  const label = { kind: "price", value: 100 } as const;
  expect(sold({ product: beer, label }).lines).toMatchObject([{ quantity: 1, price: 100, priced_from: 2500 }]);
  expect(sold({ product: beer, label }, 3)).toMatchObject({ lines: [{ quantity: 3, priced_from: 2500 }], total: 300 });
  expect(sold({ product: beer, label }, 1, beforeTax).lines).toMatchObject([{ price: 100, priced_from: 2975 }]);
  const plain = [
    sold({ product: beer, label: { kind: "price", value: 2500 } }),
    // Nothing says what it costs: its label does.
    sold({ product: { ...beer, base_price: 0, final_price: 0 }, label }),
    sold({ product: cheese, label }),
  ];
  for (const { lines } of plain) expect(lines[0]).not.toHaveProperty("priced_from");
});

test("a label is read only in a format of the shop, with its check digit", () => {
  expect(readScaleLabel("2000123007359", [byWeight])).toEqual({ article: "00123", kind: "weight", value: 735 });
  expect(scaleLabelOf(byWeight, "123", 735)).toBe("2000123007359");
  expect(readScaleLabel("2000123007352", [byWeight])).toBeUndefined();
  expect(readScaleLabel("2000123007359", [])).toBeUndefined();
  expect(readScaleLabel("2000123007359", [byPrice])).toBeUndefined();
  expect(readScaleLabel(scaleLabelOf(byWeight, "123", 0), [byWeight])).toBeUndefined();
  // The one with more fixed digits is meant, in whichever order they stand.
  for (const formats of [
    ["2AAAAAAGGGGGC", byPrice],
    [byPrice, "2AAAAAAGGGGGC"],
  ])
    expect(readScaleLabel(scaleLabelOf(byPrice, "5", 900), formats)?.kind).toBe("price");
  expect(["20AAAAAGGGGGC", "2AAAAAXPPPPPC", "21GGGGGAAAAAC"].every(isScaleLabel)).toBe(true);
  expect(["10AAAAAGGGGGC", "20AAAAAGGGGG", "20AAAAAGGPPPC", "20AAAGGGAAGGC", "20AAAAAAAAAAC"].some(isScaleLabel)).toBe(
    false,
  );
});

test("a label finds its article by SKU or another code, with fewer zeros or without", () => {
  const label = scaleLabelOf(byWeight, "123", 735);
  for (const sku of ["00123", "0123", "123"]) {
    const catalog = newCatalog();
    catalog.keep("product", "c", { ...cheese, sku });
    expect(findScanned(catalog, shop, label)).toMatchObject({ product: { id: "c" }, label: { value: 735 } });
  }
  const catalog = newCatalog();
  catalog.keep("product", "c", { ...cheese, sku: "Q", barcodes: [pack({ code: "00123", units: 1 })] });
  expect(findScanned(catalog, shop, label)?.product.id).toBe("c");
  expect(findScanned(catalog, shop, scaleLabelOf(byWeight, "999", 735))).toBeUndefined();
  // A code that the shop gave to a product is that product's.
  catalog.keep("product", "b", { ...beer, sku: label });
  expect(findScanned(catalog, shop, label)).toEqual({ product: expect.objectContaining({ id: "b" }) });
});

test("of two products with one code every register takes the same: a SKU first, then the older product", () => {
  const products = [
    { ...beer, id: "2", sku: "X", barcodes: [pack({ code: "Y" })] },
    { ...beer, id: "1", sku: "Z", barcodes: [pack({ code: "X" }), pack({ code: "Y", units: 6 })] },
  ];
  for (const order of [products, products.toReversed()]) {
    const catalog = newCatalog();
    for (const product of order) catalog.keep("product", product.id, product);
    expect(catalog.byCode("x")).toMatchObject({ product: { id: "2" } });
    expect(catalog.byCode("Y")).toMatchObject({ product: { id: "1" }, pack: { units: 6 } });
    expect(catalog.search("y").length).toBe(2);
  }
});
