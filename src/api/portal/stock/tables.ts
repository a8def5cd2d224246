import { countNewMovements } from "../../../business/inventory/stock-levels.ts";
import type { ServedDeps } from "../../../deps.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { codesText } from "../catalog/product-import/codes-cell.ts";
import { columnOf, taxWords } from "../catalog/product-import/columns.ts";
import { type ListedProduct, ProductFilters, readProducts } from "../catalog/read-products.ts";
import { serveTable } from "../tables/send-table.ts";
import { type Column, keysetPages } from "../tables/table.ts";
import { readCategories } from "./read-choices.ts";
import { type ListedMovement, MovementFilters, readMovements } from "./read-movements.ts";

/** The catalogue, the stock, the count sheet and the movements as files. */
export function stockTables(app: TypedApp, deps: ServedDeps): void {
  const { pool } = deps;
  const tables = {
    products: { title: "Productos", columns: productColumns },
    inventory: { title: "Inventario", columns: stockColumns },
    "count-sheet": { title: "Hoja de conteo", columns: countColumns },
  };
  for (const [name, { title, columns }] of Object.entries(tables))
    serveTable<ProductFilters>(app, deps, {
      path: `/tables/${name}`,
      query: ProductFilters,
      async make({ accountId, query }) {
        if (query.warehouse_id !== undefined) await countNewMovements(pool, accountId);
        const categories = new Map((await readCategories(pool, accountId)).map((one) => [one.id, one.name]));
        const pages = keysetPages<ListedProduct>((limit, last) =>
          readProducts(pool, accountId, query, limit, last?.id),
        );
        return { title, columns: columns(categories), pages };
      },
    });
  serveTable<MovementFilters>(app, deps, {
    path: "/tables/stock-movements",
    query: MovementFilters,
    make: ({ accountId, query }) => ({
      title: "Movimientos de inventario",
      columns: movementColumns,
      pages: keysetPages<ListedMovement>((limit, last) =>
        readMovements(pool, accountId, query, limit, last && { createdAt: last.created_at, id: last.id }),
      ),
    }),
  });
}

type Categories = ReadonlyMap<string, string>;

/** With the headings of an import: what is downloaded can be edited and uploaded again. */
function productColumns(categories: Categories): Column<ListedProduct>[] {
  return [
    { title: columnOf("id").title, type: "text", value: ({ id }) => id },
    { title: columnOf("sku").title, type: "text", value: ({ sku }) => sku },
    { title: columnOf("barcodes").title, type: "text", value: ({ codes }) => codesText(codes) },
    { title: columnOf("name").title, type: "text", value: ({ name }) => name },
    { title: columnOf("category").title, type: "text", value: ({ category_id }) => categories.get(category_id ?? "") },
    { title: columnOf("base_price").title, type: "pesos", value: ({ base_price }) => base_price },
    { title: columnOf("percent_discount").title, type: "number", value: ({ percent_discount }) => percent_discount },
    { title: "Precio final", type: "pesos", value: ({ final_price }) => final_price },
    { title: columnOf("tax_class").title, type: "text", value: ({ tax_class }) => taxWords[tax_class] ?? tax_class },
    { title: columnOf("base_unit").title, type: "text", value: ({ base_unit }) => base_unit },
    { title: columnOf("active").title, type: "flag", value: ({ active }) => active },
    { title: columnOf("sellable").title, type: "flag", value: ({ sellable }) => sellable },
    { title: "Hay", type: "number", value: ({ stock }) => stock },
    { title: "Variantes", type: "number", value: ({ variants }) => variants },
  ];
}

function stockColumns(categories: Categories): Column<ListedProduct>[] {
  return [
    ...named(categories),
    { title: "Existencias", type: "number", value: ({ stock }) => stock },
    { title: "Unidad", type: "text", value: ({ base_unit }) => base_unit },
    { title: "Costo promedio", type: "number", value: ({ unit_cost }) => unit_cost },
    { title: "Valor", type: "pesos", value: ({ value }) => value },
    { title: "Avisar desde", type: "number", value: ({ low_stock }) => low_stock },
    { title: "Por agotarse", type: "flag", value: ({ is_low }) => is_low },
  ];
}

function countColumns(categories: Categories): Column<ListedProduct>[] {
  return [
    ...named(categories),
    { title: "Unidad", type: "text", value: ({ base_unit }) => base_unit },
    { title: "Sistema", type: "number", value: ({ stock }) => stock },
    { title: "Contado", type: "text", value: () => null },
  ];
}

function named(categories: Categories): Column<ListedProduct>[] {
  return [
    { title: "SKU", type: "text", value: ({ sku }) => sku },
    { title: "Producto", type: "text", value: ({ name }) => name },
    { title: "Categoría", type: "text", value: ({ category_id }) => categories.get(category_id ?? "") },
  ];
}

const movementColumns: Column<ListedMovement>[] = [
  { title: "Fecha", type: "moment", value: ({ created_at }) => created_at },
  { title: "SKU", type: "text", value: ({ product_sku }) => product_sku },
  { title: "Producto", type: "text", value: ({ product_name }) => product_name },
  { title: "Tipo", type: "text", value: typeWords },
  { title: "Cantidad", type: "number", value: ({ change }) => change },
  { title: "Unidad", type: "text", value: ({ base_unit }) => base_unit },
  { title: "Bodega", type: "text", value: ({ warehouse_name }) => warehouse_name },
  { title: "Costo", type: "number", value: ({ unit_cost }) => unit_cost },
  { title: "Motivo", type: "text", value: ({ reason }) => reason },
  { title: "Referencia", type: "text", value: ({ reference }) => reference },
  { title: "Venta", type: "text", value: ({ sale_id }) => sale_id },
];

function typeWords({ type, origin_type }: ListedMovement): string {
  return origin_type === "reversal" ? "Anulación" : (movementWords[type] ?? type);
}

const movementWords: Record<string, string> = {
  in: "Entrada",
  out: "Salida",
  adjustment: "Ajuste",
  purchase: "Compra",
  sale: "Venta",
  return: "Devolución",
  waste: "Merma",
  transfer_in: "Traslado, entra",
  transfer_out: "Traslado, sale",
  initial_stock: "Inventario inicial",
};
