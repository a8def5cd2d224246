import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { type FoundRow, nextChunk, type SearchedTable, searchedTable } from "../mentions.ts";
import type { Person } from "../person.ts";
import { heldTables, type TableName, tableNames } from "../tables.ts";
import { type Traces, tracesOf } from "../traces.ts";

/** One part of what is held about a person: rows that can be read by themselves. */
export interface Holding {
  /** In Spanish; what it is called in the file. */
  name: string;
  title: string;
  pages: () => AsyncIterable<object[]>;
}

interface Reader {
  db: Queryable;
  accountId: string;
  person: Person;
  traces: Traces;
}

const pageSize = 500;

/** All that is held, from what she is known by to every other row that names her. What the law keeps is told as well. */
export function holdingsOf(db: Queryable, accountId: string, person: Person): Holding[] {
  const reader = { db, accountId, person, traces: tracesOf(person) };
  const { customerIds, saleIds, emails } = person;
  const records = (name: string, title: string, table: string, condition: string, ids: readonly string[]): Holding => ({
    ...{ name, title },
    pages: () => recordPages(reader, table, condition, ids),
  });
  const mailed = (name: string, title: string, select: string, column: string): Holding => ({
    ...{ name, title },
    pages: () => mailedRows(reader, select, column, emails),
  });
  return [
    records("cliente", "Cliente", "customers", "id = any($2::uuid[])", customerIds),
    records("ventas", "Ventas", "sales", "customer_id = any($2::uuid[])", customerIds),
    records("ventas_con_tiquete", "Ventas cuyo tiquete pidió por correo", "sales", "id = any($2::uuid[])", saleIds),
    records("cotizaciones", "Cotizaciones", "quotes", "customer_id = any($2::uuid[])", customerIds),
    records("pedidos", "Pedidos", "orders", "customer_id = any($2::uuid[])", customerIds),
    records("devoluciones", "Devoluciones", "returns", ofHerSales, customerIds),
    records("documentos", "Documentos", "invoices", ofHerSales, customerIds),
    mailed("tiquetes_por_correo", "Tiquetes por correo", ticketColumns, "email"),
    mailed("correos", "Correos", mailColumns, "recipient"),
    { name: "otras_menciones", title: "Otros registros que la nombran", pages: () => mentionsOf(reader) },
  ];
}

const ofHerSales = "sale_id in (select s.id from sales s where s.account_id = $1 and s.customer_id = any($2::uuid[]))";
const ticketColumns = "select id, sale_id, email, state, created_at from ticket_mails";
const mailColumns = "select id, kind, recipient, subject, created_at, sent_at from mails";

/** Published records, in the order of their ids. */
async function* recordPages(
  { db, accountId }: Reader,
  table: string,
  condition: string,
  ids: readonly string[],
): AsyncGenerator<object[]> {
  if (ids.length === 0) return;
  const text = `select id, body from ${table} where account_id = $1 and ${condition} and id > $3 order by id limit ${pageSize}`;
  for (let after = nil; ; ) {
    const { rows } = await db.query<{ id: string; body: string }>(prepared(text, [accountId, [...ids], after]));
    if (rows.length > 0) yield rows.map(({ body }) => JSON.parse(body) as object);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.id;
  }
}

const nil = "00000000-0000-0000-0000-000000000000";

/** Few: what is mailed to buyers is limited, and leaves with its age. */
async function* mailedRows(
  { db, accountId }: Reader,
  select: string,
  column: string,
  emails: readonly string[],
): AsyncGenerator<object[]> {
  if (emails.length === 0) return;
  const text = `${select} where account_id = $1 and lower(${column}) = any($2::text[]) order by created_at, id`;
  const { rows } = await db.query<object>(prepared(text, [accountId, [...emails]]));
  if (rows.length > 0) yield rows;
}

/** Tables whose rows stand in a part of their own. */
const shownApart: readonly TableName[] = ["customers", "mails", "ticket_mails"];

/** Every row of every other table that names her, with what it is and the texts that do. */
async function* mentionsOf({ db, accountId, traces }: Reader): AsyncGenerator<object[]> {
  const { pattern } = traces;
  if (pattern === undefined) return;
  for (const name of tableNames.filter(isSearched)) {
    const table = await searchedTable(db, name);
    for (let from: string[] | undefined; ; ) {
      const { rows, last } = await nextChunk(db, table, accountId, from, { pattern });
      const found = rows.flatMap((row) => mentionIn(name, table, row, traces) ?? []);
      if (found.length > 0) yield found;
      if (!last) break;
      from = last;
    }
  }
}

function isSearched(name: TableName): boolean {
  return !shownApart.includes(name) && heldTables[name].erasing !== "kept";
}

function mentionIn(name: TableName, table: SearchedTable, { key, texts }: FoundRow, traces: Traces) {
  const naming = table.texts.flatMap((column, i) => {
    const text = texts[i] ?? "";
    return traces.clean(text) === text ? [] : [[column.name, text] as const];
  });
  if (naming.length === 0) return undefined;
  return { donde: heldTables[name].holds, id: key.at(-1), textos: Object.fromEntries(naming) };
}
