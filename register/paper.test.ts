import { expect, test } from "vitest";
import { unknownBusiness } from "./business.ts";
import { documentProblems, ticketPaper } from "./paper.ts";
import type { KeptSale } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";

const sale = {
  number: 1,
  data: {
    status: "completed",
    items: [],
    discount: 0,
    tip_amount: 0,
    total: 5000,
    tax_breakdown: [],
    occurred_at: "2026-11-16T19:05:09.120Z",
  },
  charge: { payments: [], cash_rounding: 0, tendered: 0, change: 0 },
} as unknown as KeptSale;

const document = { document_type: "pos_document", prefix: "EPOS", number: 7, cufe: null, qr: null, dian_message: null };

function textsOf(status: string, contingency: string | null): string[] {
  const documents = [{ ...document, status } as unknown as SaleDocument];
  const blocks = ticketPaper({ sale, business: { ...unknownBusiness, contingency }, documents, registerName: "Caja" });
  return blocks.flatMap((block) => ("text" in block ? block.text : []));
}

test("a ticket says that its document waits, and during a contingency that it was issued in one", () => {
  const words = "Emitido en contingencia: la DIAN no responde.";
  expect(textsOf("pending", null)).toContainEqual(expect.stringContaining("todavía no ha respondido"));
  expect(textsOf("pending", words)).toContain(words);
  expect(textsOf("pending", words).join()).not.toContain("todavía no ha respondido");
  expect(textsOf("issued", words)).not.toContain(words);
});

test("a buyer's ticket says that there is no document yet and that it is no invoice; what the owner must do is said beside it", () => {
  const dian_message =
    "No hay un rango de numeración. Registre un rango nuevo en el perfil fiscal y reenvíe el documento.";
  for (const status of ["emission_failed", "rejected"]) {
    const failed = { ...document, number: null, status, dian_message } as unknown as SaleDocument;
    const ticket = { sale, business: unknownBusiness, documents: [failed], registerName: "Caja" };
    const texts = ticketPaper(ticket).flatMap((block) => ("text" in block ? block.text : []));
    expect(texts).toContain("Esta venta todavía no tiene documento electrónico. Este tiquete no es una factura.");
    expect(texts.join(), "nothing is on its way: somebody has to act").not.toContain("en camino");
    expect(texts.join()).not.toContain("rango");
    expect(documentProblems([failed])).toEqual([expect.stringContaining("Registre un rango nuevo")]);
  }
  expect(documentProblems([{ ...document, status: "issued" } as unknown as SaleDocument])).toEqual([]);
});

test("a bag's line says what its tax adds, and of a free bag that it is the tax", () => {
  const tax = (base: number) => ({ code: "22", name: "INC bolsas", rate: null, per_unit: 73, base, amount: 73 * base });
  const iva = { code: "01", name: "IVA", rate: 19, per_unit: null, base: 134, amount: 26 };
  const bag = (quantity: number, unit_price: number, taxes: object[]) => ({
    ...{ description: "Bolsa", quantity, unit_price, subtotal: quantity * (unit_price + 73), taxes },
  });
  const items = [bag(2, 80, [iva, tax(2)]), bag(1, 0, [tax(1)]), { ...bag(1, 80, []), subtotal: 80, taxes: null }];
  const blocks = ticketPaper({
    ...{ sale: { ...sale, data: { ...sale.data, items } } as unknown as KeptSale, business: unknownBusiness },
    ...{ documents: [], registerName: "Caja 1" },
  });
  const lines = blocks.map((block) =>
    "text" in block ? block.text : "left" in block ? `${block.left} ${block.right}` : "",
  );
  const from = lines.indexOf("Bolsa");
  expect(lines.slice(from, from + 8)).toEqual([
    ...["Bolsa", "  2 × $80 $306", "  más $146 de impuesto a las bolsas"],
    ...["Bolsa", "  1 × $73 $73", "  es el impuesto a las bolsas"],
    ...["Bolsa", "  1 × $80 $80"],
  ]);
});

test("a ticket names its sale, and whom it is for without taking a person for a table", () => {
  const rowsOf = (table_label: string) =>
    ticketPaper({
      ...{ sale: { ...sale, number: 12, data: { ...sale.data, table_label } }, business: unknownBusiness },
      ...{ documents: [], registerName: "Caja 1" },
    }).flatMap((block) => (block.kind === "row" ? [[block.left, block.right]] : []));
  expect(rowsOf("Doña Rosa")[0]![0]).toBe("Caja 1");
  expect(rowsOf("Doña Rosa")).toContainEqual(["Venta del turno", "12"]);
  expect(rowsOf("Doña Rosa")).toContainEqual(["Para", "Doña Rosa"]);
  expect(rowsOf("4")).toContainEqual(["Para", "Mesa 4"]);
});
