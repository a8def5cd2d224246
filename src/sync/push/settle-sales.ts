import type { Deps } from "../../deps.ts";
import { issueDocuments } from "../../fiscal/issue-documents.ts";
import { sales } from "../../sales/store.ts";
import type { Batch } from "./batch.ts";

/**
 * Gives the uploaded sales their documents and then tells of them: an event shows the sale with the documents it has from
 * this very write on. Called when the batch is closed, because a document may renew a record that was uploaded too.
 */
export async function settleSales(deps: Deps, { write, shelves, saleNews }: Batch): Promise<void> {
  const touched = [...new Set(saleNews.map(({ id }) => id))].map((id) => shelves.sales.get(id)!);
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
  const final = new Map(settled.map((body) => [body.id, body]));
  for (const sale of touched) {
    const body = final.get(sale.body.id)!;
    if (body !== sale.body) write.put(sales, { ...sale, body });
  }
  for (const { type, id } of saleNews) write.emit(type, final.get(id)!);
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
