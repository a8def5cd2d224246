import { Type } from "typebox";
import { maxKeysPerAccount } from "../../access/api-keys/create-key.ts";
import { type RequestLog, requestLogDays } from "../../access/api-keys/request-log.ts";
import { revokeKey } from "../../access/api-keys/revoke-key.ts";
import { findRotatable, longestOverlapHours } from "../../access/api-keys/rotate-key.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { ById, instant, nullable, oneOf, page } from "../../engine/resources/fields.ts";
import { scopes } from "../../engine/resources/scopes.ts";
import { day } from "../../lib/clock.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { asRequestId } from "../../lib/request-id.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { Answers, ApiCall, ApiKey } from "./answers.ts";
import { tooManyKeys } from "./confirmable-actions.ts";
import { requestConfirmation } from "./confirmations.ts";
import { paged } from "./paging.ts";
import { actorOf } from "./session-routes.ts";
import { typedName } from "./typed-name.ts";

const NewKey = Type.Object(
  {
    name: typedName(100),
    scopes: Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(nullable(instant())),
  },
  { additionalProperties: false },
);

const Rotation = Type.Object(
  { overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: longestOverlapHours })) },
  { additionalProperties: false },
);
const CallQuery = Type.Object(
  { ...page, result: Type.Optional(oneOf(["ok", "error"])) },
  { additionalProperties: false },
);

export function keyRoutes(app: TypedApp, deps: Deps, calls: RequestLog): void {
  app.get("/api-keys", async (request): Promise<Answers["GET /api-keys"]> => {
    const { rows } = await deps.pool.query<ApiKey>(sql`
      select id, name, last_four, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at from api_keys
      where account_id = ${request.session.accountId} order by created_at, id`);
    return { object: "list", data: rows };
  });
  app.post("/api-keys", { schema: { body: NewKey } }, async (request, reply) => {
    const { name, scopes: granted, expires_at = null } = request.body;
    const now = deps.clock.now();
    if (expires_at !== null && new Date(expires_at) <= now)
      throw validationError([{ param: "expires_at", message: "`expires_at` debe ser un instante futuro." }]);
    const { rows } = await deps.pool.query<{ count: number }>(sql`
      select count(*) from api_keys where account_id = ${request.session.accountId} and revoked_at is null
        and (expires_at is null or expires_at > ${now})`);
    if (rows[0]!.count >= maxKeysPerAccount) throw tooManyKeys();
    return reply
      .code(202)
      .send(await requestConfirmation(deps, request.session, "api_key.create", { name, scopes: granted, expires_at }));
  });
  app.post("/api-keys/:id/rotate", { schema: { params: ById, body: Rotation } }, async (request, reply) => {
    const { id } = request.params;
    const { accountId } = request.session;
    const { overlap_hours = longestOverlapHours } = request.body;
    const { name } = await findRotatable(deps.pool, accountId, id, deps.clock.now());
    const { rows } = await deps.pool.query(sql`select last_four from api_keys where id = ${id}`);
    const payload = { api_key_id: id, name, last_four: rows[0].last_four, overlap_hours };
    return reply.code(202).send(await requestConfirmation(deps, request.session, "api_key.rotate", payload));
  });
  app.get("/api-keys/:id/requests", { schema: { params: ById, querystring: CallQuery } }, async (request) => {
    const { accountId } = request.session;
    const { id } = request.params;
    const { result } = request.query;
    await requireKey(accountId, id);
    // What this process still holds belongs to the page.
    await calls.flush();
    const oldest = new Date(deps.clock.now().getTime() - requestLogDays * day);
    const list = { route: `requests ${id}`, accountId, query: request.query };
    const found = await paged(deps, list, async (limit, after) => {
      const { rows } = await deps.pool.query<Omit<ApiCall, "request_id"> & { id: string }>({
        text: `select id, created_at, method, path, status, ms from request_log
          where account_id = $1 and key_id = $2 and created_at >= $3
            ${result === undefined ? "" : result === "ok" ? "and status < 400" : "and status >= 400"}
            ${after ? "and (created_at, id) < ($4, $5)" : ""}
          order by created_at desc, id desc limit ${limit}`,
        values: [accountId, id, oldest, ...(after ? [after.createdAt, after.id] : [])],
      });
      return rows;
    });
    const data = found.data.map(({ id, ...call }) => ({ ...call, request_id: asRequestId(id) }));
    return { ...found, data } satisfies Answers["GET /api-keys/:id/requests"];
  });
  app.delete("/api-keys/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    await requireKey(accountId, request.params.id);
    await revokeKey(deps, request.params.id, actorOf(request));
    deps.access.clear();
    return reply.code(204).send();
  });

  async function requireKey(accountId: string, id: string): Promise<void> {
    const { rowCount } = await deps.pool.query(
      sql`select 1 from api_keys where account_id = ${accountId} and id = ${id}`,
    );
    if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta clave en la cuenta." });
  }
}
