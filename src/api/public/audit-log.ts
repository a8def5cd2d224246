import type { Static } from "typebox";
import { auditedKinds } from "../../access/accounts/audit-record.ts";
import { type AuditEntry, readAudit } from "../../access/accounts/read-audit.ts";
import { actorKinds } from "../../access/accounts/record-audit.ts";
import {
  constant,
  createdWindow,
  instant,
  listOf,
  nullable,
  oneOf,
  page,
  uuid,
} from "../../engine/resources/fields.ts";
import { decodeCursor, encodeCursor } from "../../lib/cursor.ts";
import { ApiError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/json.ts";
import { Type } from "../../lib/schema.ts";
import { listTag } from "../http/etag.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendTagged } from "./reading.ts";

const hash = (description: string) => Type.String({ pattern: "^[0-9a-f]*$", maxLength: 64, description });

const AuditLogEntry = Type.Object(
  {
    object: constant("audit_log_entry"),
    id: uuid(),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Su número en la cuenta, sin huecos.",
    }),
    created_at: instant(),
    action: Type.String({ description: "Qué se hizo." }),
    actor: Type.Object(
      {
        type: oneOf(actorKinds, { description: "Por dónde se hizo." }),
        person_id: nullable(uuid({ description: "La persona, si se conoce." })),
        name: nullable(Type.String({ description: "Su nombre en ese momento." })),
        role: nullable(Type.String({ description: "Con qué rol lo hizo." })),
      },
      { description: "Quién lo hizo." },
    ),
    remote_address: nullable(Type.String({ description: "Desde qué dirección IP, si se conoce." })),
    record: nullable(
      Type.Object(
        { object: oneOf(auditedKinds), id: uuid() },
        { description: "Sobre qué registro, si fue sobre uno." },
      ),
    ),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Lo demás; en un cambio, `before` y `after` dicen qué había y qué quedó.",
      },
    ),
    previous_hash: hash("El `hash` de la línea anterior; vacío en la primera."),
    hash: hash("SHA-256 de la línea y de la anterior."),
  },
  {
    $id: "audit_log_entry",
    examples: [
      {
        object: "audit_log_entry",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c31",
        sequence: 212,
        created_at: "2026-09-28T19:05:09.120Z",
        action: "api_key.revoked",
        actor: { type: "owner", person_id: null, name: null, role: null },
        remote_address: "190.24.7.12",
        record: { object: "api_key", id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c32" },
        details: { api_key_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c32", name: "ERP" },
        previous_hash: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a",
        hash: "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
      },
    ],
  },
);

const AuditLogQuery = Type.Object(
  {
    ...page,
    ...createdWindow,
    action: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: "Solo lo que se hizo así: `api_key.create`." }),
    ),
    actor: Type.Optional(oneOf(actorKinds, { description: "Solo lo que se hizo por ahí." })),
    order: Type.Optional(
      oneOf(["desc", "asc"], {
        default: "desc",
        description:
          "`asc` va de la primera línea a la última y conserva `next_cursor` al final, para seguir el registro sin perder nada.",
      }),
    ),
  },
  { additionalProperties: false },
);

export function auditLogRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/audit-log",
    {
      config: { permission: "audit:read", responseSchema: listOf(AuditLogEntry) },
      schema: {
        tags: ["Registro de actividad"],
        summary: "Listar el registro de actividad",
        querystring: AuditLogQuery,
      },
    },
    async (request, reply) => {
      const { limit = 25, starting_after, ...asked } = request.query;
      const { order = "desc", ...filters } = asked;
      const { accountId } = request.access;
      const key = deps.config.secretKeys;
      const scope = { key, route: "/audit-log", accountId, filters: canonicalJson(asked) };
      const after = starting_after === undefined ? undefined : decodeCursor(starting_after, scope);
      if (starting_after !== undefined && !after) throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
      const found = await readAudit(deps.pool, { accountId, filters, order, limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const hasMore = found.length > limit;
      const last = shown.at(-1);
      // In ascending order new entries may follow later, so even the last page has a cursor.
      const next =
        last && (hasMore || order === "asc")
          ? encodeCursor({ createdAt: last.created_at, id: last.id }, scope)
          : order === "asc"
            ? (starting_after ?? null)
            : null;
      const data = shown.map(publicEntry);
      const text = JSON.stringify({ object: "list", data, has_more: hasMore, next_cursor: next });
      return sendTagged(deps, request, reply, listTag([text]), text);
    },
  );
}

function publicEntry(entry: AuditEntry): Static<typeof AuditLogEntry> {
  const { id, sequence, created_at, action, actor, person_id, person_name, role } = entry;
  return {
    object: "audit_log_entry",
    id,
    sequence: sequence ?? 0,
    created_at: created_at.toISOString(),
    action,
    actor: { type: actor, person_id, name: person_name, role },
    remote_address: entry.remote_address,
    record: entry.record,
    details: entry.details,
    previous_hash: entry.previous_hash ?? "",
    hash: entry.hash ?? "",
  };
}
