import { describe, expect, test } from "vitest";
import { invoices } from "../../src/business/invoices/resource.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { hour } from "../../src/lib/clock.ts";
import { advance, changeSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, newBuyer, openPapers, saleOf, sellOf } from "../support/papers.ts";
import { qrIn, readPdf } from "../support/pdf.ts";
import type { Portal } from "../support/portal.ts";
import { invoiceBody, saleItemBody, store } from "../support/records.ts";

const service = sharedService();

const pdfOf = async (owner: Portal, id: string, width = "a4") => {
  const { status, headers, bytes } = await owner.download(`/invoices/${id}/pdf?width=${width}`);
  expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return readPdf(bytes);
};
const bodyOf = async (owner: Portal, id: string) => (await owner.get(`/records/invoices/${id}`)).body;

describe("the paper of an accepted invoice", () => {
  test.each([
    ["a4", 595],
    ["80", 227],
    ["58", 164],
  ])(
    "at width %s has every field that the authority wants, and a QR that leads to its catalogue",
    async (width, points) => {
      const owner = await openPapers(service);
      const buyer = await newBuyer(service, owner.accountId);
      const id = await sellOf(service, owner.accountId, (at) =>
        saleOf(at, everyClass, {
          document_kind: "invoice",
          customer_id: buyer.id,
          payment_method: "NEQUI",
          discount_percent: 10,
        }),
      );
      await decideAll(service);
      const invoice = await bodyOf(owner, id);
      expect(invoice.status).toBe("issued");
      const pdf = await pdfOf(owner, id, width);
      expect(Math.round(pdf.width)).toBe(points);
      const wanted = [
        "FACTURA ELECTRÓNICA DE VENTA",
        "SETP1",
        "NIT 900373923-8",
        "Responsable de IVA",
        "Panadería La Espiga S.A.S.",
        "NIT 901234567-7",
        "Fecha de generación",
        "Fecha de validación",
        "Forma de pago",
        "Contado",
        "Medio de pago",
        "Nequi",
        "Autorización de numeración de la DIAN n.º 18760000001, prefijo SETP, del 1 al 5000, vigente hasta el 31/12/2099",
        ...everyClass.map(({ description }) => description),
        "1,735",
        "IVA 19 %",
        "IVA 5 %",
        "IVA 0 % (exento)",
        "INC bolsas $ 73 c/u",
        "Excluido",
        "Total IVA",
        "Total INC bolsas",
        "Descuento",
        "TOTAL",
        `$ ${invoice.total.toLocaleString("es-CO")}`,
        "CUFE",
        "Representación gráfica de la factura electrónica de venta",
        "Fabricante del software",
        "Proveedor tecnológico",
      ];
      const text = joined(pdf.text);
      expect(wanted.filter((field) => !text.includes(joined(field)))).toEqual([]);
      expect(text).toContain(invoice.cufe);
      const last = await pdf.picture(pdf.pages);
      expect(qrIn(last)).toBe(`https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=${invoice.cufe}`);
    },
  );
});

/** Lines are broken anywhere on a narrow roll. */
function joined(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

test("a POS document to nobody in particular names the final consumer, the register and the INC of a restaurant", async () => {
  const owner = await openPapers(service, { regime: "inc" });
  const id = await sellOf(service, owner.accountId, (at) =>
    saleOf(at, [{ description: "Almuerzo", quantity: 2, price: 32_000, taxClass: "standard" }], {
      regime: "inc",
      tip: 6000,
    }),
  );
  await decideAll(service);
  const { text } = await pdfOf(owner, id);
  for (const field of ["Consumidor final", "222222222222", "INC 8 %", "Propina voluntaria", "CUDE", "SISTEMA P.O.S."])
    expect(text).toContain(field);
  expect(text).toContain("Responsable del impuesto nacional al consumo");
});

describe("the paper says how the document stands", () => {
  const one = [{ description: "Pan", quantity: 1, price: 5000, taxClass: "excluded" }] as const;

  test("while the verdict is still on its way, and no longer when it is there", async () => {
    const owner = await openPapers(service);
    const id = await sellOf(service, owner.accountId, (at) => saleOf(at, one));
    expect((await pdfOf(owner, id)).text).toContain("PENDIENTE: la DIAN todavía no ha dado su veredicto");
    await decideAll(service);
    expect((await pdfOf(owner, id)).text).not.toContain("PENDIENTE");
  });

  test("while the authority is away for longer than the business allows", async () => {
    const owner = await openPapers(service);
    await setProfile(service.deps, owner.accountId, { settings: { max_contingency_hours: 2 } });
    const id = await sellOf(service, owner.accountId, (at) => saleOf(at, one));
    const away = async () => ({ kind: "unavailable", message: "No responde." }) as const;
    await fiscalWorker(service.deps, { send: away, query: away }).workOff();
    expect((await pdfOf(owner, id)).text).toContain("PENDIENTE");
    advance(service, 3 * hour);
    expect((await pdfOf(owner, id)).text).toContain("EN CONTINGENCIA: la DIAN no responde.");
    await decideAll(service);
  });

  test("when the authority rejected it, with its words", async () => {
    const owner = await openPapers(service);
    const id = await sellOf(service, owner.accountId, (at) => saleOf(at, [{ ...one[0], price: 5013 }]));
    await decideAll(service);
    expect((await pdfOf(owner, id)).text).toMatch(/RECHAZADO por la DIAN: no tiene validez\. Regla: FAD06/);
  });

  test("when a note annulled it; and the note names it", async () => {
    const owner = await openPapers(service);
    const [sale] = await ringUp(service, owner.accountId, (at) => [saleOf(at, one)]);
    await decideAll(service);
    const cancelled = await changeSale(service, owner.accountId, sale!.id, { status: "cancelled" });
    await decideAll(service);
    const [original, note] = cancelled.invoices;
    expect((await pdfOf(owner, original!.id)).text).toContain("ANULADO por la nota NA1");
    const { text } = await pdfOf(owner, note!.id);
    for (const field of [
      "NOTA DE AJUSTE DEL DOCUMENTO EQUIVALENTE",
      "Documento que corrige",
      "EPOS1",
      "Anulación de la venta",
    ])
      expect(text).toContain(field);
  });

  test("when it is an internal one: no QR, and no claim to be an invoice", async () => {
    const owner = await openPapers(service);
    await setProfile(service.deps, owner.accountId, { documents: "internal" });
    const id = await sellOf(service, owner.accountId, (at) => saleOf(at, one));
    const pdf = await pdfOf(owner, id, "80");
    expect(pdf.text).toContain("no es factura ni documento equivalente");
    expect(pdf.text).not.toMatch(/CUDE|CUFE|Representación gráfica/);
    expect(qrIn(await pdf.picture())).toBeUndefined();
  });

  test("when it has no number, with the reason", async () => {
    const owner = await openPapers(service);
    const id = await sellOf(service, owner.accountId, (at) =>
      saleOf(at, one, { tax_breakdown: null, tax: 1, items: [saleItemBody({ taxes: null })] }),
    );
    expect((await pdfOf(owner, id)).text).toContain("SIN EMITIR: no tiene validez");
  });
});

test("a register's own document without its sale still has a paper with its sums", async () => {
  const owner = await openPapers(service);
  const [invoice] = await store(service.deps, owner.accountId, invoices, (at) => [{ body: invoiceBody(at) }]);
  const { text } = await pdfOf(owner, invoice!.id, "58");
  for (const field of ["EPOS1024", "$ 6.400", "$ 1.022"]) expect(text).toContain(field);
});

test("names in other scripts, emoji, control characters and endless words neither break the paper nor leave it", async () => {
  const owner = await openPapers(service);
  const hostile = ["王小明 🥤 frío", "A".repeat(500), "x\u0007\u202ey\nz", "Łódź", ")(\\ <<>> endstream"];
  const goods = hostile.map((description) => ({
    description,
    quantity: 1,
    price: 1000,
    taxClass: "standard" as const,
  }));
  await owner.put("/look", { name: "محل 🏪 Doña Ñ", color: "#aa0000", mails_documents: false, footer: "漢字" });
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, goods));
  for (const width of ["a4", "80", "58"]) {
    const { text } = await pdfOf(owner, id, width);
    for (const shown of ["… frío", "x y z", "Lódz", ")(\\ <<>> endstream", "… Doña Ñ", "(en otra escritura)"])
      expect(text).toContain(shown);
  }
});

test("sixty lines go over several pages of an A4 with the head repeated, and one long ticket", async () => {
  const owner = await openPapers(service);
  const goods = Array.from({ length: 60 }, (_, i) => ({
    description: `Producto de nombre bastante largo número ${i + 1}`,
    quantity: 1,
    price: 1000 + i,
    taxClass: "standard" as const,
  }));
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, goods));
  const a4 = await pdfOf(owner, id);
  expect(a4.pages).toBeGreaterThan(1);
  expect(a4.text).toContain(`Página 2 de ${a4.pages}`);
  expect(a4.text.match(/Valor unitario/g)).toHaveLength(a4.pages);
  expect(a4.text).toContain("número 60");
  const ticket = await pdfOf(owner, id, "80");
  expect([ticket.pages, ticket.height > 1000]).toEqual([1, true]);
});

describe("a paper is refused", () => {
  test("for a document of another account, as if it did not exist", async () => {
    const [owner, other] = [await openPapers(service), await openPapers(service)];
    const id = await sellOf(service, owner.accountId, (at) => saleOf(at, everyClass));
    expect((await other.get(`/invoices/${id}/pdf`)).status).toBe(404);
  });

  test("in a width that does not exist, and for an id that is none", async () => {
    const owner = await openPapers(service);
    const wrong = await owner.get("/invoices/019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c18/pdf?width=a3");
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "width"]);
    expect((await owner.get("/invoices/x/pdf")).status).toBe(400);
  });
});

test("twenty papers that an account asks for at once all arrive", async () => {
  const owner = await openPapers(service);
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, everyClass));
  const all = await Promise.all(Array.from({ length: 20 }, () => owner.download(`/invoices/${id}/pdf`)));
  expect(new Set(all.map(({ status, bytes }) => `${status} ${bytes.length}`)).size).toBe(1);
  expect(all[0]!.status).toBe(200);
});

test.each([
  ["OTHER", "Contado", "Otro medio"],
  ["FIADO", "Crédito", "Fiado"],
])("a sale paid with %s says %s and %s", async (payment_method, form, means) => {
  const owner = await openPapers(service);
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, everyClass, { payment_method }));
  const { text } = await pdfOf(owner, id);
  expect(text).toContain(form);
  expect(text).toContain(means);
  expect(text).not.toContain(payment_method);
});

test("the look is read back, is checked, and colours the paper", async () => {
  const owner = await openPapers(service);
  expect((await owner.get("/look")).body).toMatchObject({ name: null, color: "#0b6b57", mails_documents: true });
  const wrong = await owner.put("/look", { color: "red", mails_documents: true });
  expect([wrong.status, wrong.body.error.param]).toEqual([400, "color"]);
  const set = await owner.put("/look", {
    name: " La Esquina ",
    city: "Medellín",
    color: "#AA0000",
    mails_documents: true,
  });
  expect(set.body).toMatchObject({ name: "La Esquina", printed_name: "La Esquina", city: "Medellín", phone: null });
  const id = await sellOf(service, owner.accountId, (at) => saleOf(at, everyClass));
  const { pixels, width } = await (await pdfOf(owner, id)).picture(1, 1);
  // The band at the top of the page.
  expect([...pixels.slice((2 * width + 50) * 4, (2 * width + 50) * 4 + 3)]).toEqual([0xaa, 0, 0]);
});
