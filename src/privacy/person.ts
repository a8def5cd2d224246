import type { Queryable } from "../db/pool.ts";
import { prepared, sql } from "../db/sql.ts";
import { plainDigits, plainDigitsSql } from "../taxes/document-number.ts";

/** Somebody who bought, and by what is known of her in one business. */
export interface Person {
  /** What she was looked for by: nobody else has it. The rest she may share. */
  by: "mail" | "document";
  /** Records of hers, deleted ones too. */
  customerIds: string[];
  /** Sales of which she wanted the ticket by mail. */
  saleIds: string[];
  emails: string[];
  phones: string[];
  documents: string[];
  /** Of a company none: its name is nobody's personal data, and may be that of a product. */
  names: PersonName[];
}

export interface PersonName {
  name: string;
  last_name: string | null;
}

interface CustomerRow {
  id: string;
  body: string;
}

/** The parts of a customer's body that tell who it is. */
interface Identity extends PersonName {
  email: string | null;
  phone: string | null;
  document_number: string | null;
  person_type: string;
}

/**
 * Who has a document or a mail. A mail finds the tickets that went there too, though nobody wrote a customer down; whoever
 * shares only a telephone is somebody else.
 */
export async function findPerson(db: Queryable, accountId: string, wanted: string): Promise<Person> {
  const text = wanted.trim();
  const isMail = text.includes("@");
  const rows = isMail ? await withMail(db, accountId, text) : await withDocument(db, accountId, text);
  const identities = rows.map(({ body }) => JSON.parse(body) as Identity);
  const emails = distinct([isMail ? text : null, ...identities.map(({ email }) => email)].map(lowered));
  return {
    by: isMail ? "mail" : "document",
    customerIds: rows.map(({ id }) => id),
    saleIds: await mailedSales(db, accountId, emails),
    emails,
    phones: distinct(identities.map(({ phone }) => phone)),
    documents: distinct([isMail ? null : text, ...identities.map(({ document_number }) => document_number)]),
    names: identities
      .filter(({ person_type }) => person_type === "person")
      .map(({ name, last_name }) => ({ name, last_name })),
  };
}

export function wholeName({ name, last_name }: PersonName): string {
  return [name, last_name].filter(Boolean).join(" ");
}

function lowered(text: string | null): string | null {
  return text?.toLowerCase() ?? null;
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.flatMap((text) => text?.trim() || []))];
}

async function withMail(db: Queryable, accountId: string, email: string): Promise<CustomerRow[]> {
  const { rows } = await db.query<CustomerRow>(sql`
    select id, body from customers where account_id = ${accountId} and email_key = ${email.toLowerCase()} order by created_at, id`);
  return rows;
}

/** However it was written down. One without digits, such as a passport's, is compared as it is. */
async function withDocument(db: Queryable, accountId: string, number: string): Promise<CustomerRow[]> {
  const text = `select id, body from customers where account_id = $1 and document_number is not null
    and (lower(btrim(document_number)) = lower($2) or ($3 <> '' and ${plainDigitsSql("document_number")} = $3)) order by created_at, id`;
  const digits = plainDigits(number);
  const isLongEnough = digits.length >= 5 && !/[a-z]/i.test(number);
  return (await db.query<CustomerRow>(prepared(text, [accountId, number, isLongEnough ? digits : ""]))).rows;
}

async function mailedSales(db: Queryable, accountId: string, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return [];
  const { rows } = await db.query<{ sale_id: string }>(sql`
    select distinct sale_id from ticket_mails where account_id = ${accountId} and lower(email) = any(${[...emails]}::text[])
    order by sale_id`);
  return rows.map(({ sale_id }) => sale_id);
}
