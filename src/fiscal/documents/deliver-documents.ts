import type { Invoice } from "../../business/invoices/schema.ts";
import type { Config } from "../../config.ts";
import { prepared } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { unlinked } from "../../lib/unlinked.ts";
import { documentMail, type MailedDocument } from "../../mail/document-mail.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { instantText, money } from "../../taxes/words.ts";
import { qrUrl } from "../content/document-hash.ts";
import { codeName, fullNumber, shortName } from "../content/document-words.ts";
import { readLook, type ShownLook } from "../profile/look.ts";
import { buyerLink, type LinkConfig } from "./buyer-link.ts";

export interface IssuedDocument {
  invoice: Invoice;
  /** The buyer's address, if there is one. */
  email: string | null;
  /** Base64. */
  xml: string | undefined;
}

type MailConfig = LinkConfig & Pick<Config, "environment">;

/**
 * Keeps the XML of documents that were just accepted, and queues the mails to their buyers, in the transaction of the
 * verdict: a document has one verdict, so its buyer gets one mail, whatever crashes.
 */
export async function deliverDocuments(
  { config }: { config: MailConfig },
  write: Write,
  documents: readonly IssuedDocument[],
): Promise<void> {
  const { client, accountId, at } = write;
  const withXml = documents.filter(({ xml }) => xml !== undefined);
  if (withXml.length > 0) await client.query(storeXml(accountId, withXml, at));
  const mailed = documents.filter(({ email }) => email !== null && isAddress(email));
  if (mailed.length === 0) return;
  const look = await readLook(client, accountId);
  if (!look.mails_documents) return;
  for (const { invoice, email } of mailed) {
    const document = mailedDocument(config, accountId, invoice, look);
    await queueMail(client, accountId, at, documentMail(document, { kind: "document" }), email);
  }
}

/** Registers send what was typed at the counter. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/.test(text);
}

/** How a buyer reaches the business. Its mail address is one (the portal checks that) and may be a link; a phone may be any text. */
export function contactOf({ phone, email }: ShownLook): string | null {
  return [phone === null ? null : unlinked(phone), email].filter(Boolean).join(", ") || null;
}

export function mailedDocument(
  config: MailConfig,
  accountId: string,
  invoice: Invoice,
  look: ShownLook,
): MailedDocument {
  const { cufe, sale_id: saleId } = invoice;
  return {
    id: invoice.id,
    business: look.printed_name,
    contact: contactOf(look),
    canAnswer: look.email !== null && isAddress(look.email),
    name: `${shortName(invoice)} ${fullNumber(invoice)}`,
    day: instantText(invoice.issued_at),
    total: money(invoice.total),
    code: cufe
      ? {
          name: codeName(invoice),
          value: cufe,
          url: qrUrl(cufe, config.environment === "live" ? "production" : "test"),
        }
      : null,
    link: saleId === null ? null : buyerLink(config, { accountId, saleId }),
  };
}

function storeXml(accountId: string, documents: readonly IssuedDocument[], at: Date) {
  return prepared(
    `insert into document_xml (account_id, invoice_id, xml, created_at)
     select $1::uuid, d.id, decode(d.xml, 'base64'), $2::timestamptz from unnest($3::uuid[], $4::text[]) as d(id, xml)
     on conflict (account_id, invoice_id) do nothing`,
    [accountId, at, documents.map(({ invoice }) => invoice.id), documents.map(({ xml }) => xml)],
  );
}
