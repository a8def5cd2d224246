import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import { type ZipEntry, zipOf } from "../../../lib/zip.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import { limitsOf } from "../../http/traffic-limits.ts";
import { attached, type Downloads, tooMany } from "./send-table.ts";

/** Sends files as one archive, piece by piece, no faster than the browser reads. */
export async function sendArchive(
  deps: Deps,
  { byAccount, running }: Downloads,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, entries }: { title: string; entries: readonly ZipEntry[] },
): Promise<FastifyReply> {
  const { accountId } = request.session;
  const { exportsAtOnce } = limitsOf(deps);
  if (byAccount.count(accountId) >= exportsAtOnce) throw tooMany(exportsAtOnce);
  await byAccount.run([accountId], async () => {
    const stream = Readable.from(zipOf(entries), { objectMode: false });
    const closed = new Promise<void>((resolve) => void stream.once("close", resolve));
    running.add(stream);
    void reply.headers(attached(`${title} ${bogotaDate(deps.clock.now())}.zip`, "application/zip")).send(stream);
    await closed;
    running.delete(stream);
  });
  return reply;
}
