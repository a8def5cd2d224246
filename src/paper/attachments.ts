import { sql } from "../db/sql.ts";
import { isAddress } from "../fiscal/documents/deliver-documents.ts";
import { readLook } from "../fiscal/profile/look.ts";
import { concurrencyLimit } from "../lib/concurrency-limit.ts";
import type { Enclosed, FilesOf } from "../mail/send-mail.ts";
import { documentPaper } from "./papers/document-paper.ts";
import { purchasePaper } from "./papers/purchase-paper.ts";
import { type PaperDeps, readDocument } from "./papers/read-document.ts";
import { type Press, wholeOf } from "./press.ts";

/** A mail worker has several under way; the press draws one after the other. */
const mostAtOnce = 2;

/** What a mail to the buyer carries: the PDF, and the signed XML where the provider handed it out. */
export function documentFiles(deps: PaperDeps, press: Press): FilesOf {
  const limited = concurrencyLimit(mostAtOnce);
  return (accountId, documentId) => limited(() => filesOf(deps, press, accountId, documentId));
}

async function filesOf(deps: PaperDeps, press: Press, accountId: string, id: string): Promise<Enclosed> {
  const facts = await readDocument(deps, accountId, id);
  if (!facts) return orderFile(deps, press, accountId, id);
  const paper = documentPaper(facts);
  const pdf = await wholeOf(await press.print(accountId, paper, "a4"));
  const xml = await readXml(deps, accountId, id);
  const { email } = facts.look;
  return {
    attachments: [
      { filename: `${paper.fileName}.pdf`, contentType: "application/pdf", content: pdf },
      ...(xml ? [{ filename: `${paper.fileName}.xml`, contentType: "application/xml", content: xml }] : []),
    ],
    ...(email && isAddress(email) && { replyTo: email }),
  };
}

/** What is mailed and no fiscal document is the order of a purchase. */
async function orderFile(deps: PaperDeps, press: Press, accountId: string, id: string): Promise<Enclosed> {
  const paper = await purchasePaper(deps, accountId, id);
  if (!paper) return { attachments: [] };
  const content = await wholeOf(await press.print(accountId, paper, "a4"));
  const { email } = await readLook(deps.pool, accountId);
  return {
    attachments: [{ filename: `${paper.fileName}.pdf`, contentType: "application/pdf", content }],
    ...(email && isAddress(email) && { replyTo: email }),
  };
}

/** As signed, where the authority handed it out. */
export async function readXml({ pool }: Pick<PaperDeps, "pool">, accountId: string, id: string) {
  const { rows } = await pool.query<{ xml: Buffer }>(sql`
    select xml from document_xml where account_id = ${accountId} and invoice_id = ${id}`);
  return rows[0]?.xml;
}
