import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomSamples, testIssuance } from "../../../test/support/dian.ts";
import { attached, cufe, invoiceXml, lineXml, zipped } from "../../../test/support/received.ts";
import { chance } from "../../operations/demo/random.ts";
import { writeDocument } from "../authority/dian/document/write-document.ts";
import { readInvoice } from "./read-invoice.ts";
import { Unreadable, xmlOf } from "./unpack.ts";

const read = (bytes: Buffer | string) => readInvoice(xmlOf(Buffer.from(bytes)));
const why = (bytes: Buffer | string): string => {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  return "";
};

test("an invoice says who sold what, for how much, with which taxes", () => {
  expect(read(invoiceXml())).toEqual({
    ...{ cufe, number: "FV1029", issued_on: "2026-09-28", due_on: "2026-10-13", buyer_nit: null },
    supplier: {
      ...{ name: "Distribuidora La Sabana S.A.S.", nit: "900373923-8" },
      ...{ email: "facturas@lasabana.example", phone: "6015550134" },
    },
    lines: [
      {
        ...{ description: "Gaseosa x24", code: "G-24", barcode: null, quantity: 10, unit: "und" },
        ...{ price: 48_000, discount: 0, net: 480_000, taxes: [{ code: "01", rate: 19, amount: 91_200 }] },
      },
    ],
    ...{ charges: [], discount: 0, payable: 571_200 },
  });
});

test("it is the same in an AttachedDocument, in CDATA that holds CDATA, in a zip, and after a mark of byte order", async () => {
  const described = invoiceXml({ lines: [lineXml({ description: "<![CDATA[Café & té]]>", taxes: [] })] });
  const plain = read(described);
  expect(plain.lines[0]?.description).toBe("Café & té");
  expect(read(attached(described))).toEqual(plain);
  expect(read(`\ufeff${described}`)).toEqual(plain);
  expect(read(await zipped({ "ad09.xml": attached(described), "factura.pdf": "%PDF" }))).toEqual(plain);
  expect(read(await zipped({ "respuesta.xml": "<ApplicationResponse/>", "f.xml": described }))).toEqual(plain);
});

test("several taxes, discounts, a foreign unit, charges and allowances are all read", () => {
  const line = lineXml({
    ...{
      unit: "XBX",
      quantity: "2.5",
      net: "95000.50",
      price: "40000.20",
      discount: "5000.00",
      barcode: "7702535011089",
    },
    taxes: [
      ["01", "19.00", "18050.10"],
      ["34", "0.00", "1300.00"],
      ["04", "8.00", "7600.04"],
    ],
  });
  const beside = `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Flete</cbc:AllowanceChargeReason><cbc:Amount>20000.00</cbc:Amount></cac:AllowanceCharge><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>1000.00</cbc:Amount></cac:AllowanceCharge>`;
  const invoice = read(invoiceXml({ lines: [line], beside }));
  expect(invoice).toMatchObject({ charges: [{ description: "Flete", amount: 20_000 }], discount: 1_000 });
  expect(invoice.lines).toMatchObject([
    {
      ...{ unit: "Caja", quantity: 2.5, net: 95_000.5, discount: 5_000, barcode: "7702535011089" },
      taxes: [{ code: "01" }, { code: "34", amount: 1_300 }, { code: "04", rate: 8 }],
    },
  ]);
});

test("what this house writes for the authority, it reads", () => {
  const samples = Array.from({ length: 40 }, (_, i) => randomSamples(chance(i + 1), i + 1)).flat();
  const invoices = samples.filter(({ kind }) => kind === "invoice");
  expect(invoices.length).toBeGreaterThan(10);
  for (const { kind, document } of invoices) {
    const invoice = read(attached(writeDocument(document, testIssuance(kind), kind)));
    expect([invoice.number, invoice.cufe, invoice.lines.length]).toEqual([
      ...[`${document.prefix}${document.number}`, document.cufe, document.lines.length],
    ]);
    expect(Math.abs(invoice.payable - document.total)).toBeLessThan(1);
  }
});

describe("refused in words", () => {
  const doctype = `<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  const laughs = `<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  test.each<[string, string, RegExp]>([
    ["an external entity", invoiceXml().replace("<Invoice", `${doctype}<Invoice`), /DOCTYPE/],
    ["a bomb of entities", invoiceXml({ number: "&b;" }).replace("<Invoice", `${laughs}<Invoice`), /DOCTYPE/],
    ["an entity in what is attached", attached(invoiceXml().replace("<Invoice", `${doctype}<Invoice`)), /DOCTYPE/],
    ["a parameter entity alone", `<!ENTITY % p SYSTEM "http://x">${invoiceXml()}`, /DOCTYPE/],
    ["nothing", "", /vacío/],
    ["no XML", "Hola", /dañado/],
    ["a picture", "\u0000\u0001PNG", /No es un XML/],
    ["what is cut off", invoiceXml().slice(0, 900), /incompleto|dañado/],
    ["tags that do not match", invoiceXml().replace("</Invoice>", "</Factura>"), /dañado/],
    ["what is nested too deep", `${"<a>".repeat(9_000)}${"</a>".repeat(9_000)}`, /dañado/],
    ["a credit note", "<CreditNote/>", /nota crédito/],
    ["a debit note", "<DebitNote/>", /nota débito/],
    ["the authority's answer", "<ApplicationResponse/>", /respuesta de la DIAN/],
    ["something else", "<rss/>", /No es una factura/],
    ["an empty container", "<AttachedDocument/>", /sin la factura/],
    ["dollars", invoiceXml({ currency: "USD" }), /USD/],
    ["no lines", invoiceXml({ lines: [] }), /no tiene líneas/],
    ["no number", invoiceXml({ number: "" }), /no tiene número/],
    ["an amount that is none", invoiceXml({ payable: "1e9" }), /PayableAmount/],
    ["a negative amount", invoiceXml({ lines: [lineXml({ net: "-1.00" })] }), /LineExtensionAmount/],
    ["a quantity of nothing", invoiceXml({ lines: [lineXml({ quantity: "0" })] }), /cantidad 0/],
    ["too many lines", invoiceXml({ lines: Array.from({ length: 501 }, () => lineXml({})) }), /501 líneas/],
    ["a broken zip", "PK\u0003\u0004broken", /zip está dañado/],
  ])("%s", (_what, text, words) => {
    expect(why(text)).toMatch(words);
  });

  test("a bomb of a zip, one without an XML, and one with a password", async () => {
    expect(why(await zipped({ "a.xml": " ".repeat(20 * 1024 * 1024) }))).toMatch(/demasiado grande/);
    expect(why(await zipped({ "a.pdf": "x" }))).toMatch(/ningún XML/);
    const sealed = await zipped({ "a.xml": invoiceXml() });
    const directory = sealed.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
    sealed.writeUInt16LE(sealed.readUInt16LE(directory + 8) | 1, directory + 8);
    expect(why(sealed)).toMatch(/contraseña/);
    expect(why(Buffer.alloc(3 * 1024 * 1024, 32))).toMatch(/2 MB/);
  });

  test("anything else: a file is read or refused, and never breaks the service", async () => {
    const whole = Buffer.from(attached(invoiceXml()));
    const zip = await zipped({ "a.xml": invoiceXml() });
    const cut = fc.record({
      of: fc.constantFrom(whole, zip),
      at: fc.nat(5_000),
      byte: fc.nat(255),
      keep: fc.nat(6_000),
    });
    fc.assert(
      fc.property(cut, ({ of, at, byte, keep }) => {
        const broken = Buffer.from(of.subarray(0, Math.max(4, keep)));
        broken[at % broken.length] = byte;
        why(broken);
      }),
      { numRuns: 400 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void why(Buffer.from(bytes))));
  });
});
