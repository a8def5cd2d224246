import type { FastifyReply, FastifyRequest } from "fastify";
import { oneOf } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import { type Paper, type PaperWidth, paperWidths } from "../../../paper/paper.ts";
import type { Press } from "../../../paper/press.ts";

export const WidthQuery = Type.Object(
  { width: Type.Optional(oneOf(paperWidths, { default: "a4" })) },
  { additionalProperties: false },
);

/** Streams a PDF to the owner's browser, which shows it. */
export async function sendPaper(
  press: Press,
  { session, query }: FastifyRequest,
  reply: FastifyReply,
  paper: Paper,
): Promise<FastifyReply> {
  const { width = "a4" } = query as { width?: PaperWidth };
  const pdf = await press.print(session.accountId, paper, width);
  return reply
    .type("application/pdf")
    .headers({
      "content-disposition": `inline; filename="${paper.fileName.replaceAll(/[^\w.-]/g, "_")}.pdf"`,
      "x-content-type-options": "nosniff",
    })
    .send(pdf);
}
