import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readJsonBodies } from "../api/http/body-parser.ts";
import { handleErrors } from "../api/http/error-handler.ts";
import type { RouteTable } from "../api/http/route-table.ts";
import { authenticate, type Limits } from "../api/public/authenticate.ts";
import { publicBodyLimitBytes } from "../api/public/body-limit.ts";
import type { ServedDeps } from "../deps.ts";
import { ApiError } from "../lib/errors.ts";
import { apiCalls } from "./api-calls.ts";
import { docsOf } from "./docs.ts";

export const mcpPath = "/mcp";

/** The protocol's error for a message that is not one. */
const invalidRequest = -32600;

/** Assistants: the streamable HTTP transport of the Model Context Protocol, for the keys of the API and within their limits. */
export function mcpRoutes(app: FastifyInstance, deps: ServedDeps, table: RouteTable, limits: Limits): void {
  const docs = docsOf(deps.config, table);
  void app.register((plain: FastifyInstance, _options, done) => {
    readJsonBodies(plain, publicBodyLimitBytes);
    handleErrors(plain, deps.config.publicUrl);
    plain.addHook("onRequest", (request, reply, next) => {
      void reply.header("request-id", request.id);
      next();
    });
    plain.addHook("onRequest", authenticate(deps, limits));
    plain.post(mcpPath, (request, reply) => answer(app, deps, request, reply, docs));
    // There is no stream to open and no session to end: whoever asks is told so, as the protocol has it.
    plain.route({
      method: ["GET", "DELETE"],
      url: mcpPath,
      handler: (_request, reply) =>
        reply
          .code(405)
          .header("allow", "POST")
          .send(refused("Aquí solo se envían mensajes con POST: no hay sesiones.")),
    });
    done();
  });
}

async function answer(
  app: FastifyInstance,
  deps: ServedDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  docs: ReturnType<typeof docsOf>,
): Promise<FastifyReply> {
  if (request.body === undefined) throw new ApiError("INVALID_JSON");
  // A batch could do the work of many requests for one of them; the protocol has dropped it.
  if (Array.isArray(request.body)) return reply.code(400).send(refused("Envíe un solo mensaje por solicitud."));
  // Half of what the SDK needs is loaded for nothing by a service that no assistant asks.
  const { answerMessage } = await import("./server.ts");
  const { access, ip: remoteAddress, log } = request;
  const api = apiCalls(app, deps.config.publicUrl, request);
  const response = await answerMessage(
    { access, api, deps, docs: docs(), log, remoteAddress },
    request.body,
    headersFor(request),
  );
  const text = await response.text();
  void reply.code(response.status);
  return text === "" ? reply.send() : reply.type("application/json; charset=utf-8").send(text);
}

/** What the transport looks at. It would refuse a client that takes JSON but no stream, which is all that it gets here. */
function headersFor({ headers }: FastifyRequest): Headers {
  const version = headers["mcp-protocol-version"];
  return new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(typeof version === "string" && { "mcp-protocol-version": version }),
  });
}

function refused(message: string) {
  return { jsonrpc: "2.0", error: { code: invalidRequest, message }, id: null };
}
