import type { RequestLog } from "../../../access/api-keys/request-log.ts";
import type { Deps } from "../../../deps.ts";
import { createdWindow, oneOf, page, uuid } from "../../../engine/resources/fields.ts";
import { day } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { asRequestId, uuidOfRequestId } from "../../../lib/request-id.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { paged } from "../tables/paging.ts";
import { requireKey } from "./keys.ts";
import { type LoggedRequest, openRequest, type RequestFilters, readRequests } from "./requests.ts";

const closed = { additionalProperties: false };
const filters = {
  ...page,
  result: Type.Optional(oneOf(["ok", "error"])),
};
const KeyRequests = Type.Object(filters, closed);
const Requests = Type.Object(
  {
    ...filters,
    ...createdWindow,
    key_id: Type.Optional(uuid()),
    method: Type.Optional(oneOf(["GET", "POST", "PATCH", "DELETE"])),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  closed,
);
const ByKey = Type.Object({ id: uuid() }, closed);
const ByRequest = Type.Object(
  {
    request_id: Type.String({
      pattern: "^req_[0-9a-f]{32}$",
      "x-hints": { pattern: "Un request_id empieza por req_ y tiene 36 caracteres. Cópielo completo." },
    }),
  },
  closed,
);

/** The requests made with the account's keys in the last week, and each one opened. */
export function requestRoutes(app: TypedApp, deps: Deps, requestLog: RequestLog): void {
  app.get(
    "/requests",
    { config: { right: "developers:read" }, schema: { querystring: Requests } },
    async ({ session: { accountId }, query }) => {
      const { result, key_id: keyId, method, path, created_since, created_until } = query;
      const since = new Date(Math.max(oldest().getTime(), Date.parse(created_since ?? "") || 0));
      const until = created_until === undefined ? undefined : new Date(created_until);
      const wanted = { accountId, keyId, since, until, result, method, path };
      return readPage("requests", query, wanted) satisfies Promise<Answers["GET /requests"]>;
    },
  );
  app.get(
    "/api-keys/:id/requests",
    { config: { right: "developers:read" }, schema: { params: ByKey, querystring: KeyRequests } },
    async (request) => {
      const { accountId } = request.session;
      const { id: keyId } = request.params;
      await requireKey(deps.pool, accountId, keyId);
      const wanted = { accountId, keyId, since: oldest(), result: request.query.result };
      return readPage(`requests ${keyId}`, request.query, wanted) satisfies Promise<Answers["GET /requests"]>;
    },
  );
  app.get(
    "/requests/:request_id",
    { config: { right: "developers:read" }, schema: { params: ByRequest } },
    async ({ session, params }) => {
      await requestLog.flush();
      const found = await openRequest(deps, session.accountId, uuidOfRequestId(params.request_id));
      if (!found || found.created_at < oldest())
        throw new ApiError("NOT_FOUND", {
          param: "request_id",
          message: "No hay una solicitud con este request_id en los últimos 7 días. Revise que lo copió completo.",
        });
      return shown(found) satisfies Answers["GET /requests/:request_id"];
    },
  );

  async function readPage(route: string, query: object, wanted: RequestFilters) {
    // Requests that this process has not written yet belong to the page too.
    await requestLog.flush();
    const list = { route, accountId: wanted.accountId, query: { ...query } };
    const found = await paged(deps, list, (limit, after) => readRequests(deps.pool, wanted, limit, after));
    return { ...found, data: found.data.map(shown) };
  }

  function oldest(): Date {
    return new Date(deps.clock.now().getTime() - deps.config.retention.request_log * day);
  }
}

function shown<T extends LoggedRequest>({ id, ...row }: T): Omit<T, "id"> & { request_id: string } {
  return { ...row, request_id: asRequestId(id) };
}
