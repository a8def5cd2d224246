import { resources } from "../../business/registry.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { Resource } from "../../engine/resources/resource.ts";
import type { ZipEntry } from "../../lib/zip.ts";
import { type TakenAlong, takenAlong } from "./taken-along.ts";

const pageSize = 500;
const nil = "00000000-0000-0000-0000-000000000000";

/** The whole business as JSON Lines, one file for each kind of record; read in pages, however much there is. */
export function businessArchive(db: Queryable, accountId: string): ZipEntry[] {
  const all: readonly Resource[] = resources;
  return [
    { name: "leame.txt", parts: [readme] },
    ...all.map(({ table, path }) => ({
      name: `${path.slice(1).replaceAll("/", "-")}.jsonl`,
      parts: linesOf(db, accountId, { table, key: "id", columns: "body" }, ({ body }) => body as string),
    })),
    ...takenAlong.map(({ name, ...source }) => ({
      name: `${name}.jsonl`,
      parts: linesOf(db, accountId, source, (row) => JSON.stringify(withJson(row))),
    })),
  ];
}

const readme = [
  "Todo el negocio, en JSON Lines: un registro por línea, como en la API.",
  "",
  "Como en la API, en el archivo de su dirección: customers.jsonl, products.jsonl, sales.jsonl, orders.jsonl, locations.jsonl",
  "(las sedes), invoices.jsonl (los documentos) y los demás. Además:",
  "",
  ...takenAlong.map(({ name, says }) => `- ${name}.jsonl: ${says}`),
  "",
  "El PDF de un documento se descarga en el portal, en su página. No van contraseñas, PIN, claves ni secretos: se ponen de nuevo.",
  "",
  "La ley pide conservar los documentos diez años (art. 28 de la Ley 962 de 2005): guarde este archivo.",
  "",
].join("\r\n");

async function* linesOf(
  db: Queryable,
  accountId: string,
  { table, key, columns, owner = "account_id" }: Pick<TakenAlong, "key" | "columns" | "owner"> & { table: string },
  line: (row: Record<string, unknown>) => string,
): AsyncGenerator<string> {
  const text = `select ${columns}, ${key} as page_key from ${table} where ${owner} = $1 and ${key} > $2 order by ${key} limit ${pageSize}`;
  for (let after = nil; ; ) {
    const { rows } = await db.query<Record<string, unknown> & { page_key: string }>(prepared(text, [accountId, after]));
    if (rows.length > 0) yield rows.map(({ page_key: _key, ...row }) => `${line(row)}\n`).join("");
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.page_key;
  }
}

const json = ["content", "details", "body", "settings", "info", "look", "accounts"];

/** Columns of JSON come as text. */
function withJson(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string" && json.includes(name) ? (JSON.parse(value) as unknown) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
