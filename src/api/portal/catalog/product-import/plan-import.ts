import { firstWarehouse } from "../../../../business/inventory/find-warehouse.ts";
import { changedPrices } from "../../../../business/products/prices.ts";
import type { NewProduct, Product, ProductChanges } from "../../../../business/products/schema.ts";
import type { Queryable } from "../../../../db/pool.ts";
import { sql } from "../../../../db/sql.ts";
import { foldText } from "../../../../engine/search/search-text.ts";
import { isCountedUnit, isWeighedUnit } from "../../../../taxes/units.ts";
import { codesText } from "../../lists/import-titles.ts";
import { type ColumnName, columnOf } from "./columns.ts";
import type { RowError, RowFields, SheetRow } from "./interpret.ts";
import { type Known, newCodes, problem, refusals, refusedCodes } from "./refusals.ts";

/** One field that a row changes, with its column's name. */
export interface FieldChange {
  field: ColumnName;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
}

/** What a new product must have. */
export const neededByNew = ["name", "base_price"] as const;
export type NeededByNew = (typeof neededByNew)[number];

interface PlannedRow {
  row: number;
  name: string;
  sku: string | null;
  /** A category by name; it is created if there is none when the row is applied. */
  category?: string;
  /** Codes that the product gets; those that it has stay. */
  codes?: string[];
  changes: FieldChange[];
}
export type PlanRow = PlannedRow &
  ({ action: "create"; input: NewProduct } | { action: "update"; id: string; input: ProductChanges });

export interface Plan {
  rows: PlanRow[];
  unchanged: number;
  newCategories: string[];
  /** Existing products whose row has a stock or a cost, which an import does not change. */
  stockIgnored: number;
  errors: RowError[];
  /** Rows of new products, by what they need and no column of the file holds. */
  lacking: Map<NeededByNew, number[]>;
}

/** Compares the rows of a file with the catalogue, in batches, so that other requests get their turn in between. */
export async function planImport(
  db: Queryable,
  accountId: string,
  batches: readonly string[],
  /** Columns that the owner is asked for if a new product needs them. */
  askedFor: readonly NeededByNew[] = [],
): Promise<Plan> {
  const catalogue: Catalogue = {
    categories: await readCategories(db, accountId),
    hasWarehouse: await hasOpenWarehouse(db, accountId),
    askedFor,
  };
  const plan: Plan = { rows: [], unchanged: 0, newCategories: [], stockIgnored: 0, errors: [], lacking: new Map() };
  const newCategories = new Map<string, string>();
  for (const json of batches) {
    const batch = JSON.parse(json) as SheetRow[];
    const known = await readKnown(db, accountId, batch);
    for (const sheetRow of batch) {
      const { row, fields, wrong } = sheetRow;
      const product = match(known, fields);
      const planned =
        product === undefined ? planNew(catalogue, sheetRow, known) : planFound(catalogue, row, fields, product, known);
      const columnsTold = wrong.map((name) => columnOf(name).title);
      plan.errors.push(...planned.errors.filter(({ column }) => !columnsTold.includes(column ?? "")));
      for (const field of planned.lacking ?? []) {
        plan.lacking.get(field)?.push(row);
        if (!plan.lacking.has(field)) plan.lacking.set(field, [row]);
      }
      // It is compared only for what else is wrong with it.
      if (wrong.length > 0) continue;
      if (planned.isStockIgnored) plan.stockIgnored += 1;
      if (planned.row) plan.rows.push(planned.row);
      else if (planned.errors.length === 0) plan.unchanged += 1;
      const { category } = fields;
      if (planned.row && category !== undefined && !catalogue.categories.has(foldText(category)))
        newCategories.set(foldText(category), newCategories.get(foldText(category)) ?? category);
    }
  }
  return { ...plan, newCategories: [...newCategories.values()] };
}

interface Catalogue {
  /** By folded name. */
  categories: ReadonlyMap<string, { id: string; name: string }>;
  hasWarehouse: boolean;
  askedFor: readonly NeededByNew[];
}

interface Planned {
  row?: PlanRow;
  errors: RowError[];
  isStockIgnored?: boolean;
  lacking?: NeededByNew[];
}

export async function readCategories(
  db: Queryable,
  accountId: string,
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`
    select id, body ->> 'name' as name from categories
    where account_id = ${accountId} and deleted_at is null order by created_at desc, id desc`);
  return new Map(rows.map((row) => [foldText(row.name), row]));
}

/** An account that never had one gets it with the first product that has stock. */
async function hasOpenWarehouse(db: Queryable, accountId: string): Promise<boolean> {
  const { rows } = await db.query<{ is_open: boolean }>(firstWarehouse(accountId));
  return rows[0]?.is_open ?? true;
}

async function readKnown(db: Queryable, accountId: string, rows: readonly SheetRow[]): Promise<Known> {
  const ids = rows.flatMap(({ fields }) => fields.id ?? []);
  const codes = rows.flatMap(({ fields: { sku = [], barcodes = [] } }) => [sku, barcodes].flat());
  const found = await db.query<{ body: string }>(sql`
    select body from products where account_id = ${accountId} and deleted_at is null and id = any(${ids}::uuid[])
    union all
    select body from products where account_id = ${accountId} and deleted_at is null and skus && ${codes}::text[]
    union all
    select body from products where account_id = ${accountId} and deleted_at is null
      and barcodes <> '{}' and barcodes && ${codes}::text[]`);
  const byId = new Map<string, Product>();
  const bySku = new Map<string, Product>();
  const byBarcode = new Map<string, Product>();
  for (const { body } of found.rows) {
    const product = JSON.parse(body) as Product;
    byId.set(product.id, product);
    for (const variant of product.variants) if (variant.sku !== null) bySku.set(variant.sku, product);
    if (product.sku !== null) bySku.set(product.sku, product);
    for (const { code } of product.barcodes ?? []) byBarcode.set(code, product);
  }
  return { byId, bySku, byBarcode };
}

/** The product that a row is about: undefined for a new one, null for an id that nobody has. */
function match({ byId, bySku, byBarcode }: Known, { id, sku, barcodes = [] }: RowFields): Product | null | undefined {
  if (id !== undefined) return byId.get(id.toLowerCase()) ?? null;
  if (sku !== undefined) return bySku.get(sku);
  const known = barcodes.find((code) => byBarcode.has(code));
  return known === undefined ? undefined : byBarcode.get(known);
}

function planNew(
  { hasWarehouse, askedFor }: Catalogue,
  { row, wrong, fields: { category, id: _id, barcodes = [], ...fields } }: SheetRow,
  known: Known,
): Planned {
  const errors = refusedCodes(row, { ...fields, barcodes }, undefined, known);
  for (const field of neededByNew)
    if (fields[field] === undefined && !askedFor.includes(field))
      errors.push(problem(row, field, `Falta «${columnOf(field).title}»: el producto es nuevo y lo necesita.`));
  if ((fields.initial_stock ?? 0) > 0 && !hasWarehouse)
    errors.push(
      problem(
        row,
        "initial_stock",
        "Todas sus bodegas están cerradas. Abra una en Ajustes, Bodegas, o deje vacías las existencias.",
      ),
    );
  if (
    !wrong.includes("base_unit") &&
    isCountedUnit(fields.base_unit ?? "und") &&
    !Number.isInteger(fields.initial_stock ?? 0)
  )
    errors.push(
      problem(
        row,
        "initial_stock",
        `Tiene decimales, y el producto se cuenta en ${fields.base_unit ?? "und"}. Escriba un número entero, o una unidad que se pese, como kg.`,
      ),
    );
  const lacking = askedFor.filter((field) => fields[field] === undefined);
  if (errors.length > 0 || lacking.length > 0) return { errors, lacking };
  if (fields.sold_by_weight === undefined && isWeighedStock(fields)) fields.sold_by_weight = true;
  const given = {
    ...fields,
    ...(barcodes.length > 0 && { barcodes: codesText(barcodes) }),
    ...(category !== undefined && { category }),
  };
  const changes = Object.entries(given).map(
    ([field, to]): FieldChange => ({ field: field as ColumnName, from: null, to }),
  );
  const codes = barcodes.map((code) => ({ code }));
  const input = { ...fields, ...(codes.length > 0 && { barcodes: codes }) } as NewProduct;
  const about = { row, name: input.name, sku: input.sku ?? null, changes, ...(category !== undefined && { category }) };
  return { row: { ...about, action: "create", input }, errors };
}

/** A stock of 12,5 kg was weighed. */
function isWeighedStock({ base_unit = "und", initial_stock = 0 }: RowFields): boolean {
  return isWeighedUnit(base_unit ?? "und") && !Number.isInteger(initial_stock ?? 0);
}

function planFound(
  catalogue: Catalogue,
  row: number,
  fields: RowFields,
  product: Product | null,
  known: Known,
): Planned {
  if (product === null)
    return {
      errors: [problem(row, "id", "Ningún producto suyo tiene este ID. Deje la celda vacía para crear uno nuevo.")],
    };
  const errors = refusals(row, fields, product, known);
  const isStockIgnored = fields.initial_stock !== undefined || fields.unit_cost !== undefined;
  if (errors.length > 0) return { errors };
  const { base_price, percent_discount, category, id: _id, barcodes = [], ...others } = fields;
  const prices = {
    ...(base_price !== undefined && { base_price }),
    ...(percent_discount !== undefined && { percent_discount }),
  };
  const after = { ...product, ...others, ...changedPrices(product, prices) };
  const compared = [
    "sku",
    "name",
    "base_price",
    "percent_discount",
    "tax_class",
    "active",
    "sellable",
    "description_short",
    "description",
  ] as const;
  const changes = compared
    .filter((field) => after[field] !== product[field])
    .map((field): FieldChange => ({ field, from: product[field], to: after[field] }));
  const changesPrice = changes.some(({ field }) => field === "base_price" || field === "percent_discount");
  const input = {
    ...Object.fromEntries(changes.filter(({ field }) => field in others).map(({ field, to }) => [field, to])),
    ...(changesPrice && prices),
  } as ProductChanges;
  const moves = category !== undefined && catalogue.categories.get(foldText(category))?.id !== product.category_id;
  if (moves) {
    const from = [...catalogue.categories.values()].find(({ id }) => id === product.category_id)?.name ?? null;
    if (from === null || foldText(from) !== foldText(category)) changes.push({ field: "category", from, to: category });
  }
  const held = (product.barcodes ?? []).map(({ code }) => code);
  const codes = newCodes(product, barcodes);
  if (codes.length > 0)
    changes.push({ field: "barcodes", from: codesText(held) || null, to: codesText([...held, ...codes]) });
  if (changes.length === 0) return { errors, isStockIgnored };
  const changesCategory = changes.some(({ field }) => field === "category");
  const about = { row, name: fields.name ?? product.name, sku: fields.sku ?? product.sku, changes };
  return {
    row: {
      ...about,
      action: "update",
      id: product.id,
      input,
      ...(changesCategory && { category: category! }),
      ...(codes.length > 0 && { codes }),
    },
    errors,
    isStockIgnored,
  };
}
