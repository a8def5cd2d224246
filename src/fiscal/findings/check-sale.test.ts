import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeTaxes, type TaxInput } from "../../taxes/tax.ts";
import { workedExamples } from "../../taxes/worked-examples.fixture.ts";
import { checkSale } from "./check-sale.ts";

type Sale = ReturnType<typeof uploaded>;

/** The sale a register would upload for a computed input. */
function uploaded(input: TaxInput) {
  const { lines, ...totals } = computeTaxes(input);
  return {
    ...totals,
    discount_percent: input.discountPercent ?? 0,
    items: lines.map(({ subtotal, taxes }, index) => {
      const { quantity, unit_price, discountable } = input.lines[index]!;
      const tax_class = discountable === false ? "passthrough" : "standard";
      return { quantity: Number(quantity), unit_price, subtotal, tax_class, taxes };
    }),
  };
}

const ticket = () => uploaded(workedExamples["A: a shop's ticket"].input);
const discounted = () => uploaded(workedExamples["B: ten percent off"].input);
const invoice = () => uploaded(workedExamples["D: an invoice, 5000 off, with a top-up and a bag sold at 300"].input);

test.each(Object.entries(workedExamples))("%s adds up", (_name, { input }) => {
  expect(checkSale(uploaded(input))).toEqual([]);
});

const wrong: [string, () => Sale, (sale: Sale) => void, object[]][] = [
  [
    "a subtotal that is not the sum of the lines",
    ticket,
    (sale) => {
      sale.subtotal += 1;
      sale.total += 1;
    },
    [{ field: "subtotal", expected: 51057, got: 51058, message: "El subtotal no es la suma de las líneas." }],
  ],
  [
    "a total without the tip",
    () => uploaded(workedExamples["C: a restaurant with a tip"].input),
    (sale) => Object.assign(sale, { total: sale.total - sale.tip_amount }),
    [{ field: "total", expected: 94535, got: 86500 }],
  ],
  [
    "a tax that is neither the breakdown's nor the lines'",
    ticket,
    (sale) => Object.assign(sale, { tax: sale.tax - 10 }),
    [
      { field: "tax", expected: 2979, got: 2969, message: "El impuesto no es la suma del desglose." },
      {
        field: "tax",
        expected: 2979,
        got: 2969,
        message: "El impuesto no es la suma de los impuestos de las líneas.",
      },
    ],
  ],
  [
    "a breakdown entry that the lines do not have",
    ticket,
    (sale) => Object.assign(sale.tax_breakdown[0]!, { code: "04" }),
    [
      { field: "tax_breakdown.base", expected: 17500, got: 0 },
      { field: "tax_breakdown.base", expected: 0, got: 17500 },
    ],
  ],
  [
    "a breakdown with an entry twice",
    ticket,
    (sale) => void sale.tax_breakdown.push({ code: "01", rate: 0, per_unit: null, base: 0, amount: 0 }),
    [{ field: "tax_breakdown[4]", got: "01 0%" }],
  ],
  [
    "a line that is not quantity by price",
    ticket,
    (sale) => {
      sale.items[3]!.subtotal -= 3;
      sale.subtotal -= 3;
      sale.total -= 3;
    },
    [{ field: "items[3].subtotal", expected: 4511, got: 4508 }],
  ],
  [
    "a tax that is not base by rate",
    ticket,
    (sale) => {
      sale.items[0]!.taxes[0]!.base += 100;
      sale.items[0]!.taxes[0]!.amount -= 100;
    },
    [
      { field: "items[0].taxes[0].amount", expected: 2095, got: 1976 },
      { field: "tax", expected: 2879, got: 2979 },
      { field: "tax_breakdown.base", expected: 11024, got: 10924 },
      { field: "tax_breakdown.amount", expected: 1976, got: 2076 },
    ],
  ],
  [
    "a bag tax on another number of bags",
    ticket,
    (sale) => {
      sale.items[4]!.taxes[0]!.base = 3;
      sale.tax_breakdown[3]!.base = 3;
    },
    [
      { field: "items[4].taxes[0].amount", expected: 219, got: 146 },
      { field: "items[4].taxes[0].base", expected: 2, got: 3 },
      { field: "tax_breakdown[3].amount", expected: 219, got: 146 },
    ],
  ],
  [
    "taxes computed before the discount",
    invoice,
    (sale) => {
      const before = uploaded({
        ...workedExamples["D: an invoice, 5000 off, with a top-up and a bag sold at 300"].input,
        discount: 0,
      });
      Object.assign(sale, { items: before.items, tax: before.tax, tax_breakdown: before.tax_breakdown });
    },
    [{ field: "discount", expected: 0, got: 5000 }],
  ],
  [
    "bases lowered without a discount",
    ticket,
    (sale) => {
      sale.items[2]!.taxes[0]!.base -= 500;
      sale.tax_breakdown[0]!.base -= 500;
    },
    [
      { field: "items[2].taxes", expected: 17500, got: 17000 },
      { field: "discount", expected: 500, got: 0 },
    ],
  ],
  [
    "a discount far from its percentage",
    discounted,
    (sale) => Object.assign(sale, { discount_percent: 15 }),
    [{ field: "discount", expected: 6336, got: 4224 }],
  ],
  [
    "a percentage above 100",
    discounted,
    (sale) => Object.assign(sale, { discount_percent: 110 }),
    [{ field: "discount_percent", expected: "0-100", got: 110 }],
  ],
  [
    "a negative tip",
    ticket,
    (sale) => {
      sale.tip_amount = -57;
      sale.total -= 57;
    },
    [{ field: "tip_amount", expected: 0, got: -57 }],
  ],
];

test.each(wrong)("found: %s", (_name, make, change, expected) => {
  const sale = make();
  change(sale);
  expect(checkSale(sale)).toEqual(expected.map((part) => expect.objectContaining(part)));
});

describe("accepted", () => {
  test("a line that rounded half a peso the other way", () => {
    const sale = uploaded({ lines: [{ quantity: 0.5, unit_price: 2501, taxes: [] }] });
    sale.items[0]!.subtotal = 1251;
    expect(checkSale({ ...sale, subtotal: 1251, total: 1251 })).toEqual([]);
  });

  test("a sale whose lines have no taxes", () => {
    const { items, ...totals } = ticket();
    const bare = items.map((item, index) => ({ ...item, taxes: null, tax_class: index === 4 ? "bag" : "standard" }));
    expect(checkSale({ ...totals, items: bare })).toEqual([]);
    expect(checkSale({ ...totals, items: bare, tax_breakdown: null })).toEqual([]);
  });

  test("a percentage that the register computed from the pesos", () => {
    const sale = invoice();
    expect(checkSale({ ...sale, discount_percent: 1.41 })).toEqual([]);
    expect(checkSale({ ...sale, discount_percent: (5000 / 355273) * 100 })).toEqual([]);
    const third = uploaded({ lines: [{ quantity: 1, unit_price: 100_000, taxes: [] }], discount: 3334 });
    expect(checkSale({ ...third, discount_percent: 3.33 })).toEqual([]);
    expect(checkSale({ ...third, discount_percent: 3.32 })).toMatchObject([{ field: "discount", expected: 3320 }]);
  });
});

describe("malformed content is a finding, never an exception", () => {
  test.each([
    [null, ""],
    ["una venta", ""],
    [[], ""],
    [{}, "items"],
    [{ ...ticket(), items: { 0: {} } }, "items"],
    [{ ...ticket(), items: [null] }, "items[0]"],
    [{ ...ticket(), total: "51057" }, "total"],
    [{ ...ticket(), total: Number.NaN }, "total"],
    [{ ...ticket(), tax: 1e300 }, "tax"],
    [{ ...ticket(), tax_breakdown: "IVA" }, "tax_breakdown"],
    [{ ...ticket(), tax_breakdown: [{ code: "01", rate: 19, per_unit: 73, base: 0, amount: 0 }] }, "tax_breakdown[0]"],
    [
      { ...ticket(), tax_breakdown: [{ code: "22", per_unit: { toString: 1 }, base: 0, amount: 0 }] },
      "tax_breakdown[0].per_unit",
    ],
    [{ ...ticket(), discount_percent: { valueOf: null } }, "discount_percent"],
  ])("case %#", (sale, field) => {
    expect(checkSale(sale).map((found) => found.field)).toContain(field);
  });

  test("a sale that is wrong everywhere gets at most a hundred findings", () => {
    expect(checkSale({ ...ticket(), items: Array.from({ length: 200_000 }, () => null) })).toHaveLength(100);
    const [item] = ticket().items;
    const taxes = Array.from({ length: 200_000 }, () => item!.taxes[0]);
    expect(checkSale({ ...ticket(), items: [{ ...item, taxes }] })).toHaveLength(100);
  });

  test("any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.parse(JSON.stringify(checkSale(value)))).toEqual(checkSale(value));
      }),
    );
  });

  test("any value in place of one in a correct sale", () => {
    const paths = pathsOf(discounted());
    const anyPlace = fc.constantFrom(...paths);
    fc.assert(
      fc.property(anyPlace, fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), (path, odd) => {
        expect(Array.isArray(checkSale(replaced(discounted(), path, odd)))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("any changed peso in the totals or the lines is found", () => {
    const paths = pathsOf(discounted()).filter((path) =>
      /^(subtotal|discount|tax|tip_amount|total)$|(base|amount)$/.test(String(path.at(-1))),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.integer({ min: 1, max: 1_000_000 }), (path, more) => {
        const sale = discounted();
        const before = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], sale) as number;
        expect(checkSale(replaced(sale, path, before + more))).not.toEqual([]);
      }),
    );
  });
});

/** The path to every value inside, objects and arrays included. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function replaced(sale: Sale, path: string[], value: unknown): Sale {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], sale);
  (holder as Record<string, unknown>)[path.at(-1)!] = value;
  return sale;
}
