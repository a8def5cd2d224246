import { Text } from "@mantine/core";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import { query } from "../lib/api.ts";
import { endOf, number, pesos, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { type ListedMovement, useProduct, useWarehouses } from "../lib/stock-queries.ts";
import { movementChoices, movementTitle } from "../lib/stock-words.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";
import { warehouseFilter } from "./inventory.tsx";

export default function StockMovements() {
  const [{ producto }, setFilters] = useFilters(["producto"]);
  const warehouses = useWarehouses().data ?? [];
  const { values, clear, bar } = useFilterBar([
    { name: "tipo", label: "Tipo", kind: "choice", options: movementChoices },
    ...warehouseFilter(warehouses),
    { name: "desde", label: "Desde", kind: "date" },
    { name: "hasta", label: "Hasta", kind: "date" },
  ]);
  const chosen = {
    product_id: producto,
    warehouse_id: values.bodega,
    type: values.tipo,
    created_since: startOf(values.desde),
    created_until: endOf(values.hasta),
  };
  const list = useList<ListedMovement>("/stock-movements", chosen);
  const clearAll = clear ?? (producto === undefined ? undefined : () => setFilters({ producto: null }));
  return (
    <>
      <Heading
        title="Movimientos de inventario"
        lead={
          producto ? (
            <OfProduct id={producto} />
          ) : (
            "Todo lo que entró, salió o se ajustó. Un movimiento nunca se edita: se corrige con otro."
          )
        }
        back={{ to: "/inventario", label: "Inventario" }}
      >
        <ExportMenu href={(format) => `/tables/stock-movements.${format}${query(chosen)}`} />
      </Heading>
      <FilterBar bar={bar} />
      <RecordList
        label="Movimientos"
        list={list}
        columns={warehouses.length > 1 ? columns : columns.filter(({ title }) => title !== "Bodega")}
        onClearFilters={clearAll}
        words={{
          icon: "stock",
          none: "Todavía no hay movimientos",
          noMatch: "Ningún movimiento coincide",
          hint: "Aparecen con cada venta, compra o ajuste.",
        }}
      />
    </>
  );
}

function OfProduct({ id }: { id: string }) {
  const name = useProduct(id).data?.product.name;
  return (
    <>
      De <Link href={`/productos/${id}`}>{name ?? "un producto"}</Link>.{" "}
      <Link href="/inventario/movimientos">Ver los de todos</Link>
    </>
  );
}

const columns: Column<ListedMovement>[] = [
  {
    title: "Producto",
    cell: ({ product_name, product_id }) =>
      product_name === null ? "Producto por llegar" : <Link href={`/productos/${product_id}`}>{product_name}</Link>,
  },
  { title: "Cuándo", cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "Tipo", cell: (movement) => movementTitle(movement) },
  {
    title: "Cantidad",
    isNumber: true,
    cell: ({ change, base_unit }) => (
      <span>
        <strong>
          {change > 0 ? "+" : ""}
          {number(change)}
        </strong>{" "}
        {base_unit}
      </span>
    ),
  },
  { title: "Bodega", cell: ({ warehouse_name }) => warehouse_name ?? "—" },
  {
    title: "Costo",
    isNumber: true,
    isExtra: true,
    cell: ({ unit_cost }) => (unit_cost === null ? "—" : pesos(unit_cost)),
  },
  {
    title: "Motivo",
    cell: ({ sale_id, reason, reference }) => (
      <div>
        {sale_id === null ? (reason ?? "—") : <Link href={`/ventas/${sale_id}`}>Venta</Link>}
        {reference && (
          <Text size="sm" c="dimmed" component="div">
            {reference}
          </Text>
        )}
      </div>
    ),
  },
];
