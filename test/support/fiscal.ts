import { invoices } from "../../src/business/invoices/resource.ts";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { cancellationOf, storeCancellations } from "../../src/business/sales/cancellation.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { loadMany } from "../../src/engine/resources/read-one.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { issueDocuments } from "../../src/fiscal/documents/issue-documents.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { loadReturns } from "../../src/fiscal/returns/load-returnable.ts";
import { restOf } from "../../src/fiscal/returns/plan-return.ts";
import { saleBody } from "./records.ts";
import type { Business, Service } from "./service.ts";

/** Test values that the authority publishes. */
export const technicalKey = "fc8eac422eba16e22ffd8c6f94b3f40a6e38162c";
export const softwarePin = "12345";

/** A business that issues electronic documents: a profile and a range of each kind. */
export async function fiscalBusiness(
  service: Service,
  options: { documents?: "electronic" | "internal"; posTo?: number; validUntil?: string } = {},
): Promise<Business> {
  const { documents = "electronic", posTo = 5000, validUntil = "2099-12-31" } = options;
  const business = await service.business();
  const { accountId } = business;
  const settings = { postal_zone_code: "050021" };
  await setProfile(service.deps, accountId, { nit: "900373923-8", regime: "iva", documents, softwarePin, settings });
  if (documents === "internal") return business;
  const range = { first: 1, last: posTo, validUntil };
  await setRange(service.deps, accountId, { ...range, kind: "pos", prefix: "EPOS" });
  await setRange(service.deps, accountId, { ...range, kind: "invoice", prefix: "SETP", technicalKey });
  return business;
}

/** A sale with the given total: of goods excluded from tax, so that any total is possible. */
export function plainSale(at: string, total: number, fields: Partial<Sale> = {}): Sale {
  const sale = saleBody(at);
  const item = { ...sale.items[0]!, quantity: 1, unit_price: total, subtotal: total, tax_class: "excluded", taxes: [] };
  return { ...sale, subtotal: total, total, tax: 0, tax_breakdown: [], items: [item], ...fields };
}

/** Stores sales as a register's upload does: the sale, its document and its events in one write. */
export function ringUp(
  { deps }: Pick<Service, "deps">,
  accountId: string,
  make: (at: string) => Sale[],
): Promise<Sale[]> {
  return writing(deps, accountId, async (write) => {
    const stored = await issueDocuments(deps, write, make(write.at.toISOString()));
    // A sale that appears twice is one sale.
    for (const sale of new Map(stored.map((one) => [one.id, one])).values()) {
      const isKnown = (await write.load(sales, sale.id)) !== undefined;
      write.put(sales, { body: sale });
      write.emit(isKnown ? "sale.updated" : "sale.created", sale);
    }
    return stored;
  });
}

/** A register's later version of a sale. */
export function changeSale(
  { deps }: Pick<Service, "deps">,
  accountId: string,
  id: string,
  fields: Partial<Sale>,
): Promise<Sale> {
  return writing(deps, accountId, async (write) => {
    const current = (await write.load(sales, id))!;
    const changed = { ...current.body, ...fields, updated_at: write.at.toISOString() };
    const [body] = await issueDocuments(deps, write, [changed]);
    const cancels = current.body.status === "completed" && changed.status === "cancelled";
    if (cancels) {
      const returned = (await loadReturns(write, [id])).map((one) => one.body);
      const cancellation = cancellationOf(current, restOf(current.body, returned), {
        at: write.at,
        cash_session_id: current.body.cash_session_id,
      });
      for (const statement of storeCancellations(write, [cancellation])) write.addStatement(statement);
    }
    write.put(sales, {
      ...current,
      body: body!,
      ...(cancels && { settled: [...(current.settled ?? []), "cancelled" as const] }),
    });
    return body!;
  });
}

export async function readSale({ deps }: Service, accountId: string, id: string): Promise<Sale> {
  return (await loadMany(deps.pool, sales, accountId, [id])).get(id)!.body;
}

/** The published documents of a sale, its own first. */
export async function documentsOf(service: Service, accountId: string, saleId: string): Promise<Invoice[]> {
  const ids = (await readSale(service, accountId, saleId)).invoices.map(({ id }) => id);
  const stored = await loadMany(service.deps.pool, invoices, accountId, ids);
  return ids.map((id) => stored.get(id)!.body);
}

/** The owner's notices. */
export async function noticesOf({ deps }: Service, accountId: string) {
  const { rows } = await deps.pool.query(sql`
    select kind, message, times from notices where account_id = ${accountId} order by kind`);
  return rows;
}

/** Moves the service's clock ahead. */
export function advance({ deps }: Service, ms: number): void {
  deps.clock.shiftTo(deps.clock.offsetMs() + ms);
}
