import type { FastifyInstance, FastifyRequest } from "fastify";
import { readJsonBodies } from "../../api/http/body-parser.ts";
import { handleErrors } from "../../api/http/error-handler.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import { publicBodyLimitBytes } from "../../api/public/body-limit.ts";
import { publicPrefix } from "../../api/public/public-api.ts";
import type { Config } from "../../config.ts";
import { ApiError, validationError } from "../../lib/errors.ts";

export const tryPath = "/docs/probar";

/** What a page of the reference asks for: one request of the API, as its reader filled it in. */
interface Asked {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: string;
}

/** The answer's headers that a reader of the reference learns something from. */
const shownHeaders = [
  "content-type",
  "request-id",
  "etag",
  "idempotent-replayed",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "allow",
];
/** An export is a stream of everything there is; a page shows a part of anything else. */
const exportsPrefix = `${publicPrefix}/exports/`;
const shownCharacters = 100_000;

/**
 * "Probar" of the reference. The API refuses browsers, so that no page may carry a key; this one page of ours may, and no other site's:
 * only a request of the same origin is passed on. It goes through the API's own rules, limits and log, with the reader's key, which is
 * kept and logged nowhere.
 */
export function tryRoute(app: FastifyInstance, { publicUrl }: Config, table: RouteTable): void {
  void app.register((plain: FastifyInstance, _options, done) => {
    readJsonBodies(plain, 2 * publicBodyLimitBytes);
    handleErrors(plain, publicUrl);
    plain.post(tryPath, async (request, reply) => {
      refuseOthers(request);
      const asked = readAsked(request.body, table);
      const began = performance.now();
      const { authorization = "", "idempotency-key": key } = request.headers;
      const answer = await app.inject({
        method: asked.method,
        url: asked.path,
        remoteAddress: request.ip,
        headers: {
          host: new URL(publicUrl).host,
          authorization,
          "user-agent": "Mostrador-Probar",
          ...(typeof key === "string" && { "idempotency-key": key }),
          ...(asked.body !== undefined && { "content-type": "application/json" }),
        },
        ...(asked.body !== undefined && { payload: asked.body }),
      });
      const given = shownHeaders.filter((name) => answer.headers[name] !== undefined);
      void reply.header("cache-control", "no-store");
      return {
        status: answer.statusCode,
        ms: Math.round(performance.now() - began),
        headers: Object.fromEntries(given.map((name) => [name, String(answer.headers[name])])),
        body: answer.body.slice(0, shownCharacters),
        is_cut: answer.body.length > shownCharacters,
      };
    });
    done();
  });
}

/** Browsers say where a request comes from, and a page cannot make them say otherwise. */
function refuseOthers({ headers }: FastifyRequest): void {
  const { origin, host, "sec-fetch-site": site = "same-origin" } = headers;
  const isOurs = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  if (isOurs && site === "same-origin") return;
  throw new ApiError("BROWSER_REQUESTS_NOT_ALLOWED", {
    message: "Aquí solo envía la página de la referencia, con su botón «Probar». Llame a la API desde su servidor.",
  });
}

function readAsked(given: unknown, table: RouteTable): Asked {
  const { method, path, body } = (given ?? {}) as Partial<Record<keyof Asked, unknown>>;
  const isCall =
    typeof path === "string" &&
    path.startsWith(`${publicPrefix}/`) &&
    !path.startsWith(exportsPrefix) &&
    /^[!-~]+$/.test(path) &&
    table.methodsOf(path.split("?", 1)[0]!).includes(String(method));
  if (!isCall)
    throw validationError([
      {
        param: "path",
        message: "Aquí se prueban las operaciones de la referencia, menos las exportaciones. Revise la ruta.",
      },
    ]);
  if (body !== undefined && typeof body !== "string")
    throw validationError([{ param: "body", message: "`body` es el cuerpo como texto." }]);
  return { method: method as Asked["method"], path, ...(body !== undefined && { body }) };
}
