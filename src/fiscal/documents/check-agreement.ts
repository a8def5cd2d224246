import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice, InvoiceSummary } from "../../business/invoices/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote } from "../../business/sales/summary.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Write } from "../../engine/writing/write.ts";
import { must } from "../../lib/must.ts";
import type { DocumentContent } from "../content/document-content.ts";
import { lineExtensions } from "../content/line-extensions.ts";
import { closeFindings, type FiscalFinding, type Matter, openFindings } from "../findings/fiscal-finding.ts";
import type { UnsavedRecords } from "./buyers.ts";
import { readAnnulled } from "./correct-documents.ts";
import { readContents } from "./issue-note.ts";

/** The sale's own documents that stand: issued, or on their way. */
export function standingDocuments(sale: Sale): InvoiceSummary[] {
  return sale.invoices.filter((one) => !isNote(one) && (one.status === "issued" || one.status === "pending"));
}

/**
 * Compares sales with the documents that stand for them, after a change of either. What differs is a finding; what
 * agrees again closes one. Nothing is changed: which of the two is right, a person knows.
 */
export async function checkAgreement(
  write: Write,
  sales: readonly Sale[],
  unsaved: UnsavedRecords = {},
): Promise<void> {
  // One that is to get an invoice instead of its POS document differs from it on purpose.
  const checked = sales.filter(({ id, status }) => status !== "cancelled" && !unsaved.switched?.has(id));
  const annulled = await readAnnulled(write, checked);
  const compared = checked.map((sale) => ({
    sale,
    standing: standingDocuments(sale).filter(({ id }) => !annulled.has(id)),
  }));
  const ids = compared.flatMap(({ standing }) => standing.map(({ id }) => id));
  const contents = ids.length === 0 ? new Map<string, DocumentContent>() : await readContents(write, ids);
  const others = await loadOthers(
    write,
    ids.filter((id) => !contents.has(id)),
    unsaved,
  );
  const findings: FiscalFinding[] = [];
  const settled: Matter[] = [];
  for (const { sale, standing } of compared) {
    if (standing.length > 1) findings.push(twoDocuments(sale, standing));
    else if (sale.invoices.length > 1) settled.push({ kind: "two_documents", subject: sale.id });
    for (const document of standing) {
      const content = contents.get(document.id);
      const differences = [
        ...(sale.status === "completed" ? [] : ["el estado (la venta no está cobrada)"]),
        ...(content ? compare(sale, content) : compareTotals(sale, others.get(document.id))),
      ];
      if (differences.length > 0) findings.push(saleChanged(sale, document, differences));
      else settled.push({ kind: "sale_changed", subject: document.id });
    }
  }
  await openFindings(write, findings);
  await closeFindings(write, settled, "La venta y su documento coinciden.");
}

/** The documents that registers issued: nothing is known of them but what they published. */
async function loadOthers(
  write: Write,
  ids: readonly string[],
  { invoices: fresh = new Map() }: UnsavedRecords,
): Promise<Map<string, Invoice>> {
  const missing = ids.filter((id) => !fresh.has(id));
  const stored = missing.length === 0 ? new Map() : await loadMany(write.client, invoices, write.accountId, missing);
  return new Map([...[...stored].map(([id, { body }]): [string, Invoice] => [id, body]), ...fresh]);
}

function compare(sale: Sale, content: DocumentContent): string[] {
  const differences = compareTotals(sale, content);
  if (!hasSameLines(sale, content)) differences.push("las líneas");
  if ((sale.document_kind === "invoice") !== (content.type_document_id === 1)) differences.push("el tipo de documento");
  // Documents from before the field do not say whose they are.
  if (content.customer_id !== undefined && content.customer_id !== sale.customer_id) differences.push("el cliente");
  return differences;
}

function compareTotals(sale: Sale, document: { total: number; tax: number } | undefined): string[] {
  if (!document) return [];
  return [
    ...(sale.total === document.total
      ? []
      : [`el total (el documento dice $${document.total}; la venta, $${sale.total})`]),
    ...(sale.tax === document.tax ? [] : [`el impuesto ($${document.tax} y $${sale.tax})`]),
  ];
}

function hasSameLines(sale: Sale, { lines }: DocumentContent): boolean {
  if (lines.length !== sale.items.length) return false;
  const extensions = lineExtensions(sale.items, sale.total - sale.tax - sale.tip_amount);
  return sale.items.every((item, i) => {
    const line = must(lines[i], "Both have the same number of lines");
    return (
      line.code === (item.product_id ?? item.id) &&
      line.quantity === item.quantity &&
      line.unit_price === item.unit_price &&
      line.extension === extensions[i]
    );
  });
}

function nameOf({ prefix, number }: Pick<InvoiceSummary, "prefix" | "number">): string {
  return `${prefix ?? ""}${number}`;
}

function saleChanged(sale: Sale, document: InvoiceSummary, differences: readonly string[]): FiscalFinding {
  return {
    kind: "sale_changed",
    subject: document.id,
    gravity: "error",
    saleId: sale.id,
    invoiceId: document.id,
    message: `La venta cambió después de su documento ${nameOf(document)}: ${differences.join(", ")}.`,
    nextStep:
      "Anule la venta para que una nota anule el documento y registre una nueva, o devuelva la venta en la caja a como estaba. Si solo se devolvió mercancía, regístrelo como devolución.",
  };
}

function twoDocuments(sale: Sale, standing: readonly InvoiceSummary[]): FiscalFinding {
  return {
    kind: "two_documents",
    subject: sale.id,
    gravity: "error",
    saleId: sale.id,
    invoiceId: must(standing.at(-1), "A sale in question has a document that stands").id,
    message: `La venta tiene ${standing.length} documentos vigentes: ${standing.map(nameOf).join(" y ")}.`,
    nextStep:
      "Deje uno solo y anule el otro con una nota, donde se emitió. En la caja, desactive la emisión propia si el servidor emite los documentos.",
  };
}

/** A sale that was completed without lines: there is nothing to put into a document. */
export async function findWithoutLines(write: Write, sales: readonly Sale[]): Promise<void> {
  await openFindings(
    write,
    sales.map((sale) => ({
      kind: "sale_without_lines",
      subject: sale.id,
      gravity: "warning",
      saleId: sale.id,
      invoiceId: null,
      message: `Una venta completada de $${sale.total} llegó sin líneas y no tiene documento.`,
      nextStep: "Complétela o anúlela en la caja. Cuando llegue con sus líneas, el documento se emite solo.",
    })),
  );
}
