import type { Product } from "../../../business/products/schema.ts";
import { taxClassWords } from "../../../taxes/tax-class-words.ts";
import { codesText, importTitles } from "./import-titles.ts";
import { type AsRead, type Filters, type ListColumn, listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { stockStates } from "./words.ts";

/** A product as the lists show it. Quantities are exact; the API rounds them down. */
export interface ListedProduct
  extends Pick<
    Product,
    | "name"
    | "sku"
    | "category_id"
    | "kind"
    | "active"
    | "sellable"
    | "base_price"
    | "final_price"
    | "percent_discount"
    | "base_unit"
    | "tax_class"
    | "unit_cost"
  > {
  id: string;
  created_at: Date;
  /** Its other codes. */
  codes: string[];
  variants: number;
  /** Null when it keeps none: it is composite or has variants. With a warehouse, what is in that one. */
  stock: number | null;
  /** Of that, what is kept apart for orders. */
  reserved: number;
  /** Its value at the average cost. */
  value: number | null;
  low_stock: number;
  /** A product of which nothing ever came in or went out, such as a service, does not run out. */
  is_low: boolean;
}

export const productFilters = {
  ...sedeFilter,
  q: { name: "q", label: "Buscar", kind: "search", least: 1, placeholder: "Nombre o SKU" },
  warehouse_id: { name: "bodega", label: "Bodega", kind: "id", placeholder: "Todas" },
  category_id: { name: "categoria", label: "Categoría", kind: "id", placeholder: "Todas" },
  active: {
    name: "estado",
    label: "Estado",
    kind: "flag",
    yes: "activos",
    options: { activos: "Activos", inactivos: "Inactivos" },
  },
  stock: { name: "existencias", label: "Existencias", kind: "choice", placeholder: "Todas", options: stockStates },
  // Only products that have a stock of their own.
  counted: { kind: "flag" },
} as const satisfies Filters;

type Column = ListColumn<AsRead<ListedProduct>>;
/** The names by their ids. */
export type Categories = ReadonlyMap<string, string>;

const name: Column = { title: "Producto", type: "text", value: ({ name: own }) => own };
const sku: Column = { title: "SKU", type: "text", value: (product) => product.sku, none: "—", isExtra: true };
const unit: Column = { title: "Unidad", type: "text", value: ({ base_unit }) => base_unit };
const stock: Column = { title: "Existencias", type: "number", value: (product) => product.stock };
const category = (categories: Categories): Column => ({
  title: "Categoría",
  type: "text",
  value: ({ category_id }) => categories.get(category_id ?? ""),
  none: "—",
});

/** The file has the headings of an import: what is downloaded can be edited and uploaded again. */
export const productList = (categories: Categories = new Map()) =>
  listOf<ListedProduct>()({
    title: "Productos",
    path: "/products",
    file: "/tables/products",
    right: "products:read",
    filters: productFilters,
    columns: {
      id: { title: importTitles.id, type: "text", value: ({ id }) => id },
      sku: { ...sku, title: importTitles.sku },
      codes: { title: importTitles.barcodes, type: "text", value: ({ codes }) => codesText(codes) },
      name: { ...name, title: importTitles.name, onPage: name.title },
      category: { ...category(categories), title: importTitles.category },
      base_price: { title: importTitles.base_price, type: "pesos", value: ({ base_price }) => base_price },
      percent_discount: {
        title: importTitles.percent_discount,
        type: "number",
        value: ({ percent_discount }) => percent_discount,
      },
      final_price: { title: "Precio final", onPage: "Precio", type: "pesos", value: ({ final_price }) => final_price },
      tax_class: {
        title: importTitles.tax_class,
        type: "text",
        value: ({ tax_class }) => taxClassWords[tax_class] ?? tax_class,
      },
      base_unit: { ...unit, title: importTitles.base_unit },
      active: { title: importTitles.active, onPage: "Estado", type: "flag", value: ({ active }) => active },
      sellable: { title: importTitles.sellable, type: "flag", value: ({ sellable }) => sellable },
      stock: { ...stock, title: "Hay", onPage: stock.title },
      variants: { title: "Variantes", type: "number", value: ({ variants }) => variants },
    },
    page: ["name", "sku", "category", "final_price", "stock", "active"],
  });

/** What may be sold to somebody else, in thousandths so that nothing is lost. */
export function freeOf(product: Pick<ListedProduct, "stock" | "reserved">): number | null {
  return product.stock === null
    ? null
    : (Math.round(product.stock * 1000) - Math.round(product.reserved * 1000)) / 1000;
}

export const stockList = (categories: Categories = new Map()) =>
  listOf<ListedProduct>()({
    title: "Inventario",
    path: "/products",
    file: "/tables/inventory",
    right: "stock:read",
    filters: productFilters,
    columns: {
      sku,
      name,
      category: category(categories),
      stock,
      reserved: {
        title: "En pedidos",
        type: "number",
        value: (product) => (product.stock === null ? null : product.reserved),
      },
      available: { title: "Disponible", type: "number", value: freeOf },
      unit,
      unit_cost: { title: "Costo promedio", type: "number", value: ({ unit_cost }) => unit_cost, isExtra: true },
      value: { title: "Valor", type: "pesos", value: ({ value }) => value },
      low_stock: { title: "Avisar desde", type: "number", value: ({ low_stock }) => low_stock },
      is_low: { title: "Por agotarse", onPage: "Estado", type: "flag", value: ({ is_low }) => is_low },
    },
    page: ["name", "sku", "stock", "unit_cost", "value", "is_low"],
  });

/** The sheet to count on. */
export const countSheet = (categories: Categories = new Map()) =>
  listOf<ListedProduct>()({
    title: "Hoja de conteo",
    path: "/products",
    file: "/tables/count-sheet",
    right: "stock:read",
    fileRight: "stock:write",
    filters: productFilters,
    columns: {
      sku,
      name,
      category: category(categories),
      unit,
      stock: { ...stock, title: "Sistema" },
      counted: { title: "Contado", type: "text", value: () => null },
    },
    page: [],
  });
