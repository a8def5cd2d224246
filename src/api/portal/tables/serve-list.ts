import type { Session } from "../../../access/people/session.ts";
import { whichSedes } from "../../../business/locations/which-sedes.ts";
import type { Deps } from "../../../deps.ts";
import { bound, maxPesos, oneOf, page, searchQuery, text, uuid } from "../../../engine/resources/fields.ts";
import type { Position } from "../../../lib/cursor.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Asked, AsRead, Filter, Filters, List, ListColumn } from "../lists/list.ts";
import { readLocations } from "../settings/locations.ts";
import { pagedBy } from "./paging.ts";
import { type OfSedes, sedesAsked } from "./sedes.ts";
import { serveTable } from "./send-table.ts";
import { type Column, keysetPages } from "./table.ts";

interface Wanted<F extends Filters> {
  accountId: string;
  query: Asked<F> & OfSedes;
}

export interface Reading<Row, F extends Filters> {
  /** The rows that pass, in the list's order, from after a position. */
  read: (wanted: Wanted<F>, limit: number, after: Position | undefined) => Promise<Row[]>;
  /** What the list is in the order of, with the ids. */
  instantOf: (row: Row) => Date;
  totals?: (wanted: Wanted<F>) => Promise<object>;
  /** Done once for each request, before anything is read. */
  prepare?: (wanted: Wanted<F>) => Promise<unknown>;
}

/** GET of a list's pages, of what all that passes its filters adds up to, and of its file. */
export function serveList<Row extends { id: string }, F extends Filters>(
  app: TypedApp,
  deps: Deps,
  list: List<Row, string, F>,
  reading: Reading<Row, F>,
): void {
  serveRows(app, deps, list, reading);
  serveFile(app, deps, list, async (wanted) => {
    await reading.prepare?.(wanted);
    return { columns: list.columns, pages: pagesOf(reading, wanted) };
  });
}

/** The list without its file. */
export function serveRows<Row extends { id: string }, F extends Filters>(
  app: TypedApp,
  deps: Deps,
  { path, right, filters }: Pick<List<Row, string, F>, "path" | "right" | "filters">,
  { read, instantOf, totals, prepare }: Reading<Row, F>,
): void {
  const schemas = schemasOf(filters);
  const querystring = Type.Object({ ...page, ...schemas }, closed);
  app.get(path, { config: { right }, schema: { querystring } }, async ({ session, query: asked }) => {
    const { accountId } = session;
    const { limit: _, starting_after: __, ...query } = asked;
    const wanted = { accountId, query: ofSedes<F>(session, query) };
    await prepare?.(wanted);
    return pagedBy(deps, { route: path.slice(1), accountId, query: asked }, instantOf, (limit, after) =>
      read(wanted, limit, after),
    );
  });
  if (!totals) return;
  app.get(
    `${path}/totals`,
    { config: { right }, schema: { querystring: Type.Object(schemas, closed) } },
    async ({ session, query }) => {
      const wanted = { accountId: session.accountId, query: ofSedes<F>(session, query) };
      await prepare?.(wanted);
      return totals(wanted);
    },
  );
}

/** What is asked, within the sedes of whoever asks. */
function ofSedes<F extends Filters>(session: Session, query: object): Asked<F> & OfSedes {
  const { location_id } = query as { location_id?: string };
  return { ...(query as Asked<F>), location_ids: sedesAsked(session, location_id) };
}

/** The pages of a file, read as those of the list. */
export function pagesOf<Row extends { id: string }, F extends Filters>(
  { read, instantOf }: Pick<Reading<Row, F>, "read" | "instantOf">,
  wanted: Wanted<F>,
): AsyncGenerator<readonly Row[]> {
  return keysetPages<Row>((limit, last) => read(wanted, limit, last && { createdAt: instantOf(last), id: last.id }));
}

interface Made<Row> {
  columns: Readonly<Record<string, ListColumn<AsRead<Row>>>>;
  pages: AsyncIterable<readonly (Row | AsRead<Row>)[]>;
}

/** GET of a list's file, with all that passes its filters. */
export function serveFile<Row, F extends Filters>(
  app: TypedApp,
  deps: Deps,
  {
    title,
    file,
    right,
    fileRight,
    filters,
    hasLines,
    isPlaced,
  }: Pick<List<Row, string, F>, "title" | "file" | "right" | "fileRight" | "filters" | "hasLines" | "isPlaced">,
  make: (wanted: Wanted<F>) => Made<Row> | Promise<Made<Row>>,
): void {
  if (!file) throw new Error(`the list ${title} has no file`);
  serveTable<Asked<F>>(app, deps, {
    path: file,
    right: fileRight ?? { all: [right, "exports"] },
    hasLines,
    query: Type.Object(schemasOf(filters), closed),
    async make(wanted) {
      const { columns, pages } = await make(wanted);
      const sede = isPlaced ? await sedeColumn(deps, wanted.accountId) : [];
      // What belongs to no sede is no file of one.
      const ids = "location_id" in filters || isPlaced ? (wanted.query.location_ids ?? null) : null;
      const sedes = (await whichSedes(deps.pool, wanted.accountId, ids))?.mark;
      return { title, sedes, columns: [...fileColumns(columns), ...sede], pages };
    },
  });
}

/** Where each row was made, in the files of a business that has several sedes; the last one, so that no other changes its place. */
async function sedeColumn({ pool }: Deps, accountId: string): Promise<Column<object>[]> {
  const sedes = await readLocations(pool, accountId);
  if (sedes.length < 2) return [];
  const names = new Map(sedes.map(({ id, name }) => [id, name]));
  // What has none is of the first sede, which has the business's id.
  const nameOf = ({ location_id }: { location_id?: string | null }) => names.get(location_id ?? accountId);
  return [{ title: "Sede", type: "text", value: nameOf }];
}

const closed = { additionalProperties: false };

function schemasOf(filters: Filters) {
  return Object.fromEntries(Object.entries(filters).map(([param, filter]) => [param, Type.Optional(schemaOf(filter))]));
}

function schemaOf(filter: Filter) {
  switch (filter.kind) {
    case "since":
      return bound("Desde este instante, inclusive.");
    case "until":
      return bound("Antes de este instante.");
    case "amount":
      return Type.Integer({ minimum: -maxPesos, maximum: maxPesos });
    case "choice":
      return oneOf(Object.keys(filter.options));
    case "id":
    case "customer":
      return uuid();
    case "text":
      return text(filter.most, { minLength: 1 });
    case "search":
      return filter.least === 2 ? searchQuery : text(100, { minLength: 1, pattern: "\\S" });
    case "flag":
      return Type.Boolean();
  }
}

function fileColumns<Row>(columns: Readonly<Record<string, ListColumn<Row>>>): Column<Row>[] {
  return Object.values(columns)
    .filter(({ isOnPageOnly }) => !isOnPageOnly)
    .map((column) =>
      column.type === "state"
        ? { title: column.title, type: "text", value: (row) => column.value(row).title }
        : { title: column.title, type: column.type, value: (row) => written(column, row) },
    );
}

/** Rows that were made of records have instants as text. */
function written<Row>({ type, value }: Exclude<ListColumn<Row>, { type: "state" }>, row: Row) {
  const cell = value(row);
  return typeof cell === "string" && (type === "moment" || type === "date") ? new Date(cell) : cell;
}
