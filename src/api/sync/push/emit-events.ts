import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import { sales } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Deps } from "../../../deps.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import { checkAgreement } from "../../../fiscal/documents/check-agreement.ts";
import { issueDocuments } from "../../../fiscal/documents/issue-documents.ts";
import { issueWaiting } from "../../../fiscal/documents/issue-waiting.ts";
import { recordRegisterNumbers } from "../../../fiscal/documents/register-documents.ts";
import { must } from "../../../lib/must.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * Issues documents for the uploaded sales, then emits the push's events in order. Called after the batch is closed,
 * because a document may change a record that was uploaded too.
 */
export async function issueDocumentsAndEmit(deps: Deps, batch: WorkingSet): Promise<void> {
  const { write, recordSets, events } = batch;
  const documents = [...batch.registerDocuments].map(
    (id) => must(recordSets.invoices.get(id), "A register's document has been applied to this working set").body,
  );
  await recordRegisterNumbers(write, documents);
  const ids = new Set(events.flatMap(({ body }) => (isSale(body) ? [body.id] : [])));
  const touched = [...ids].map((id) =>
    must(recordSets.sales.get(id), "An event about a sale is of one that was applied"),
  );
  const bodies = touched.map(({ body }) => body);
  const unsaved = unsavedRecords(batch, bodies);
  // Documents that the register issued itself have taken their numbers since then.
  const issuer = documents.length === 0 ? batch.issuer : undefined;
  const issued = await issueDocuments(deps, write, bodies, unsaved, issuer);
  for (const [i, sale] of touched.entries())
    if (issued[i] !== sale.body)
      write.put(sales, { ...sale, body: must(issued[i], "There is one issued sale for each that was given") });
  const issuedById = new Map(issued.map((body) => [body.id, body]));
  const arrived = [...batch.newCustomers].filter((id) => recordSets.customers.get(id));
  await issueWaiting(deps, write, arrived, unsaved, (id) => {
    const sale = recordSets.sales.get(id);
    return sale && { ...sale, body: issuedById.get(id) ?? sale.body };
  });
  // A document may have arrived for a sale that this push says nothing else about.
  const named = new Set(documents.flatMap(({ sale_id }) => (sale_id === null || ids.has(sale_id) ? [] : [sale_id])));
  await checkAgreement(
    write,
    [...named].flatMap((id) => recordSets.sales.get(id)?.body ?? []),
    unsaved,
  );
  const shown = salesAsShown(
    events,
    new Map(
      issued.map((body, i) => [
        body.id,
        { before: must(bodies[i], "There is one issued sale for each that was given"), body },
      ]),
    ),
  );
  // A return has its one event, and shows its note there.
  const asShown = (body: RecordBody) => shown.get(body) ?? (body.object === "return" ? write.latest(body) : body);
  for (const { type, body } of events) write.emit(type, asShown(body));
}

function unsavedRecords(batch: WorkingSet, bodies: readonly Sale[]) {
  const { recordSets, registerDocuments, newCustomers, deviceId, returning, switched } = batch;
  const named = bodies.flatMap(({ invoices }) => invoices.map(({ id }) => id));
  return {
    customers: loaded(
      [...newCustomers, ...bodies.flatMap(({ customer_id }) => customer_id ?? [])],
      recordSets.customers,
    ),
    invoices: loaded([...named, ...registerDocuments], recordSets.invoices),
    products: loaded(
      bodies.flatMap(({ items }) => items.flatMap(({ product_id }) => product_id ?? [])),
      recordSets.products,
    ),
    cashSessions: loaded(
      bodies.flatMap(({ cash_session_id }) => cash_session_id ?? []),
      recordSets.cashSessions,
    ),
    // A shift that arrives late changes sales of other registers.
    devices: new Map(bodies.map(({ id }) => [id, recordSets.sales.get(id)?.device_id ?? deviceId])),
    returns: new Map(
      [...returning.ids].map(([saleId, some]) => [
        saleId,
        [...some].map((id) => must(recordSets.returns.get(id), "The returns of a sale are loaded with it")),
      ]),
    ),
    switched,
  };
}

/**
 * The sale as each event shows it. A document belongs to the sale's final status in this push: events from before that
 * status show the sale as it was, the others show it with the document.
 */
function salesAsShown(
  events: WorkingSet["events"],
  results: ReadonlyMap<string, { before: Sale; body: Sale }>,
): Map<RecordBody, Sale> {
  const shown = new Map<RecordBody, Sale>();
  const hadOtherStatus = new Set<string>();
  for (const { body } of events.toReversed()) {
    const result = isSale(body) ? results.get(body.id) : undefined;
    if (!isSale(body) || !result || result.body === result.before) continue;
    if (body.status !== result.body.status) hadOtherStatus.add(body.id);
    if (hadOtherStatus.has(body.id)) continue;
    const fresh = result.body.invoices.filter((one) => !result.before.invoices.includes(one));
    shown.set(body, body === result.before ? result.body : { ...body, invoices: withSummaries(body.invoices, fresh) });
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

/** Those of these records that the push has loaded. */
function loaded<B>(ids: readonly string[], recordSet: { get(id: string): { body: B } | undefined }): Map<string, B> {
  return new Map(
    ids.flatMap((id): [string, B][] => {
      const record = recordSet.get(id);
      return record ? [[id, record.body]] : [];
    }),
  );
}
