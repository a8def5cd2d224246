import { expect, test } from "vitest";
import { unknownBusiness } from "./business.ts";
import { ticketPaper } from "./paper.ts";
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
