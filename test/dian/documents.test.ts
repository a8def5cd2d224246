import { expect, test } from "vitest";
import { allKinds, type DocumentKind, kindOf } from "../../src/fiscal/authority/dian/document/kinds.ts";
import { qrText } from "../../src/fiscal/authority/dian/document/qr-text.ts";
import { writeDocument } from "../../src/fiscal/authority/dian/document/write-document.ts";
import { softwareSecurityCode } from "../../src/fiscal/content/document-hash.ts";
import { chance } from "../../src/operations/demo/random.ts";
import { canonical } from "../support/canonical-xml.ts";
import { randomSamples, type Sample, softwareId, testIssuance } from "../support/dian.ts";
import { schemaOrders } from "../support/dian-rules.ts";
import { softwarePin } from "../support/fiscal.ts";
import { at, childrenOf, elementsIn, readXml, textOf, type XmlElement } from "../support/xml-tree.ts";

const samples = Array.from({ length: 45 }, (_, i) => randomSamples(chance(i + 1), i + 1)).flat();
const written = ({ kind, document }: Sample) => writeDocument(document, testIssuance(kind), kind);
const texts = new Map(samples.map((one) => [one, written(one)]));
const roots = new Map([...texts].map(([one, text]) => [one, readXml(text)]));
const read = (sample: Sample) => roots.get(sample)!;
const first = (kind: DocumentKind) => samples.find((one) => one.kind === kind)!;

test("the baskets have every kind of document, and every part of the order is met by one of them", () => {
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(allKinds));
  const met = new Map<string, Set<string>>();
  for (const element of samples.flatMap((one) => elementsIn(read(one)))) {
    const known = schemaOrders[element.local];
    if (!known) continue;
    const places = childrenOf(element).map(({ local }) => known.indexOf(local));
    expect(places, element.local).toEqual(places.toSorted((a, b) => a - b));
    expect(places, element.local).not.toContain(-1);
    for (const { local } of childrenOf(element))
      met.set(element.local, (met.get(element.local) ?? new Set()).add(local));
  }
  for (const [name, order] of Object.entries(schemaOrders))
    expect([...met.get(name)!].toSorted()).toEqual(order.toSorted());
});

test("every document is in canonical form, and says what it is, its code and what proves its software", () => {
  for (const sample of samples) {
    const root = read(sample);
    expect(canonical(root)).toBe(texts.get(sample));
    const { document, kind } = sample;
    const number = `${document.prefix}${document.number}`;
    expect(at(root, "ProfileID")).toBe(kindOf(kind).profileId);
    expect(at(root, "UUID")).toBe(document.cufe);
    expect(at(root, "ID")).toBe(number);
    expect(`${at(root, "IssueDate")}T${at(root, "IssueTime")}`).toBe("2026-11-16T10:04:05-05:00");
    const dian = elementsIn(root).find(({ local }) => local === "DianExtensions")!;
    expect(at(dian, "SoftwareSecurityCode")).toBe(softwareSecurityCode(softwareId, softwarePin, number));
    expect(at(dian, "QRCode")).toBe(
      `https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=${document.cufe}`,
    );
    expect(childrenOf(dian, "InvoiceControl").length).toBe(kind === "invoice" || kind === "pos" ? 1 : 0);
  }
});

/** In cents; the amounts of the authority's rules are compared with two pesos of tolerance. */
const cents = (text: string | undefined) => Math.round(Number(text) * 100);
const near = (a: number, b: number) => Math.abs(a - b) <= 200;
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
const subtotals = (of: XmlElement) => childrenOf(of, "TaxTotal").flatMap((one) => childrenOf(one, "TaxSubtotal"));

test("the authority's arithmetic holds in what is written: FAU02, FAU04, FAU06, FAU14, FAX07, FAS01, FAV06", () => {
  for (const sample of samples) {
    const root = read(sample);
    const { line, total, quantity } = kindOf(sample.kind);
    const lines = childrenOf(root, line);
    const totals = childrenOf(root, total)[0]!;
    const amount = (name: string) => cents(at(totals, name));
    const charge = sum(childrenOf(root, "AllowanceCharge").map((one) => cents(at(one, "Amount"))));
    const bases = lines.map((one) =>
      Math.max(0, ...subtotals(one).map((tax) => cents(at(tax, "TaxableAmount") ?? "0"))),
    );
    expect(near(sum(lines.map((one) => cents(at(one, "LineExtensionAmount")))), amount("LineExtensionAmount"))).toBe(
      true,
    );
    expect(near(sum(bases), amount("TaxExclusiveAmount"))).toBe(true);
    const taxes = sum(childrenOf(root, "TaxTotal").map((one) => cents(at(one, "TaxAmount"))));
    expect(near(amount("LineExtensionAmount") + taxes, amount("TaxInclusiveAmount"))).toBe(true);
    expect(near(amount("TaxInclusiveAmount") + charge, amount("PayableAmount"))).toBe(true);
    for (const one of [root, ...lines])
      for (const taxTotal of childrenOf(one, "TaxTotal")) {
        const within = childrenOf(taxTotal, "TaxSubtotal");
        expect(sum(within.map((tax) => cents(at(tax, "TaxAmount"))))).toBe(cents(at(taxTotal, "TaxAmount")));
        expect(new Set(within.map((tax) => at(tax, "TaxCategory/TaxScheme/ID"))).size).toBe(1);
      }
    for (const one of lines) {
      for (const tax of subtotals(one)) {
        const percent = at(tax, "TaxCategory/Percent");
        const due =
          percent === undefined
            ? Number(at(tax, "BaseUnitMeasure")) * cents(at(tax, "PerUnitAmount"))
            : (cents(at(tax, "TaxableAmount")) * Number(percent)) / 100;
        expect(near(due, cents(at(tax, "TaxAmount")))).toBe(true);
      }
      const discount = sum(childrenOf(one, "AllowanceCharge").map((each) => cents(at(each, "Amount"))));
      const price = cents(at(one, "Price/PriceAmount")) * Number(at(one, "Price/BaseQuantity"));
      expect(at(one, "Price/BaseQuantity")).toBe(at(one, quantity));
      expect(near(price - discount, cents(at(one, "LineExtensionAmount")))).toBe(true);
    }
  }
});

test("a POS document names its maker, its buyer's benefits and its register, literally and in the document's own namespace", () => {
  const sample = samples.find(({ kind, document }) => kind === "pos" && document.register)!;
  const extensions = childrenOf(childrenOf(read(sample), "UBLExtensions")[0]!);
  expect(extensions.length).toBe(5);
  expect(textOf(extensions[4]!)).toBe("");
  const own = extensions
    .slice(1, 4)
    .flatMap((one) => elementsIn(one))
    .filter(({ prefix }) => prefix === "");
  expect(new Set(own.map(({ uri }) => uri))).toEqual(
    new Set(["urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"]),
  );
  expect(own.filter(({ local }) => local === "Name").map(textOf)).toEqual([
    ...["NombreApellido", "RazonSocial", "NombreSoftware", "Codigo", "NombresApellidos", "Puntos"],
    ...["PlacaCaja", "UbicaciónCaja", "Cajero", "TipoCaja", "CódigoVenta", "SubTotal"],
  ]);
  expect(own.map(({ local }) => local)).toContain("InformacionDelFabricanteDelSoftware");
});

test("a note says what it corrects; that of a POS document says its kind too, and is of its customization", () => {
  const [invoice, pos] = [read(first("credit_note")), read(first("pos_note"))];
  const reference = "BillingReference/InvoiceDocumentReference";
  expect(at(invoice, "DiscrepancyResponse/ResponseCode")).toMatch(/^[12]$/);
  expect(at(invoice, `${reference}/UUID`)).toBe("ab".repeat(48));
  expect(at(invoice, `${reference}/DocumentTypeCode`)).toBeUndefined();
  expect(at(pos, `${reference}/DocumentTypeCode`)).toBe("20");
  expect([at(pos, "CustomizationID"), at(pos, "CreditNoteTypeCode")]).toEqual(["20", "94"]);
  expect([at(invoice, "CustomizationID"), at(invoice, "CreditNoteTypeCode")]).toEqual(["20", "91"]);
});

test("the QR's text holds what the annex lists", () => {
  const { document } = first("invoice");
  expect(
    qrText(document, "test")
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual([
    ...[
      "NumFac",
      "FecFac",
      "HorFac",
      "NitFac",
      "DocAdq",
      "ValFac",
      "ValIva",
      "ValOtroIm",
      "ValTolFac",
      "CUFE",
      "QRCode",
    ],
  ]);
});
