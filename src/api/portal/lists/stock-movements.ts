import type { StockMovement } from "../../../business/inventory/schema.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { movementTypes } from "./words.ts";

/** A movement with the names that its ids stand for. */
export interface ListedMovement
  extends Pick<
    StockMovement,
    "product_id" | "warehouse_id" | "type" | "reason" | "reference" | "unit_cost" | "origin_type" | "sale_id"
  > {
  id: string;
  location_id: string;
  created_at: Date;
  product_name: string | null;
  product_sku: string | null;
  base_unit: string | null;
  warehouse_name: string | null;
  /** What it added to the stock, or took from it. */
  change: number;
}

export const movementList = listOf<ListedMovement>()({
  title: "Movimientos de inventario",
  path: "/stock-movements",
  file: "/tables/stock-movements",
  right: "stock:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    type: { name: "tipo", label: "Tipo", kind: "text", most: 40, options: movementTypes },
    warehouse_id: { name: "bodega", label: "Bodega", kind: "id", placeholder: "Todas" },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
    product_id: { name: "producto", kind: "id" },
  },
  columns: {
    created_at: { title: "Fecha", onPage: "Cuándo", type: "moment", value: ({ created_at }) => created_at },
    sku: { title: "SKU", type: "text", value: ({ product_sku }) => product_sku },
    product: { title: "Producto", type: "text", value: ({ product_name }) => product_name },
    type: { title: "Tipo", type: "text", value: movementTitle },
    change: { title: "Cantidad", type: "number", value: ({ change }) => change },
    unit: { title: "Unidad", type: "text", value: ({ base_unit }) => base_unit },
    warehouse: { title: "Bodega", type: "text", value: ({ warehouse_name }) => warehouse_name, none: "—" },
    unit_cost: { title: "Costo", type: "number", value: ({ unit_cost }) => unit_cost, isExtra: true },
    reason: { title: "Motivo", type: "text", value: ({ reason }) => reason },
    reference: { title: "Referencia", type: "text", value: ({ reference }) => reference },
    sale: { title: "Venta", type: "text", value: ({ sale_id }) => sale_id },
  },
  page: ["product", "created_at", "type", "change", "warehouse", "unit_cost", "reason"],
});

/** A cancelled sale brings its goods back as an entry; an owner knows it as the cancellation. */
function movementTitle({ type, origin_type }: Pick<ListedMovement, "type" | "origin_type">): string {
  return origin_type === "reversal" ? "Anulación" : (movementTypes[type] ?? type);
}
