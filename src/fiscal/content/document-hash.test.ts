import { describe, expect, test } from "vitest";
import { bogotaDate, bogotaTime } from "../../taxes/bogota-time.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { computeTaxes } from "../../taxes/tax.ts";
import { workedExamples } from "../../taxes/worked-examples.fixture.ts";
import vectors from "./dian-vectors.fixture.json" with { type: "json" };
import {
  cude,
  cufe,
  customerNumber,
  type HashedDocument,
  hashedAmounts,
  qrUrl,
  softwareSecurityCode,
  twoDecimals,
} from "./document-hash.ts";

const testKey = "fc8eac422eba16e22ffd8c6f94b3f40a6e38162c";
const shaOf = (name: string) => vectors.find((vector) => vector.name.includes(name))!.sha384;

function documentOf(vector: (typeof vectors)[number]): HashedDocument {
  return {
    number: vector.number,
    issuedAt: new Date(vector.issued_at),
    lineExtension: vector.line_extension,
    iva: vector.iva,
    inc: vector.inc,
    ica: vector.ica,
    payable: vector.payable,
    issuerNit: vector.issuer,
    customer: { document_type: "CC", document_number: vector.customer },
    environment: vector.environment as "production" | "test",
  };
}

const pos: HashedDocument = {
  ...documentOf(vectors.find((vector) => vector.name.includes("POS document, worked example A"))!),
  customer: null,
};

describe("published, recomputed and derived vectors", () => {
  test.each(vectors)("$name", (vector) => {
    const hash = vector.algorithm === "CUFE" ? cufe : cude;
    expect(hash(documentOf(vector), vector.key)).toBe(vector.sha384);
  });
});

describe("from a computed sale to its code", () => {
  const issuer = { issuerNit: "900123456-8", environment: "test" as const };

  test("the POS document of example A, for a final consumer", () => {
    const amounts = hashedAmounts(computeTaxes(workedExamples["A: a shop's ticket"].input));
    expect(amounts).toEqual({ lineExtension: 48078, iva: 2833, inc: 0, ica: 0, payable: 51057 });
    const issuedAt = new Date("2026-09-28T19:05:09.999Z");
    expect(cude({ ...amounts, ...issuer, number: "EPOS1024", issuedAt, customer: null }, "12345")).toBe(
      shaOf("POS document, worked example A"),
    );
  });

  test("the POS document of example C, with INC and a tip, at night in Bogotá", () => {
    const amounts = hashedAmounts(computeTaxes(workedExamples["C: a restaurant with a tip"].input));
    const issuedAt = new Date("2026-09-29T01:41:00Z");
    expect(cude({ ...amounts, ...issuer, number: "EPOS1025", issuedAt, customer: null }, "12345")).toBe(
      shaOf("worked example C"),
    );
  });

  test("the invoice of example D, for a company", () => {
    const sale = workedExamples["D: an invoice, 5000 off, with a top-up and a bag sold at 300"].input;
    const customer = { document_type: "NIT", document_number: "900.166.483-1" };
    const issuedAt = new Date("2026-09-28T10:15:00-05:00");
    const document = { ...hashedAmounts(computeTaxes(sale)), ...issuer, number: "SETP990000027", issuedAt, customer };
    expect(cufe(document, testKey)).toBe(shaOf("CUFE invoice, worked example D"));
  });
});

describe("amounts", () => {
  test.each([
    ["262.569", "262.56"],
    [262.569, "262.56"],
    [51057, "51057.00"],
    [0, "0.00"],
    ["0.999", "0.99"],
    ["12.5", "12.50"],
    ["007.10", "7.10"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991.00"],
    ["123456789012345678901234567890.129", "123456789012345678901234567890.12"],
  ])("%s is hashed as %s", (amount, text) => {
    expect(twoDecimals(amount)).toBe(text);
  });

  test.each([
    -1,
    "-0.01",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    1e21,
    1e-7,
    "1,5",
    "1.234.567",
    "",
    ".5",
    "5.",
  ])("%s is refused", (amount) => {
    expect(() => twoDecimals(amount)).toThrow(FiscalError);
  });

  test("the error names the wrong amount", () => {
    expect(() => cude({ ...pos, ica: -1 }, "12345")).toThrow(expect.objectContaining({ field: "ica" }));
  });
});

describe("secrets", () => {
  test.each([
    ["truncated", testKey.slice(0, 38)],
    ["too long", `${testKey}0`],
    ["in capitals", testKey.toUpperCase()],
    ["with a newline", `${testKey}\n`],
    ["a PIN", "12345"],
    ["empty", ""],
  ])("a technical key that is %s is refused, and not repeated in the message", (_name, key) => {
    expect(() => cufe(pos, key)).toThrow(expect.objectContaining({ problem: "bad_technical_key" }));
    if (key !== "") expect(() => cufe(pos, key)).not.toThrow(key);
  });

  test.each(["", " ", "123 45", "12345\n"])("PIN %o is refused", (pin) => {
    expect(() => cude(pos, pin)).toThrow(expect.objectContaining({ problem: "bad_pin" }));
    expect(() => softwareSecurityCode("id", pin, "EPOS1")).toThrow(FiscalError);
  });
});

describe("parties", () => {
  test.each([
    [null, "222222222222"],
    [{ document_type: "CC", document_number: null }, "222222222222"],
    [{ document_type: "CC", document_number: " " }, "222222222222"],
    [{ document_type: "CC", document_number: "1.020.456.789" }, "1020456789"],
    [{ document_type: "NIT", document_number: "900.373.923-8" }, "900373923"],
    [{ document_type: "NIT", document_number: "900373923" }, "900373923"],
    [{ document_type: "NIT", document_number: "900373923-1" }, "900373923"],
    [{ document_type: "NIT", document_number: "123-4" }, "1234"],
    [{ document_type: "PASAPORTE", document_number: "X-1234567" }, "X1234567"],
  ])("buyer %o", (customer, number) => {
    expect(customerNumber(customer)).toBe(number);
  });

  test.each(["900123456-1", "caja", ""])("issuer %o is refused", (issuerNit) => {
    expect(() => cude({ ...pos, issuerNit }, "12345")).toThrow(expect.objectContaining({ field: "issuerNit" }));
  });

  test.each(["EPOS-1024", "EPOS 1024", ""])("document number %o is refused", (number) => {
    expect(() => cude({ ...pos, number }, "12345")).toThrow(expect.objectContaining({ field: "number" }));
  });
});

test("every hashed field changes the code", () => {
  const changes: Partial<HashedDocument>[] = [
    { number: "EPOS1025" },
    { issuedAt: new Date(pos.issuedAt.getTime() + 1000) },
    { lineExtension: 1 },
    { iva: 1 },
    { inc: 1 },
    { ica: 1 },
    { payable: 1 },
    { issuerNit: "900373923-8" },
    { customer: { document_type: "CC", document_number: "71234567" } },
    { environment: "production" },
  ];
  const codes = [{}, ...changes].map((change) => cude({ ...pos, ...change }, "12345"));
  expect(new Set([...codes, cude(pos, "12346")]).size).toBe(changes.length + 2);
});

test.each([
  ["2026-09-28T19:05:09.999Z", "2026-09-28", "14:05:09-05:00"],
  ["2026-01-01T04:59:59Z", "2025-12-31", "23:59:59-05:00"],
  ["2026-01-01T05:00:00Z", "2026-01-01", "00:00:00-05:00"],
  ["2028-02-29T12:00:00Z", "2028-02-29", "07:00:00-05:00"],
])("%s in Bogotá", (at, date, time) => {
  expect([bogotaDate(new Date(at)), bogotaTime(new Date(at))]).toEqual([date, time]);
});

test("the QR address is in the catalogue of its environment", () => {
  expect(qrUrl("ab12", "production")).toBe("https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=ab12");
  expect(qrUrl("ab12", "test")).toBe("https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=ab12");
});

test("the software security code hashes identifier, PIN and number", () => {
  // Computed with sha384sum over "56f2ae4e-9812-4fad-9255-08fcfcd5ccb012345SETP990000027".
  expect(softwareSecurityCode("56f2ae4e-9812-4fad-9255-08fcfcd5ccb0", "12345", "SETP990000027")).toBe(
    "d052da26372946901db85456658e575f8752ecb9b57ebb70b62caca7e831864fac13764f436511e77cb7aad7d0eb4db8",
  );
});
