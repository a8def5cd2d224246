import type { FastifyReply, FastifyRequest } from "fastify";
import type { Loaded, RecordBody, Resource } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { ApiError } from "../../lib/errors.ts";
import { checkIfMatch, recordTag, setTag } from "../http/etag.ts";
import { notFoundMessage } from "./reading.ts";

/** PATCH of one record: edits it under the account's lock, if it is still the version in `If-Match`. */
export async function updateOne<B extends RecordBody, P extends object>(
  deps: WritingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource<B, P>,
  work: (write: Write, current: Loaded<B, P>) => Promise<B> | B,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string };
  const change = async (write: Write) => {
    const current = await write.load(resource, id);
    if (!current || current.body.deleted_at) {
      throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(resource.spanish.one) });
    }
    checkIfMatch(request, recordTag(current.seq));
    const body = await work(write, current);
    return { text: write.published(body), tag: recordTag(write.seq) };
  };
  const target = { resource, id };
  const { text, tag } = await writing(deps, request.access.accountId, change, request.id, { target });
  setTag(reply, tag);
  return reply.type("application/json; charset=utf-8").send(text);
}
