import { createCustomer, customerOperations } from "../../../business/customers/operations.ts";
import { customers } from "../../../business/customers/resource.ts";
import { type Customer, CustomerChanges, NewCustomer } from "../../../business/customers/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, text } from "../../../engine/resources/fields.ts";
import { readOne } from "../../../engine/resources/read-one.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { isSameDocument, plainDigits, plainDigitsSql } from "../../../taxes/document-number.ts";
import { parseNit } from "../../../taxes/nit.ts";
import { recordTag } from "../../http/etag.ts";
import { createOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { updateOne } from "../../public/updating.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { customerList } from "../lists/customers.ts";
import { readSaleTotals } from "../sales/sale-totals.ts";
import { recordPages } from "../tables/record-pages.ts";
import { serveFile } from "../tables/serve-list.ts";

const closed = { additionalProperties: false };
const DocumentQuery = Type.Object({ number: text(30, { minLength: 1 }) }, closed);
const NitQuery = Type.Object({ number: text(30, { minLength: 1 }) }, closed);

/** Customers, written by the same operations as the public API's. Their list is `/records/customers`. */
export function customerRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/customers/:id",
    { config: { right: "customers:read" }, schema: { params: ById } },
    async (request): Promise<Answers["GET /customers/:id"]> => {
      const { accountId, locationIds } = request.session;
      const id = request.params.id.toLowerCase();
      const row = await readOne(deps.reads, customers, accountId, id, true);
      if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este cliente en el negocio." });
      const totals = await readSaleTotals(deps.pool, accountId, { customer_id: id, location_ids: locationIds });
      return { customer: JSON.parse(row.body) as Customer, version: recordTag(row.seq), totals };
    },
  );
  app.get(
    "/customers/with-document",
    { config: { right: "customers:read" }, schema: { querystring: DocumentQuery } },
    async ({ session, query }): Promise<Answers["GET /customers/with-document"]> => ({
      customer: await findByDocument(deps.pool, session.accountId, query.number),
    }),
  );
  app.post("/customers", { config: { right: "customers:write" }, schema: { body: NewCustomer } }, (request, reply) =>
    createOnce(deps, asOwner(request), reply, (write) => createCustomer(write, request.body)),
  );
  app.patch(
    "/customers/:id",
    { config: { right: "customers:write" }, schema: { params: ById, body: CustomerChanges } },
    (request, reply) =>
      updateOne(deps, asOwner(request), reply, customers, (write, current) =>
        customerOperations.update!.run(write, current, request.body as never),
      ),
  );
  app.get(
    "/nit",
    { config: { right: { any: ["customers:read", "settings:read"] } }, schema: { querystring: NitQuery } },
    ({ query }): Answers["GET /nit"] => parseNit(query.number),
  );
  serveFile(app, deps, customerList, ({ accountId, query }) => ({
    columns: customerList.columns,
    pages: recordPages<Customer>(deps, accountId, customers, query),
  }));
}

/** Who has a document, however it was written down: the one that was made first. */
async function findByDocument(db: Queryable, accountId: string, number: string): Promise<Customer | null> {
  if (!isSameDocument(number, number)) return null;
  const text = `select body from customers where account_id = $1 and deleted_at is null
    and ${plainDigitsSql("document_number")} = $2 order by created_at, id limit 1`;
  const { rows } = await db.query<{ body: string }>(prepared(text, [accountId, plainDigits(number)]));
  return rows[0] ? (JSON.parse(rows[0].body) as Customer) : null;
}
