import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { ServedDeps } from "../../../../deps.ts";
import { ById, NoQuery, oneOf, text } from "../../../../engine/resources/fields.ts";
import { validationError } from "../../../../lib/errors.ts";
import { oneLine } from "../../../../lib/one-line.ts";
import { Type } from "../../../../lib/schema.ts";
import type { TypedApp } from "../../../public/public-app.ts";
import type { Answers } from "../../answers.ts";
import { inOwnWarehouse } from "../../stock/read-choices.ts";
import { serveTable } from "../../tables/send-table.ts";
import { applyImport } from "./apply-import.ts";
import { columnNames, columnOf, zeroTaxClasses } from "./columns.ts";
import type { ChosenColumns, Heading } from "./interpret.ts";
import { type NeededByNew, neededByNew, planImport } from "./plan-import.ts";
import { readFile } from "./read-file.ts";
import { maxFileBytes, maxListedErrors } from "./sheet.ts";
import { findImport, readChunks, storeImport } from "./stored-imports.ts";
import { templateTable } from "./template.ts";

const fileTypes = [
  "text/csv",
  "text/plain",
  "application/octet-stream",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];

const FileQuery = Type.Object(
  {
    file_name: Type.Optional(text(200)),
    /** What each column of the file is, by its place: `sku,,name`. */
    columns: Type.Optional(text(2_000)),
    /** What an IVA of 0 means in this file. */
    zero_tax: Type.Optional(oneOf(zeroTaxClasses)),
  },
  { additionalProperties: false },
);
const ChunkQuery = Type.Object(
  { position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) },
  { additionalProperties: false },
);

/** Products from a CSV or Excel file: read and compared first, applied on request. */
export function productImportRoutes(app: TypedApp, deps: ServedDeps): void {
  // A scope of its own: only here is a body anything but JSON, and as large as a file.
  void app.register((files: FastifyInstance, _options, done) => {
    files.addContentTypeParser(fileTypes, { parseAs: "buffer", bodyLimit: maxFileBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    fileRoute(files.withTypeProvider<TypeBoxTypeProvider>(), deps);
    done();
  });
  app.get(
    "/product-imports/:id",
    { config: { right: "products:write" }, schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /product-imports/:id"]> =>
      findImport(deps.pool, accountId, params.id),
  );
  app.get(
    "/product-imports/:id/rows",
    { config: { right: "products:write" }, schema: { params: ById, querystring: ChunkQuery } },
    async ({ session: { accountId }, params, query }): Promise<Answers["GET /product-imports/:id/rows"]> => {
      await findImport(deps.pool, accountId, params.id);
      const { position: from = 0 } = query;
      const rows = await readChunks(deps.pool, accountId, params.id, { from, to: from + 1 });
      const data = rows.map(({ row, name, sku, action, changes }) => ({ row, name, sku, action, changes }));
      return { object: "list", data };
    },
  );
  app.post(
    "/product-imports/:id/apply",
    { config: { right: "products:write" }, schema: { params: ById } },
    async ({ session, params, id: requestId }): Promise<Answers["POST /product-imports/:id/apply"]> => {
      const [own] = await Promise.allSettled([inOwnWarehouse<{ warehouse_id?: string }>(deps, session, {})]);
      const warehouseId = () => {
        if (own.status === "rejected") throw own.reason;
        return own.value.warehouse_id;
      };
      return applyImport(deps, { accountId: session.accountId, id: params.id, warehouseId }, requestId);
    },
  );
  serveTable(app, deps, {
    path: "/product-imports/template",
    right: "products:write",
    query: NoQuery,
    make: templateTable,
  });
}

function chosenIn(text: string | undefined): ChosenColumns | undefined {
  return text?.split(",").map((word) => {
    const name = columnNames.find((one) => one === word);
    if (!name && word !== "")
      throw validationError([
        { param: "columns", message: "`columns` tiene un campo que no existe. Elíjalos de nuevo." },
      ]);
    return name ?? null;
  });
}

/** What may stand in a column that nobody has named yet. */
function askedFor(headings: readonly Heading[]): NeededByNew[] {
  if (headings.every(({ field }) => field !== null)) return [];
  return neededByNew.filter((name) => headings.every(({ field }) => field !== name));
}

function unclearIn(lacking: ReadonlyMap<NeededByNew, readonly number[]>): string | null {
  const titles = neededByNew.filter((name) => lacking.has(name)).map((name) => `«${columnOf(name).title}»`);
  if (titles.length === 0) return null;
  const rows = [...new Set([...lacking.values()].flat())].sort((a, b) => a - b);
  const are =
    rows.length === 1 ? `La fila ${rows[0]} es un producto nuevo` : `Las filas ${inWords(rows)} son productos nuevos`;
  return `${are}, y ninguna columna es ${titles.join(" ni ")}. Diga cuál lo es.`;
}

const shownRows = 4;

function inWords(rows: readonly number[]): string {
  const shown = rows.slice(0, rows.length > shownRows ? shownRows : -1);
  const last = rows.length > shownRows ? `${rows.length - shownRows} más` : rows.at(-1);
  return `${shown.join(", ")} y ${last}`;
}

function fileRoute(files: TypedApp, deps: ServedDeps): void {
  files.post(
    "/product-imports",
    { config: { right: "products:write" }, bodyLimit: maxFileBytes, schema: { querystring: FileQuery } },
    async (request): Promise<Answers["POST /product-imports"]> => {
      const { accountId } = request.session;
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { zero_tax: zeroTax } = request.query;
      const chosen = chosenIn(request.query.columns);
      const read = await readFile(accountId, bytes, { chosen, zeroTax });
      const plan = await planImport(deps.pool, accountId, read.batches, chosen ? [] : askedFor(read.headings));
      const unclear = read.unclear ?? unclearIn(plan.lacking);
      const errors = [...read.errors, ...plan.errors].sort((a, b) => a.row - b.row);
      const errorCount = read.errorCount + plan.errors.length;
      const about = {
        file_name: oneLine(request.query.file_name ?? "productos"),
        rows: read.rowCount,
        ignored_columns: read.headings.flatMap(({ title, field }) => (field === null && title !== "" ? title : [])),
      };
      // With an error nothing is kept: it could only be applied in part.
      const isReady = errorCount === 0 && unclear === null && (read.zeroTaxRows === 0 || zeroTax !== undefined);
      const stored = isReady ? await storeImport(deps, accountId, plan, about) : null;
      return {
        import: stored,
        errors: errors.slice(0, maxListedErrors),
        error_count: errorCount,
        headings: read.headings,
        unclear,
        zero_tax_rows: read.zeroTaxRows,
      };
    },
  );
}
