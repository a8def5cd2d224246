import { MostradorError } from "../../sdk/src/index.ts";
import { registry } from "../business/registry.ts";
import { type Scope, scopes } from "../engine/resources/scopes.ts";
import { isWellFormedToken } from "../lib/token.ts";
import { type Command, UsageError } from "./command.ts";
import { connectionOf, connectionOptions, toUsageError } from "./integrator.ts";

/** A request whose response shows whether a key has the permission. None of them writes. */
function probeOf(scope: Scope): string {
  if (scope === "events:read") return "/events";
  if (scope === "audit:read") return "/audit-log";
  const written = registry.find(({ resource, operations }) => operations.create && scope === `${resource.scope}:write`);
  // The permission is checked before the empty body, which is then refused.
  if (written) return `POST ${written.resource.path}`;
  const read = registry.find(({ resource }) => scope === `${resource.scope}:read`);
  if (!read) throw new Error(`No resource takes ${scope}`);
  return read.resource.path;
}

export const keysCheck: Command = {
  name: "keys check",
  summary: "Dice si una clave de API sirve aquí, y para qué",
  usage: "--key mst_test_…",
  options: connectionOptions,
  async run(invocation) {
    const { url, key } = connectionOf(invocation);
    const environment = /^mst_(test|live)_/.exec(key)?.[1];
    if (environment === undefined || !isWellFormedToken(`mst_${environment}_`, key)) {
      throw new UsageError("La clave está mal escrita o incompleta: cópiela de nuevo, completa, del portal.");
    }
    const granted: string[] = [];
    const readsFirst = [":read", ":write"].flatMap((ending) => scopes.filter((scope) => scope.endsWith(ending)));
    for (const scope of readsFirst) {
      const error = await refusalOf(url, key, probeOf(scope));
      if (error && !["INSUFFICIENT_SCOPE", "IDEMPOTENCY_KEY_REQUIRED", "VALIDATION_ERROR"].includes(error.code)) {
        throw toUsageError(error);
      }
      if (error?.code !== "INSUFFICIENT_SCOPE") granted.push(scope);
    }
    const missing = scopes.filter((scope) => !granted.includes(scope));
    invocation.out.result(
      { environment, url, scopes: granted, missing },
      [
        `La clave funciona en ${url} (${environment === "test" ? "pruebas" : "producción"}).`,
        `Permisos: ${granted.join(", ") || "ninguno"}`,
        ...(missing.length > 0 ? [`Sin permiso: ${missing.join(", ")}`] : []),
      ].join("\n"),
    );
  },
};

async function refusalOf(url: string, key: string, probe: string): Promise<MostradorError | undefined> {
  const isPost = probe.startsWith("POST ");
  const path = isPost ? probe.slice(5) : `${probe}?limit=1`;
  const response = await fetch(`${url}/public/v1${path}`, {
    method: isPost ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, ...(isPost && { "content-type": "application/json" }) },
    ...(isPost && { body: "{}" }),
  }).catch((cause: Error & { cause?: Error }) => {
    throw new UsageError(`No se pudo hablar con ${url}: ${cause.cause?.message ?? cause.message}.`);
  });
  const body = (await response.json()) as { error?: { code: string; message: string; request_id: string } };
  if (!body.error) return undefined;
  const { code, message, request_id } = body.error;
  return new MostradorError({ code, message, status: response.status, requestId: request_id });
}
