import { lockAccount } from "../../access/accounts/account-lock.ts";
import { redactAudit, theService } from "../../access/accounts/record-audit.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { must } from "../../lib/must.ts";
import { type Chunk, type FoundRow, nextChunk, replaceTexts, type SearchedTable } from "../mentions.ts";
import type { TableName } from "../tables.ts";
import { erased } from "../traces.ts";
import { cleanDocument } from "./bodies.ts";
import { cleanText, type Erasing } from "./records.ts";
import { cleanAddress, cleanHeaders, namesHer, namingRequests } from "./requests.ts";

/** How a table's rows are found and cleaned where the usual way is not enough. */
interface Rule {
  /** Rows that are about her without naming her; it takes the parameters from $3 on. */
  or?: { condition: string; values: (erasing: Erasing) => unknown[] };
  /** Removes the row instead, if it says so. */
  drops?: (row: FoundRow, erasing: Erasing, textOf: (column: string) => string | null) => boolean;
  /** What a column of text holds afterwards. */
  clean?: (text: string, column: string, erasing: Erasing, hers: boolean) => string;
  /** What a column of JSON does: the same value where it does not name her. */
  cleanValue?: (value: object, erasing: Erasing, hers: boolean) => object;
  /** How a row is changed, if not by putting other texts into it. */
  write?: (erasing: Erasing, row: FoundRow, after: (column: string) => string | null) => Promise<void>;
  /** Whether the law has it kept. */
  keeps?: (row: FoundRow, erasing: Erasing) => Promise<boolean>;
}

/** Sales and quotes of hers, and her own record. */
const about = (body: string) => ({
  condition: `(${body}->>'id' = any($3::text[]) or ${body}->>'customer_id' = any($3::text[]))`,
  values: ({ person }: Erasing) => [person.customerIds],
});

const ofHerRecord = {
  condition: "record_id::text = any($3::text[])",
  values: ({ person }: Erasing) => [person.customerIds],
};

/** Mails that went to a buyer: what she gets of it is hers alone. */
const buyerMails = ["document", "ticket", "requested_document"];

const rules: Partial<Record<TableName, Rule>> = {
  events: { or: about("(body->'data'->'object')") },
  sale_corrections: { or: about("body") },
  counter_acts: {
    or: {
      condition: `exists (select from sales s where s.account_id = $1 and s.id = chunk.sale_id
        and (s.customer_id = any($3::uuid[]) or s.id = any($4::uuid[])))`,
      values: ({ person }) => [person.customerIds, person.saleIds],
    },
  },
  // Its chain remembers what stood there, by a digest.
  audit_log: {
    clean: (text) => text,
    cleanValue: (details, { traces }) => traces.cleanValue(details),
    write: redact,
  },
  conflicts: { or: ofHerRecord, drops: ({ hers }) => hers },
  flagged_records: { or: ofHerRecord, drops: ({ hers }) => hers },
  quarantined_records: { or: ofHerRecord, drops: ({ hers }) => hers },
  mails: {
    or: { condition: "lower(recipient) = any($3::text[])", values: ({ person }) => [person.emails] },
    drops: ({ hers }, _erasing, textOf) => hers && buyerMails.includes(textOf("kind") ?? ""),
  },
  ticket_mails: {
    or: { condition: "lower(email) = any($3::text[])", values: ({ person }) => [person.emails] },
    clean: (text, column, { traces }, hers) => {
      if (hers && column === "email") return erased;
      return hers && column === "state" && text === "waiting" ? "given_up" : traces.clean(text, hers);
    },
  },
  // What answers a repeated request has the key that it came with, which no other request has: it cannot be another one.
  idempotency_keys: {
    or: { condition: "key ~* $3", values: ({ traces }) => [traces.pattern ?? null] },
    drops: ({ key }, { traces }) => namesHer(must(key[0], "Its key begins its place"), traces.clean),
  },
  request_log: {
    or: { condition: namingRequests, values: ({ traces }) => [traces.parts ?? null] },
    clean: (text, column, { traces }) => cleanAddress(text, column, traces),
    cleanValue: (headers, { traces }) => cleanHeaders(headers, traces),
  },
  fiscal_documents: {
    keeps: isKeptByLaw,
    clean: (text, _column, { traces }) => traces.clean(text),
    cleanValue: (content, { traces }) => ({ ...traces.cleanValue(content), customer: null }),
  },
};

/** Cleans the next rows of a table; returns where to go on, and how many it changed. */
export async function eraseInRows(
  erasing: Erasing,
  table: SearchedTable,
  from: readonly string[] | undefined,
): Promise<{ last: Chunk["last"]; changed: number }> {
  const rule: Rule = rules[table.name as TableName] ?? {};
  for (let tries = 0; tries < mostTries; tries++) {
    const { rows, last } = await nextChunk(erasing.deps.pool, table, erasing.accountId, from, {
      pattern: erasing.traces.pattern,
      or: rule.or?.condition,
      values: rule.or?.values(erasing) ?? [],
    });
    const results = [];
    for (const row of rows) results.push(await eraseRow(erasing, table, rule, row));
    if (!results.includes("raced")) return { last, changed: results.filter((one) => one === "changed").length };
  }
  throw new Error(`rows of ${table.name} change faster than they can be cleaned`);
}

const mostTries = 10;

async function eraseRow(
  erasing: Erasing,
  table: SearchedTable,
  rule: Rule,
  row: FoundRow,
): Promise<"same" | "changed" | "raced"> {
  const { deps, accountId } = erasing;
  const textOf = (name: string) => row.texts[table.texts.findIndex((column) => column.name === name)] ?? null;
  if (rule.drops?.(row, erasing, textOf)) return dropRow(erasing, table, row);
  if (await rule.keeps?.(row, erasing)) return "same";
  const after = row.texts.map((text, i) => {
    const { name, type } = must(table.texts[i], "A row has a text for each column");
    if (text === null) return null;
    return type === "text" || type === "text[]"
      ? cleanColumn(text, name, rule, erasing, row.hers)
      : cleanJson(text, rule, erasing, row.hers);
  });
  if (after.every((text, i) => text === row.texts[i])) return "same";
  if (rule.write) {
    await rule.write(erasing, row, (name) => after[table.texts.findIndex((column) => column.name === name)] ?? null);
    return "changed";
  }
  return (await replaceTexts(deps.pool, table, accountId, row, after)) ? "changed" : "raced";
}

function cleanColumn(text: string, column: string, rule: Rule, erasing: Erasing, hers: boolean): string {
  if (rule.clean) return rule.clean(text, column, erasing, hers);
  const { traces } = erasing;
  return cleanText(
    text,
    (value) => cleanDocument(value, erasing, hers),
    (plain) => traces.clean(plain, hers),
  );
}

/** Never by its text: whatever is put into that must still be JSON. */
function cleanJson(text: string, rule: Rule, erasing: Erasing, hers: boolean): string {
  const value = JSON.parse(text) as unknown;
  const isObject = typeof value === "object" && value !== null;
  const cleaned =
    isObject && rule.cleanValue ? rule.cleanValue(value, erasing, hers) : cleanDocument(value, erasing, hers);
  return cleaned === value ? text : JSON.stringify(cleaned);
}

async function dropRow({ deps, accountId }: Erasing, table: SearchedTable, { key }: FoundRow): Promise<"changed"> {
  const where = table.key.map(({ name, type }, i) => `${name} = $${i + 2}::text::${type}`).join(" and ");
  await deps.pool.query(`delete from ${table.name} where account_id = $1 and ${where}`, [accountId, ...key]);
  return "changed";
}

async function redact({ deps, accountId }: Erasing, { key }: FoundRow, after: (column: string) => string | null) {
  const [createdAt = "", id = ""] = key;
  const details = JSON.parse(must(after("details"), "An entry has details")) as Record<string, unknown>;
  await transaction(deps.pool, async (client) => {
    await lockAccount(client, accountId);
    const replacement = { id, created_at: new Date(createdAt), details };
    await redactAudit(client, { accountId, at: deps.clock.now(), actor: theService }, [replacement]);
  });
}

/** A document that is out, or on its way, is a fact of tax law. One that was refused is not. */
async function isKeptByLaw({ key: [invoiceId] }: FoundRow, { deps, accountId }: Erasing): Promise<boolean> {
  const { rows } = await deps.pool.query<{ status: string }>(sql`
    select status from invoices where account_id = ${accountId} and id = ${invoiceId}`);
  const status = rows[0]?.status;
  return status !== "rejected" && status !== "emission_failed";
}
