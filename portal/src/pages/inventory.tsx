import { Button, Group } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { type ListedProduct, useCategories, useWarehouses } from "../lib/stock-queries.ts";
import { stockStates } from "../lib/stock-words.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { ErrorMessage, Heading, StateBadge } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";
import { AccountLimitForm } from "./account-limit-form.tsx";
import { lowWords, Stock } from "./products.tsx";

/** The filter by warehouse; nobody with one warehouse needs it. */
export function warehouseFilter(warehouses: readonly { id: string; name: string }[]) {
  const options = warehouses.map(({ id, name }) => ({ value: id, label: name }));
  const filter = { name: "bodega", label: "Bodega", kind: "choice", placeholder: "Todas", options } as const;
  return warehouses.length > 1 ? [filter] : [];
}

export default function Inventory() {
  const categories = useCategories().data ?? [];
  const warehouses = useWarehouses().data ?? [];
  const [isLimiting, setLimiting] = useState(false);
  const { values, clear, bar } = useFilterBar([
    { name: "q", label: "Buscar", kind: "text", placeholder: "Nombre o SKU" },
    ...warehouseFilter(warehouses),
    {
      name: "categoria",
      label: "Categoría",
      kind: "choice",
      placeholder: "Todas",
      options: categories.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: "existencias", label: "Existencias", kind: "choice", placeholder: "Todas", options: stockStates },
  ]);
  const chosen = { q: values.q, category_id: values.categoria, warehouse_id: values.bodega, stock: values.existencias };
  const filters = { ...chosen, counted: "true" };
  const list = useList<ListedProduct>("/products", filters);
  return (
    <>
      <Heading title="Inventario" lead="Cuánto hay, cuánto vale y qué se está agotando.">
        <ExportMenu href={(format) => `/tables/inventory.${format}${query(filters)}`} />
        <Button component={Link} href="/inventario/movimientos" variant="default">
          Movimientos
        </Button>
        <Button component={Link} href="/inventario/conteo">
          Contar
        </Button>
      </Heading>
      <Totals filters={filters} />
      <FilterBar bar={bar} />
      <RecordList
        label="Existencias"
        list={list}
        columns={columns}
        href={({ id }) => `/productos/${id}`}
        onClearFilters={clear}
        words={{
          icon: "stock",
          none: "Todavía no hay productos con existencias",
          noMatch: "Ningún producto coincide",
          hint: <Link href="/productos/nuevo">Cree el primer producto</Link>,
        }}
      />
      <Group gap="xs" mt="md">
        <Button variant="subtle" size="compact-sm" onClick={() => setLimiting(true)}>
          Cambiar desde cuándo se avisa que algo se agota
        </Button>
        <Button component={Link} href="/ajustes/bodegas" variant="subtle" size="compact-sm">
          Crear o cerrar bodegas
        </Button>
      </Group>
      {isLimiting && <AccountLimitForm onClose={() => setLimiting(false)} />}
    </>
  );
}

function Totals({ filters }: { filters: Record<string, string | undefined> }) {
  const totals = useQuery({
    queryKey: ["totals", filters],
    queryFn: ({ signal }) => get<Answer<"GET /products/totals">>(`/products/totals${query(filters)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  if (!totals.data) return <ErrorMessage error={totals.error} retry={totals.refetch} />;
  const { value, products, low, out, negative } = totals.data;
  return (
    <Figures label="El inventario en números">
      <Figure isMain label="Valor al costo" value={pesos(value)} note={plural(products, "producto", "productos")} />
      <Figure label="Por agotarse" value={number(low)} to="/inventario?existencias=low" />
      <Figure label="Agotados" value={number(out)} to="/inventario?existencias=out" />
      <Figure label="En negativo" value={number(negative)} to="/inventario?existencias=negative" />
    </Figures>
  );
}

function stateWords(product: ListedProduct): { title: string; color: string } {
  if (product.is_low) return lowWords(product);
  if (!product.active) return { title: "Inactivo", color: "gray" };
  return product.stock === 0 ? { title: "Sin movimientos", color: "gray" } : { title: "Suficiente", color: "green" };
}

const columns: Column<ListedProduct>[] = [
  { title: "Producto", cell: ({ name }) => name },
  { title: "SKU", isExtra: true, cell: ({ sku }) => sku ?? "—" },
  { title: "Existencias", isNumber: true, cell: (product) => <Stock product={product} /> },
  { title: "Costo promedio", isNumber: true, isExtra: true, cell: ({ unit_cost }) => pesos(unit_cost) },
  { title: "Valor", isNumber: true, cell: ({ value }) => pesos(value ?? 0) },
  {
    title: "Estado",
    cell: (product) => <StateBadge {...stateWords(product)} />,
  },
];
