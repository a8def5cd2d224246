import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { createSupplier, updateSupplier } from "../../../business/suppliers/operations.ts";
import { suppliers } from "../../../business/suppliers/resource.ts";
import { NewSupplier, type Supplier, SupplierChanges } from "../../../business/suppliers/schema.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import { readOne } from "../../../engine/resources/read-one.ts";
import { ApiError } from "../../../lib/errors.ts";
import { recordTag } from "../../http/etag.ts";
import { createOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { updateOne } from "../../public/updating.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { supplierList } from "../lists/suppliers.ts";
import { actorOf } from "../settings/session-routes.ts";
import { recordPages } from "../tables/record-pages.ts";
import { serveFile } from "../tables/serve-list.ts";
import { readSoldItems, readSupplierTotals } from "./read-suppliers.ts";

/** Suppliers, written by the same operations as the public API's. Their list is `/records/suppliers`. */
export function supplierRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/suppliers/:id",
    { config: { right: "purchases:read" }, schema: { params: ById } },
    async ({ session, params }): Promise<Answers["GET /suppliers/:id"]> => {
      const { accountId, locationIds } = session;
      const id = params.id.toLowerCase();
      const row = await readOne(deps.reads, suppliers, accountId, id, false);
      if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este proveedor en el negocio." });
      const [items, totals] = await Promise.all([
        readSoldItems(deps.pool, accountId, id),
        readSupplierTotals(deps.pool, accountId, id, locationIds),
      ]);
      return { supplier: JSON.parse(row.body) as Supplier, version: recordTag(row.seq), items, totals };
    },
  );
  app.post("/suppliers", { config: { right: "purchases:write" }, schema: { body: NewSupplier } }, (request, reply) =>
    createOnce(deps, asOwner(request), reply, async (write) => {
      const made = await createSupplier(write, request.body);
      const { accountId, at } = write;
      const details = { supplier_id: made.id, name: made.name };
      await recordAudit(write.client, { accountId, at, action: "supplier.created", details, actor: actorOf(request) });
      return made;
    }),
  );
  app.patch(
    "/suppliers/:id",
    { config: { right: "purchases:write" }, schema: { params: ById, body: SupplierChanges } },
    (request, reply) =>
      updateOne(deps, asOwner(request), reply, suppliers, async (write, current) => {
        const body = await updateSupplier(write, current, request.body);
        const { accountId, at } = write;
        const details = { supplier_id: body.id, name: body.name, changed: Object.keys(request.body) };
        await recordAudit(write.client, {
          accountId,
          at,
          action: "supplier.updated",
          details,
          actor: actorOf(request),
        });
        return body;
      }),
  );
  serveFile(app, deps, supplierList, ({ accountId, query }) => ({
    columns: supplierList.columns,
    pages: recordPages<Supplier>(deps, accountId, suppliers, query),
  }));
}
