import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServedDeps } from "../../deps.ts";
import { since, until } from "../../engine/resources/filters.ts";
import type { ListSpec, ReadTransform } from "../../engine/resources/list-spec.ts";
import { type ListRow, readList } from "../../engine/resources/read-list.ts";
import { readOne } from "../../engine/resources/read-one.ts";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";
import { decodeCursor, encodeCursor } from "../../lib/cursor.ts";
import { ApiError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/json.ts";
import { listTag, recordTag, setTag, tagAlreadyHeld } from "../http/etag.ts";
import { setRateHeaders } from "./authenticate.ts";
import type { KeyLimits } from "./key-limits.ts";

export interface ReadingDeps extends ServedDeps {
  keyLimiter: KeyLimits | undefined;
}

/** GET of one record: sends the stored text as it is. */
export async function sendOne<B extends RecordBody, P extends object>(
  deps: ReadingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource<B, P>,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string };
  const { include_deleted = false } = request.query as { include_deleted?: boolean };
  const row = await readOne(deps.reads, resource, request.access.accountId, id, include_deleted);
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(resource.spanish.one) });
  const { transform } = resource;
  const { text, state } = transform ? transform(row.body, deps.clock.now()) : { text: row.body, state: "" };
  return sendTagged(deps, request, reply, recordTag(row.seq, state), text);
}

export function notFoundMessage(one: string): string {
  return `No existe ${one} con este identificador en la cuenta. Revise el \`id\`; si fue eliminado, pruebe con \`include_deleted=true\` donde la ruta lo admite.`;
}

interface CommonQuery {
  limit?: number;
  starting_after?: string;
  created_since?: string;
  created_until?: string;
  updated_since?: string;
}

/** GET of a list: joins the stored texts into the envelope without parsing them. */
export async function sendList(
  deps: ReadingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  spec: ListSpec,
): Promise<FastifyReply> {
  const query = request.query as CommonQuery;
  const { limit = 25, starting_after, ...filters } = query;
  const now = deps.clock.now();
  const { accountId } = request.access;
  const scope = {
    key: deps.config.secretKeys,
    route: request.routeOptions.url ?? "",
    accountId,
    filters: canonicalJson(filters),
  };
  const after = starting_after === undefined ? undefined : decodeCursor(starting_after, scope);
  if (starting_after !== undefined && !after) throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
  const order = spec.order?.(query as never) ?? "desc";
  const page = await readList(deps, {
    table: spec.table,
    accountId,
    conditions: [
      ...since("created_at", query.created_since),
      ...until("created_at", query.created_until),
      ...spec.conditions(query as never, now, accountId),
    ],
    order,
    limit,
    after,
    updatedSince: query.updated_since,
    changesByHour: spec.changesByHour,
  });

  const transformed = page.rows.map((row) => transformRow(row, now, spec.transform));
  // In ascending order new records may follow later, so even the last page has a cursor.
  const keepsCursor = page.hasMore || order === "asc";
  const next =
    page.end && keepsCursor ? encodeCursor(page.end, scope) : order === "asc" ? (starting_after ?? null) : null;
  const text = `{"object":"list","data":[${transformed.map((row) => row.text).join(",")}],"has_more":${page.hasMore},"next_cursor":${JSON.stringify(next)}}`;
  const tag = listTag([...transformed.map((row) => row.version), next ?? "", String(page.hasMore)]);
  return sendTagged(deps, request, reply, tag, text);
}

function transformRow(
  [id, seq, , body]: ListRow,
  now: Date,
  transform: ReadTransform | undefined,
): { text: string; version: string } {
  if (!transform) return { text: body, version: id + seq };
  const { text, state } = transform(body, now);
  return { text, version: id + seq + state };
}

export function sendTagged(
  deps: ReadingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  text: string,
): FastifyReply {
  const held = tagAlreadyHeld(request, tag);
  setTag(reply, held ?? tag);
  if (held !== undefined) {
    if (deps.keyLimiter) {
      deps.keyLimiter.giveBack(request.access);
      setRateHeaders(reply, deps.keyLimiter.state(request.access));
    }
    return reply.code(304).send();
  }
  return reply.type("application/json; charset=utf-8").send(text);
}
