import type { FastifyReply, FastifyRequest } from "fastify";
import { type Loaded, type RecordBody, type Resource, renderBody } from "../../engine/resources/resource.ts";
import { isSame } from "../../engine/resources/revisions.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { ApiError } from "../../lib/errors.ts";
import { checkIfMatch, recordTag, setTag } from "../http/etag.ts";
import { confirmedChange, recordConfirmed } from "./confirmed-change.ts";
import { notFoundMessage } from "./reading.ts";

/**
 * PATCH of one record: edits it under the account's lock, if it is still the version in `If-Match`. What changes nothing makes no
 * version and no event: two systems that copy each other's webhooks would echo for ever.
 */
export async function updateOne<B extends RecordBody, P extends object>(
  deps: WritingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource<B, P>,
  work: (write: Write, current: Loaded<B, P>) => Promise<B> | B,
  /** What is answered of the record's text. */
  shown: (text: string) => string = (text) => text,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string };
  const told = confirmedChange.getStore();
  const change = async (write: Write) => {
    const current = await write.load(resource, id);
    if (!current || current.body.deleted_at) {
      throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(resource.spanish.one) });
    }
    checkIfMatch(request, recordTag(current.seq));
    const body = await work(write, current);
    if (isAsStored(body, current.body) && write.putsOnly(body)) {
      write.discard();
      return { text: renderBody(current.body), tag: recordTag(current.seq) };
    }
    const text = write.published(body);
    if (told) await recordConfirmed(write, told, text);
    return { text, tag: recordTag(write.seq) };
  };
  const known = { isShort: true, declared: { records: [{ resource, ids: [id] }] } };
  const { text, tag } = await writing(deps, request.access.accountId, change, request.id, known);
  setTag(reply, tag);
  return reply.type("application/json; charset=utf-8").send(shown(text));
}

function isAsStored(body: RecordBody, stored: RecordBody): boolean {
  const { updated_at, version } = stored;
  return isSame({ ...body, updated_at, version }, { ...stored, version });
}
