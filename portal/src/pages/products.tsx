import { Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { query } from "../lib/api.ts";
import { number, percent, pesos, plural } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { type ListedProduct, useCategories } from "../lib/stock-queries.ts";
import { stockStates } from "../lib/stock-words.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Icon } from "../ui/icons.tsx";
import { Heading, StateBadge } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

export default function Products() {
  const categories = useCategories().data ?? [];
  const { values, clear, bar } = useFilterBar([
    { name: "q", label: "Buscar", kind: "text", placeholder: "Nombre o SKU" },
    {
      name: "categoria",
      label: "Categoría",
      kind: "choice",
      placeholder: "Todas",
      options: categories.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: "estado",
      label: "Estado",
      kind: "choice",
      options: [
        { value: "activos", label: "Activos" },
        { value: "inactivos", label: "Inactivos" },
      ],
    },
    { name: "existencias", label: "Existencias", kind: "choice", placeholder: "Todas", options: stockStates },
  ]);
  const chosen = {
    q: values.q,
    category_id: values.categoria,
    active: values.estado === undefined ? undefined : String(values.estado === "activos"),
    stock: values.existencias,
  };
  const list = useList<ListedProduct>("/products", chosen);
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return (
    <>
      <Heading title="Productos" lead="Lo que vende su negocio: precios, categorías y existencias.">
        <ExportMenu href={(format) => `/tables/products.${format}${query(chosen)}`} />
        <Button component={Link} href="/productos/importar" variant="default">
          Importar
        </Button>
        <Button component={Link} href="/productos/nuevo" leftSection={<Icon name="plus" size={18} />}>
          Nuevo producto
        </Button>
      </Heading>
      <FilterBar bar={bar} />
      <RecordList
        label="Productos"
        list={list}
        columns={columnsOf(names)}
        href={({ id }) => `/productos/${id}`}
        onClearFilters={clear}
        words={{
          icon: "product",
          none: "Todavía no hay productos",
          noMatch: "Ningún producto coincide",
          hint: (
            <>
              Cree el primero, o <Link href="/productos/importar">tráigalos de Excel o CSV</Link>.
            </>
          ),
        }}
      />
    </>
  );
}

function columnsOf(categories: ReadonlyMap<string, string>): Column<ListedProduct>[] {
  return [
    { title: "Producto", cell: ({ name }) => name },
    {
      title: "SKU",
      isExtra: true,
      cell: ({ sku, variants }) => sku ?? (variants > 0 ? plural(variants, "variante", "variantes") : "—"),
    },
    { title: "Categoría", cell: ({ category_id }) => categories.get(category_id ?? "") ?? "—" },
    {
      title: "Precio",
      isNumber: true,
      cell: ({ final_price, percent_discount }) => (
        <>
          {percent_discount > 0 && (
            <Text span size="sm" c="dimmed">
              −{percent(percent_discount / 100)}{" "}
            </Text>
          )}
          {pesos(final_price)}
        </>
      ),
    },
    { title: "Existencias", isNumber: true, cell: (product) => <Stock product={product} /> },
    { title: "Estado", cell: (product) => <State product={product} /> },
  ];
}

function State({ product }: { product: ListedProduct }) {
  return (
    <Group gap={6} display="inline-flex">
      {!product.active && <StateBadge title="Inactivo" color="gray" />}
      {product.active && !product.sellable && <StateBadge title="Ingrediente" color="gray" />}
      {product.is_low && <StateBadge {...lowWords(product)} />}
      {product.active && product.sellable && !product.is_low && <StateBadge title="Activo" color="green" />}
    </Group>
  );
}

/** How badly a product runs out. */
export function lowWords({ stock }: Pick<ListedProduct, "stock">): { title: string; color: string } {
  if (stock !== null && stock < 0) return { title: "En negativo", color: "red" };
  return stock === 0 ? { title: "Agotado", color: "red" } : { title: "Por agotarse", color: "yellow" };
}

export function Stock({ product }: { product: Pick<ListedProduct, "stock" | "base_unit"> }) {
  if (product.stock === null)
    return (
      <Text span c="dimmed">
        No lleva
      </Text>
    );
  return (
    <>
      {number(product.stock)} {product.base_unit}
    </>
  );
}
