import type { Static } from "typebox";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { advisedIn } from "../../../access/people/membership.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label } from "../../../engine/resources/fields.ts";
import { readContingency } from "../../../fiscal/documents/contingency.ts";
import { advised } from "../../../fiscal/findings/advice.ts";
import { readFindings } from "../../../fiscal/findings/read-findings.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { actorOf } from "../settings/session-routes.ts";

const FindingsQuery = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) },
  { additionalProperties: false },
);
const CloseBody = Type.Object({ reason: label(200) }, { additionalProperties: false });

/** What does not agree between sales and documents, and whether the authority is away. */
export function findingRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/findings",
    { config: { right: { any: ["documents:read", "today:read"] } }, schema: { querystring: FindingsQuery } },
    async (request): Promise<Answers["GET /findings"]> => {
      const { limit } = request.query as Static<typeof FindingsQuery>;
      const { accountId, locationIds } = request.session;
      const found = await readFindings(deps.pool, accountId, { locationIds, ...(limit !== undefined && { limit }) });
      return list(advised(found, await advisedIn(deps.pool, request.session)));
    },
  );
  app.get(
    "/sales/:id/findings",
    { config: { right: "sales:read" }, schema: { params: ById } },
    async (request): Promise<Answers["GET /findings"]> => {
      const { accountId } = request.session;
      const saleId = request.params.id.toLowerCase();
      const sale = await deps.pool.query(sql`select from sales where account_id = ${accountId} and id = ${saleId}`);
      if (sale.rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "Esa venta no existe." });
      const found = await readFindings(deps.pool, accountId, { saleId });
      return list(advised(found, await advisedIn(deps.pool, request.session)));
    },
  );
  app.post(
    "/findings/:id/close",
    { config: { right: "documents:write" }, schema: { params: ById, body: CloseBody } },
    async (request, reply) => {
      const { accountId, locationIds } = request.session;
      const reason = request.body.reason.trim();
      const at = deps.clock.now();
      const closed = await transaction(deps.pool, async (client) => {
        const { rows } = await client.query<{ kind: string; sale_id: string | null; invoice_id: string | null }>(sql`
        update fiscal_findings f set closed_at = ${at}, closed_because = ${reason}, acknowledged = true
        where account_id = ${accountId} and id = ${request.params.id.toLowerCase()} and closed_at is null
          and (${locationIds}::uuid[] is null or exists (
            select from sales s where s.account_id = ${accountId} and s.id = f.sale_id
              and coalesce(s.location_id, s.account_id) = any(${locationIds}::uuid[])) or exists (
            select from invoices i where i.account_id = ${accountId} and i.id = f.invoice_id
              and coalesce(i.location_id, i.account_id) = any(${locationIds}::uuid[])))
        returning kind, sale_id, invoice_id`);
        if (!rows[0]) return false;
        const details = { ...rows[0], reason };
        await recordAudit(client, { accountId, at, action: "finding.closed", details, actor: actorOf(request) });
        return true;
      });
      if (!closed)
        throw new ApiError("NOT_FOUND", { param: "id", message: "Este aviso no existe o ya estaba resuelto." });
      return reply.code(204).send();
    },
  );

  app.get(
    "/contingency",
    { config: { right: { any: ["documents:read", "settings:read"] } } },
    async (request): Promise<Answers["GET /contingency"]> => ({
      object: "contingency",
      current: await readContingency(deps.pool, request.session.accountId, deps.clock.now()),
    }),
  );
}

function list<T>(data: T[]): { object: "list"; data: T[] } {
  return { object: "list", data };
}
