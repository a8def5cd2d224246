import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { customers } from "../../../business/customers/resource.ts";
import type { ServedDeps } from "../../../deps.ts";
import { text } from "../../../engine/resources/fields.ts";
import { loadMany } from "../../../engine/resources/read-one.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { readErasures } from "../../../privacy/erase/request.ts";
import { personArchive } from "../../../privacy/export/archive.ts";
import { findPerson, type Person } from "../../../privacy/person.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readAccount } from "../settings/account.ts";
import { requestConfirmation } from "../settings/confirmations.ts";
import { actorOf } from "../settings/session-routes.ts";
import { sendArchive } from "../tables/send-archive.ts";
import { downloadsOf } from "../tables/send-table.ts";
import { namedCustomer } from "./named-customer.ts";

const WantedPerson = Type.Object({ person: text(200, { minLength: 5 }) }, { additionalProperties: false });

const mostListed = 50;

/** What the business holds about somebody who bought, found by document or mail: shown, downloaded, erased. */
export function personalDataRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/personal-data",
    { config: { right: "customers:read", ofWhole: true }, schema: { querystring: WantedPerson } },
    async ({ session, query }): Promise<Answers["GET /personal-data"]> => {
      const person = await findPerson(deps.pool, session.accountId, query.person);
      const found = await loadMany(deps.pool, customers, session.accountId, person.customerIds);
      return {
        customers: [...found.values()].flatMap(({ body }) => namedCustomer(JSON.stringify(body)) ?? []),
        mailed_tickets: person.saleIds.length,
      };
    },
  );
  const downloads = downloadsOf(app, deps);
  app.get(
    "/personal-data/export.zip",
    {
      exposeHeadRoute: false,
      config: { right: { all: ["customers:read", "exports"] }, ofWhole: true },
      schema: { querystring: WantedPerson },
    },
    async (request, reply) => {
      const { accountId } = request.session;
      const wanted = request.query.person.trim();
      const now = deps.clock.now();
      const person = await findPerson(deps.pool, accountId, wanted);
      const { name: business } = await readAccount(deps.pool, request.session);
      // What is downloaded names her; that it was, does not.
      await withAccountLock(deps, accountId, (client) =>
        recordAudit(client, {
          ...{ accountId, at: now, action: "person.export", actor: actorOf(request) },
          details: { customer_ids: person.customerIds },
        }),
      );
      const entries = personArchive(deps.pool, accountId, person, { business, wanted, now });
      return sendArchive(deps, downloads, request, reply, { title: "Datos personales", entries });
    },
  );
  app.post(
    "/personal-data/erasures",
    { config: { right: { all: ["customers:write", "exports"] }, ofWhole: true }, schema: { body: WantedPerson } },
    async ({ session, body }, reply) => {
      const wanted = body.person.trim();
      const person = await findPerson(deps.pool, session.accountId, wanted);
      requireSomebody(person, wanted);
      const payload = { person: wanted, customers: person.customerIds.length };
      return reply.code(202).send(await requestConfirmation(deps, session, "person.erase", payload));
    },
  );
  app.get(
    "/personal-data/erasures",
    { config: { right: "customers:read", ofWhole: true } },
    async ({ session }): Promise<Answers["GET /personal-data/erasures"]> => ({
      object: "list",
      data: await readErasures(deps.pool, session.accountId, mostListed),
    }),
  );
}

/** A mail may be anywhere in what was sold; a document that no customer has is most likely mistyped. */
function requireSomebody({ customerIds }: Person, wanted: string): void {
  if (customerIds.length > 0 || wanted.includes("@")) return;
  throw new ApiError("NOT_FOUND", {
    param: "person",
    message: "Ningún cliente tiene ese documento. Revíselo, o búsquelo por su correo.",
  });
}
