import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { Matches, matchLines } from "../../../business/purchases/match-lines.ts";
import { purchases } from "../../../business/purchases/resource.ts";
import type { Purchase } from "../../../business/purchases/schema.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { purchaseOf } from "../../../fiscal/received/purchase-of.ts";
import { readInvoice } from "../../../fiscal/received/read-invoice.ts";
import { maxUploadBytes, Unreadable, xmlOf } from "../../../fiscal/received/unpack.ts";
import { validationError } from "../../../lib/errors.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { updateOne } from "../../public/updating.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { actorOf } from "../settings/session-routes.ts";
import { inOwnWarehouse } from "../stock/read-choices.ts";

const fileTypes = [
  ...["application/xml", "text/xml", "application/zip", "application/x-zip-compressed", "application/octet-stream"],
];
const toChange = { right: "purchases:write" } as const;

/** A supplier's electronic invoice becomes a draft: what it is of is matched, and what is not is asked once. */
export function invoiceRoutes(app: TypedApp, deps: ServedDeps): void {
  // A scope of its own: only here is a body anything but JSON.
  void app.register((files: FastifyInstance, _options, done) => {
    files.addContentTypeParser(fileTypes, { parseAs: "buffer", bodyLimit: maxUploadBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    fileRoute(files.withTypeProvider<TypeBoxTypeProvider>(), deps);
    done();
  });
  app.post("/purchases/:id/matches", { config: toChange, schema: { params: ById, body: Matches } }, (request, reply) =>
    updateOne(deps, asOwner(request), reply, purchases, (write, current) => matchLines(write, current, request.body)),
  );
}

function fileRoute(files: TypedApp, deps: ServedDeps): void {
  files.post(
    "/purchase-invoices",
    { config: toChange, bodyLimit: maxUploadBytes },
    async (request): Promise<Answers["POST /purchase-invoices"]> => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const own = await inOwnWarehouse<{ warehouse_id?: string }>(deps, request.session, {});
      return told(() => {
        const invoice = readInvoice(xmlOf(bytes));
        return writing(
          deps,
          request.session.accountId,
          async (write) => {
            const { purchase, isNewSupplier } = await purchaseOf(write, invoice, own);
            const { id, number, supplier_name, lines } = purchase;
            const details = { purchase_id: id, number, supplier: supplier_name, invoice: invoice.number };
            const { accountId, at } = write;
            const action = "purchase.created";
            await recordAudit(write.client, { accountId, at, action, details, actor: actorOf(request) });
            const unmatched = lines.filter(({ product_id }) => product_id === null).length;
            const read = JSON.parse(write.published(purchase)) as Purchase;
            return { purchase: read, unmatched, new_supplier: isNewSupplier };
          },
          request.id,
        );
      });
    },
  );
}

/** What is wrong with a file is told in its words; nothing of it is kept. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unreadable) throw validationError([{ param: "file", message: error.message }]);
    throw error;
  }
}
