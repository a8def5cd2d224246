import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import { sales } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Deps } from "../../../deps.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import { issueDocuments } from "../../../fiscal/documents/issue-documents.ts";
import type { Batch } from "./batch.ts";

/**
 * Gives the uploaded sales their documents, and then announces what the push did, in its order. Called when the batch is
 * closed, because a document may renew a record that was uploaded too.
 */
export async function settleSales(deps: Deps, { write, shelves, news }: Batch): Promise<void> {
  const ids = new Set(news.flatMap(({ body }) => (isSale(body) ? [body.id] : [])));
  const touched = [...ids].map((id) => shelves.sales.get(id)!);
  const bodies = touched.map(({ body }) => body);
  const settled = await issueDocuments(deps, write, bodies, {
    customers: found(
      bodies.flatMap(({ customer_id }) => customer_id ?? []),
      shelves.customers,
    ),
    invoices: found(
      bodies.flatMap(({ invoices }) => invoices.map(({ id }) => id)),
      shelves.invoices,
    ),
  });
  for (const [i, sale] of touched.entries())
    if (settled[i] !== sale.body) write.put(sales, { ...sale, body: settled[i]! });
  const shown = stepsWithDocuments(news, new Map(settled.map((body, i) => [body.id, { before: bodies[i]!, body }])));
  for (const { type, body } of news) write.emit(type, shown.get(body) ?? body);
}

/**
 * How each step of a sale is shown. A document belongs to the state that the push left its sale in: the steps that lead
 * up to that state are shown as they were, the ones from there on with the document.
 */
function stepsWithDocuments(
  news: Batch["news"],
  outcomes: ReadonlyMap<string, { before: Sale; body: Sale }>,
): Map<RecordBody, Sale> {
  const shown = new Map<RecordBody, Sale>();
  const hasLeftState = new Set<string>();
  for (const { body: step } of news.toReversed()) {
    const outcome = isSale(step) ? outcomes.get(step.id) : undefined;
    if (!isSale(step) || !outcome || outcome.body === outcome.before) continue;
    if (step.status !== outcome.body.status) hasLeftState.add(step.id);
    if (hasLeftState.has(step.id)) continue;
    const fresh = outcome.body.invoices.filter((one) => !outcome.before.invoices.includes(one));
    shown.set(
      step,
      step === outcome.before ? outcome.body : { ...step, invoices: withSummaries(step.invoices, fresh) },
    );
  }
  return shown;
}

function withSummaries(invoices: readonly InvoiceSummary[], fresh: readonly InvoiceSummary[]): InvoiceSummary[] {
  const byId = new Map([...invoices, ...fresh].map((one) => [one.id, one]));
  return [...byId.values()];
}

function isSale(body: RecordBody): body is Sale {
  return body.object === "sale";
}

/** Of these records, the ones that are part of the same upload. */
function found<B>(ids: readonly string[], shelf: { get(id: string): { body: B } | undefined }): Map<string, B> {
  return new Map(
    ids.flatMap((id): [string, B][] => {
      const record = shelf.get(id);
      return record ? [[id, record.body]] : [];
    }),
  );
}
