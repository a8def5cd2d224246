import { resources } from "../../business/registry.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { Resource } from "../../engine/resources/resource.ts";
import type { ZipEntry } from "../../lib/zip.ts";

const pageSize = 500;
const nil = "00000000-0000-0000-0000-000000000000";

/** What is no published record: each with the columns that an owner may take away, which no secret is among. */
const others = [
  {
    name: "documentos-xml",
    table: "document_xml",
    key: "invoice_id",
    columns: "invoice_id, created_at, convert_from(xml, 'UTF8') as xml",
  },
  {
    name: "documentos-contenido",
    table: "fiscal_documents",
    key: "invoice_id",
    columns: "invoice_id, number, state, created_at, content",
  },
  { name: "personas", table: "cashiers", key: "id", columns: "id, name, permissions, rights, created_at, deleted_at" },
  { name: "actos-de-caja", table: "counter_acts", key: "id", columns: "*" },
  {
    name: "rangos",
    table: "numbering_ranges",
    key: "id",
    columns:
      "id, kind, prefix, first_number, last_number, next_number, valid_from, valid_until, resolution, created_at",
  },
  { name: "registro-de-auditoria", table: "audit_log", key: "id", columns: "id, created_at, action, actor, details" },
] as const;

/** The whole business as JSON Lines, one file for each kind of record; read in pages, however much there is. */
export function businessArchive(db: Queryable, accountId: string): ZipEntry[] {
  const all: readonly Resource[] = resources;
  return [
    { name: "leame.txt", parts: [readme] },
    ...all.map(({ table, path }) => ({
      name: `${path.slice(1).replaceAll("/", "-")}.jsonl`,
      parts: linesOf(db, accountId, { table, key: "id", columns: "body" }, ({ body }) => body as string),
    })),
    ...others.map(({ name, ...source }) => ({
      name: `${name}.jsonl`,
      parts: linesOf(db, accountId, source, (row) => JSON.stringify(withJson(row))),
    })),
  ];
}

const readme = [
  "Todo el negocio, en JSON Lines: un registro por línea, como en la API.",
  "",
  "invoices.jsonl tiene los documentos; documentos-xml.jsonl, el XML que validó la DIAN, por invoice_id;",
  "documentos-contenido.jsonl, lo que dice cada uno. El PDF de un documento se descarga en el portal, en su página.",
  "",
  "La ley pide conservar los documentos diez años (art. 28 de la Ley 962 de 2005): guarde este archivo.",
  "",
].join("\r\n");

async function* linesOf(
  db: Queryable,
  accountId: string,
  { table, key, columns }: { table: string; key: string; columns: string },
  line: (row: Record<string, unknown>) => string,
): AsyncGenerator<string> {
  const text = `select ${columns}, ${key} as page_key from ${table} where account_id = $1 and ${key} > $2 order by ${key} limit ${pageSize}`;
  for (let after = nil; ; ) {
    const { rows } = await db.query<Record<string, unknown> & { page_key: string }>(prepared(text, [accountId, after]));
    if (rows.length > 0) yield rows.map(({ page_key: _key, ...row }) => `${line(row)}\n`).join("");
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.page_key;
  }
}

/** Columns of JSON come as text. */
function withJson(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string" && ["content", "details"].includes(name) ? (JSON.parse(value) as unknown) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
