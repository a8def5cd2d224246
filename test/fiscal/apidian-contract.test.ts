import { describe, expect, test } from "vitest";
import { checkAmounts } from "../../src/fiscal/authority/apidian/check-amounts.ts";
import { checkFields } from "../../src/fiscal/authority/apidian/check-fields.ts";
import { requestBody } from "../../src/fiscal/authority/apidian/request.ts";
import { checkDocument } from "../../src/fiscal/authority/check-document.ts";
import {
  contentOfNote,
  contentOfSale,
  type DocumentContent,
  type SealedDocument,
  sealDocument,
} from "../../src/fiscal/content/document-content.ts";
import { contentOfPart } from "../../src/fiscal/returns/note-content.ts";
import { planReturn } from "../../src/fiscal/returns/plan-return.ts";
import { chance } from "../../src/operations/demo/random.ts";
import { computeTaxes } from "../../src/taxes/tax.ts";
import { workedExamples } from "../../src/taxes/worked-examples.fixture.ts";
import { refusals, rejections } from "../support/apidian-contract.ts";
import { issuedBefore, partOf, randomCart, sealFor } from "../support/random-cart.ts";
import { saleBody, saleItemBody } from "../support/records.ts";

const settings = { postal_zone_code: "050021", municipality_id: 1 };
const carts = process.env.LONG ? 10_000 : 2_000;

// biome-ignore lint/suspicious/noExplicitAny: what a provider receives is read as data
const bodyOf = (document: SealedDocument): any => JSON.parse(JSON.stringify(requestBody({ document, settings })));
const seal = (content: DocumentContent, number = 1) => sealDocument(content, sealFor(content, number));

function mustBeAccepted(content: DocumentContent, name: string): void {
  const document = seal(content);
  expect(checkDocument(document, settings, "apidian"), name).toBeUndefined();
  const body = bodyOf(document);
  expect({ refused: refusals(body), rejected: rejections(body) }, name).toEqual({ refused: {}, rejected: [] });
}

/** A worked example as a register's sale. */
function exampleSale(name: string, document_kind: "pos" | "invoice") {
  const { input } = workedExamples[name as keyof typeof workedExamples];
  const { lines, ...totals } = computeTaxes(input);
  const items = lines.map((line, i) => {
    const { unit_price, quantity, discountable } = input.lines[i]!;
    const tax_class = discountable === false ? "passthrough" : "standard";
    return saleItemBody({ ...line, unit_price, quantity: Number(quantity), tax_class });
  });
  return saleBody("2026-11-16T15:04:05.678Z", { ...totals, items, document_kind });
}

describe("the provider and the authority accept", () => {
  test.each(Object.keys(workedExamples))("example %s, as POS document, invoice, note and partial note", (name) => {
    for (const kind of ["pos", "invoice"] as const) {
      const content = contentOfSale(exampleSale(name, kind), undefined);
      mustBeAccepted(content, kind);
      mustBeAccepted(contentOfNote(content, issuedBefore(content.type_document_id)), `note of ${kind}`);
      for (let seed = 1; seed <= 20; seed++) mustBeAccepted(partOf(content, chance(seed)), `part ${seed} of ${kind}`);
    }
  });

  test(`${carts} baskets of every class, regime, unit, buyer, discount, tip and bag, and their notes`, {
    timeout: 300_000,
  }, () => {
    for (let seed = 1; seed <= carts; seed++) {
      const { sale, buyer, products } = randomCart(chance(seed));
      const content = contentOfSale(sale, buyer, { products, register: { id: null, name: "Caja 1", cashier: "Ana" } });
      const all = [
        content,
        contentOfNote(content, issuedBefore(content.type_document_id)),
        partOf(content, chance(seed)),
      ];
      for (const one of all) {
        const document = seal(one);
        const body = bodyOf(document);
        const found = [
          checkDocument(document, settings, "apidian"),
          ...Object.keys(refusals(body)),
          ...rejections(body),
        ];
        // One comparison per document: building a message for each would take most of the time.
        if (found.some((problem) => problem !== undefined)) expect(found, `seed ${seed}`).toEqual([undefined]);
      }
    }
  });
});

test("the note of a register's return of any number of lines is accepted, with the amounts that the return froze", () => {
  let notes = 0;
  for (let seed = 1; seed <= carts / 4; seed++) {
    const { sale, buyer, products } = randomCart(chance(seed));
    const some = sale.items.filter((_, i) => i % 2 === 0 || sale.items.length > 12);
    const wanted = some.map(({ id, quantity }) => ({
      item_id: id,
      quantity: Number.isInteger(quantity) ? Math.ceil(quantity / 2) : quantity,
    }));
    const whole = contentOfSale(sale, buyer, { products });
    const part = contentOfPart(whole, sale, planReturn(sale, [], wanted));
    const note = seal(contentOfNote(part, { ...issuedBefore(whole.type_document_id), concept: 1 }));
    const body = bodyOf(note);
    const found = [checkDocument(note, settings, "apidian"), ...Object.keys(refusals(body)), ...rejections(body)];
    if (found.some((problem) => problem !== undefined)) expect(found, `seed ${seed}`).toEqual([undefined]);
    notes += 1;
  }
  expect(notes).toBe(carts / 4);
});

describe("a line", () => {
  const priced = (fields: object) => {
    const sale = saleBody("2026-11-16T15:04:05.678Z", {});
    const item = { ...sale.items[0]!, ...fields };
    const net = item.subtotal - (item.taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
    const content = contentOfSale(
      { ...sale, items: [item], total: item.subtotal, tax: item.subtotal - net, tax_breakdown: null },
      undefined,
    );
    return bodyOf(seal(content)).invoice_lines[0];
  };
  const iva = (base: number, amount: number) => [{ code: "01", name: "IVA", rate: 19, per_unit: null, base, amount }];

  test("shows the price of one unit before taxes", () => {
    expect(priced({ quantity: 2, unit_price: 6500, subtotal: 13_000, taxes: iva(10_924, 2076) })).toMatchObject({
      price_amount: "5462.00",
      base_quantity: "2",
      line_extension_amount: "10924.00",
    });
    expect(priced({ quantity: 1.735, unit_price: 2600, subtotal: 4511, taxes: [] })).toMatchObject({
      price_amount: "2600.00",
      base_quantity: "1.735",
    });
  });

  test("of many cheap units takes off what two decimals cannot express", () => {
    const line = priced({ quantity: 9_999, unit_price: 13, subtotal: 129_987, taxes: iva(109_233, 20_754) });
    expect(line).toMatchObject({ price_amount: "10.93", line_extension_amount: "109233.00" });
    expect(line.allowance_charges).toMatchObject([{ charge_indicator: false, amount: "56.07" }]);
  });
});

describe("before a number is used", () => {
  const content = contentOfSale(exampleSale("A: a shop's ticket", "pos"), undefined);
  const check = (changed: Partial<DocumentContent>, own = settings as object) =>
    checkDocument(seal({ ...content, ...changed }), own, "apidian");
  const line = content.lines[0]!;

  test.each<[string, Partial<DocumentContent>, string]>([
    [
      "a tax that the provider has no row for",
      { lines: [{ ...line, taxes: [{ ...line.taxes[0]!, code: "34" }] }] },
      "impuesto 34",
    ],
    ["no lines", { lines: [] }, "no tiene líneas"],
    ["a quantity of zero", { lines: [{ ...line, quantity: 0 }] }, "cantidad"],
    ["lines that do not sum up (FAU02)", { subtotal: 60_000, total: 62_979 }, "FAU02"],
    [
      "a tax that is not its base by its rate (FAX07)",
      { lines: [{ ...line, taxes: [{ ...line.taxes[0]!, amount: 9 }] }] },
      "FAX07",
    ],
    ["a breakdown that is not (FAS07)", { tax_breakdown: [{ ...content.tax_breakdown[2]!, amount: 9 }] }, "FAS07"],
    ["taxes that do not sum up (FAU06)", { tax: 99, total: 48_177 }, "FAU06"],
    ["a total that is something else (FAU14)", { total: content.total + 50 }, "FAU14"],
    ["a unit that does not exist", { lines: [{ ...line, unit: "arroba" }] }, "unidad de medida"],
    ["a negative amount", { tip_amount: -1 }, "negativo"],
  ])("%s is told in words", (_name, changed, words) => {
    const problem = check(changed);
    expect(problem?.message).toContain(words);
    expect(problem?.advice).toMatch(/reenvíe el documento\.$/);
  });

  test("a business without its postal zone is told, for POS documents only", () => {
    expect(check({}, {})).toMatchObject({
      field: "postal_zone_code",
      message: "Falta la zona postal del negocio (6 dígitos).",
    });
    expect(check({ type_document_id: 1 }, {})).toBeUndefined();
    expect(checkDocument(seal(content), {}, "simulated")).toBeUndefined();
  });

  test("every field that the provider requires is missed when it is not there", () => {
    const types = [content, { ...content, type_document_id: 1 as const }, contentOfNote(content, issuedBefore(15))];
    for (const one of types) {
      const body = bodyOf(seal(one));
      for (const path of pathsIn(body)) {
        const without = removed(body, path);
        const isRefused = Object.keys(refusals(without)).length > 0;
        if (isRefused)
          expect(checkFields(without, one.type_document_id), `${one.type_document_id} ${path}`).toBeDefined();
      }
    }
  });

  test("what the authority rejects for its sums is found here, and nothing else", () => {
    const body = bodyOf(seal(content));
    for (const path of pathsIn(body).filter((one) => /amount$|percent|base_unit/.test(one))) {
      for (const by of [1, 50, 5_000]) {
        const changed = edited(body, path, (value) => (Number(value) + by).toFixed(2));
        expect(checkAmounts(changed) === undefined, `${path} +${by}`).toBe(
          rejections(changed).every((rule) => /cargo|tributos/.test(rule)),
        );
      }
    }
  });
});

/** Every place of a value in a request, as a path with indexes. */
function pathsIn(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, at === "" ? key : `${at}/${key}`));
}

function edited(body: object, path: string, edit: (value: unknown) => unknown): object {
  const copy = structuredClone(body);
  const steps = path.split("/");
  const last = steps.pop()!;
  const parent = steps.reduce((value, step) => value[step] as Record<string, unknown>, copy as Record<string, unknown>);
  const value = edit(parent[last]);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

const removed = (body: object, path: string) => edited(body, path, () => undefined);
