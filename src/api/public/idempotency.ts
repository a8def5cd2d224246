import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RecordBody } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { type StoredResponse, writingOnce } from "../../engine/writing/writing-once.ts";
import { hour } from "../../lib/clock.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/json.ts";
import { confirmedChange, recordConfirmed } from "./confirmed-change.ts";

export const idempotencyKeyPattern = "^[A-Za-z0-9_\\-:.]{1,255}$";
const wellFormed = new RegExp(idempotencyKeyPattern);
const keyLifeMs = 24 * hour;
const replayed = "idempotent-replayed";

/** POST: creates one record per Idempotency-Key and returns 201 with its Location. */
export function createOnce(
  deps: WritingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (write: Write) => Promise<RecordBody> | RecordBody,
  /** What is answered of a record that was there before. */
  shown: (text: string) => string = (text) => text,
): Promise<FastifyReply> {
  const respond = async (write: Write) => created(request, write, await work(write));
  return postOnce(deps, request, reply, respond, ({ headers, body }) => (replayed in headers ? shown(body) : body));
}

/** POST: does its work once per Idempotency-Key. */
export async function postOnce(
  deps: WritingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  respond: (write: Write) => Promise<StoredResponse>,
  /** What this key is answered of it: the response may have been stored for another. */
  shown: (response: StoredResponse) => string = ({ body }) => body,
): Promise<FastifyReply> {
  const key = requireKey(request);
  const operation = `${request.method}\n${pathOf(request)}\n${canonicalJson(request.body)}`;
  const fingerprint = hash("sha256", operation, "buffer");
  const validAfter = new Date(deps.clock.now().getTime() - keyLifeMs);
  const told = confirmedChange.getStore();
  const once = { key, fingerprint, validAfter, requestId: request.id };
  const result = await writingOnce(deps, request.access.accountId, once, async (write) => {
    const response = await respond(write);
    if (told) await recordConfirmed(write, told, response.body);
    return response;
  });
  switch (result.kind) {
    case "in-progress":
      throw new ApiError("IDEMPOTENCY_IN_PROGRESS", { headers: { "retry-after": "1" } });
    case "reused":
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", { param: "Idempotency-Key" });
    case "replayed":
      void reply.header(replayed, "true");
  }
  const { status, headers } = result.response;
  return reply.code(status).headers(headers).type("application/json; charset=utf-8").send(shown(result.response));
}

/** A record that was there before, by the id that its other system gave it, is told as the repeat that it is. */
function created(request: FastifyRequest, write: Write, body: RecordBody): StoredResponse {
  const location = `${pathOf(request)}/${body.id}`;
  const repeat: Record<string, string> = write.puts(body) ? {} : { [replayed]: "true" };
  return { status: 201, headers: { location, ...repeat }, body: write.published(body) };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0]!;
}

function requireKey(request: FastifyRequest): string {
  const key = request.headers["idempotency-key"];
  if (key === undefined) throw new ApiError("IDEMPOTENCY_KEY_REQUIRED", { param: "Idempotency-Key" });
  if (typeof key !== "string" || !wellFormed.test(key)) {
    throw validationError([
      {
        param: "Idempotency-Key",
        message:
          "`Idempotency-Key` admite de 1 a 255 letras, dígitos, guiones, guiones bajos, dos puntos y puntos. Envíe una sola, por ejemplo un UUID.",
      },
    ]);
  }
  return key;
}
