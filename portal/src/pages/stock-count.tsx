import { Button, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFilters } from "../lib/address.ts";
import type { Page } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { number, plural } from "../lib/format.ts";
import { useSession } from "../lib/queries.ts";
import { type ListedProduct, useCategories, useWarehouses } from "../lib/stock-queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { FilterSelect } from "../ui/filter-inputs.tsx";
import { Icon } from "../ui/icons.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { Empty, ErrorMessage, Heading, Loading } from "../ui/parts.tsx";
import { CountReview } from "./count-review.tsx";
import { type Counted, useCounted } from "./counted.ts";

/** More would be slow to show, and nobody counts more in one go. */
const maxProducts = 1_000;

/** All products of a sheet, page after page. */
function useSheet(filters: Record<string, string | undefined>, enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: ["count-sheet", filters],
    async queryFn({ signal }) {
      const products: ListedProduct[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<ListedProduct> = await get(
          `/products${query({ ...filters, counted: true, active: true, limit: 100, starting_after: cursor })}`,
          signal,
        );
        products.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null && products.length < maxProducts);
      return { products, isCut: cursor !== null };
    },
    // What was counted is compared with what the sheet said, so it stays as it is while somebody counts.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export default function StockCountPage() {
  const [filters, setFilters] = useFilters(["categoria", "bodega"]);
  const categories = useCategories().data ?? [];
  const warehouses = useWarehouses().data;
  // With several warehouses each is counted by itself: a person stands in one of them.
  const bodega = warehouses?.[1] && (filters.bodega ?? warehouses[0]?.id);
  const sheet = useSheet({ category_id: filters.categoria, warehouse_id: bodega }, warehouses !== undefined);
  const counted = useCounted(bodega);
  const [isReviewing, setReviewing] = useState(false);
  const warehouse = warehouses?.find(({ id }) => id === bodega)?.name;
  const where = [categories.find(({ id }) => id === filters.categoria)?.name, warehouse].filter(Boolean).join(" · ");
  return (
    <>
      <Heading
        title="Conteo de inventario"
        lead="Escriba lo que contó; lo que deje vacío no cambia."
        back={{ to: "/inventario", label: "Inventario" }}
      >
        <ExportMenu
          right="stock:write"
          label="Hoja en blanco"
          href={(format) =>
            `/tables/count-sheet.${format}${query({ category_id: filters.categoria, warehouse_id: bodega, counted: true, active: true })}`
          }
        />
        <Button variant="default" onClick={() => window.print()} leftSection={<Icon name="print" size={18} />}>
          Imprimir
        </Button>
        <Button disabled={counted.count === 0} onClick={() => setReviewing(true)}>
          {counted.count === 0 ? "Revisar las diferencias" : `Revisar ${plural(counted.count, "conteo", "conteos")}`}
        </Button>
      </Heading>
      <div className="filters no-print" style={{ marginBottom: "1rem" }}>
        {bodega !== undefined && (
          <Select
            label="Bodega"
            allowDeselect={false}
            value={bodega}
            onChange={(value) => setFilters({ bodega: value })}
            data={(warehouses ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FilterSelect
          label="Categoría"
          clearLabel="Contar todas las categorías"
          value={filters.categoria}
          onChange={(categoria) => setFilters({ categoria })}
          options={categories.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <PrintHeading where={where} />
      <ErrorMessage error={sheet.error} retry={sheet.refetch} />
      {sheet.isPending && <Loading />}
      {sheet.data && (
        <div className="card">
          {sheet.data.products.length === 0 ? (
            <Empty icon="stock" title="No hay nada que contar">
              Ningún producto activo lleva existencias aquí.
            </Empty>
          ) : (
            <Sheet products={sheet.data.products} counted={counted} />
          )}
          {sheet.data.isCut && (
            <Text c="dimmed" mt="md">
              Se muestran los primeros {number(maxProducts)}. Elija una categoría para contar los demás.
            </Text>
          )}
        </div>
      )}
      {isReviewing && (
        <CountReview
          warehouseId={bodega}
          counted={counted}
          onClose={() => setReviewing(false)}
          onDone={() => {
            setReviewing(false);
            counted.clear();
            void sheet.refetch();
          }}
        />
      )}
    </>
  );
}

function PrintHeading({ where }: { where: string }) {
  const name = useSession().data?.account.name;
  return (
    <div className="only-print">
      <p>
        {name}
        {where && ` · ${where}`}
      </p>
      <p>Contó: ______________________ Fecha: ______________________</p>
    </div>
  );
}

function Sheet({ products, counted }: { products: ListedProduct[]; counted: Counted }) {
  return (
    <table className="rows" aria-label="Hoja de conteo">
      <thead>
        <tr>
          <th>Producto</th>
          <th className="end">Sistema</th>
          <th className="end">Contado</th>
          <th className="end">Diferencia</th>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <Line key={product.id} product={product} entry={counted.entries[product.id]} set={counted.set} />
        ))}
      </tbody>
    </table>
  );
}

function Line({
  product,
  entry,
  set,
}: {
  product: ListedProduct;
  entry: Counted["entries"][string] | undefined;
  set: Counted["set"];
}) {
  const stock = entry?.expected ?? product.stock ?? 0;
  const difference = entry ? Math.round((entry.counted - stock) * 1000) / 1000 : undefined;
  return (
    <tr>
      <td data-label="">
        {product.name}
        <Text size="sm" c="dimmed" component="div">
          {product.sku}
        </Text>
      </td>
      <td data-label="Sistema" className="end" style={{ whiteSpace: "nowrap" }}>
        {number(stock)} {product.base_unit}
      </td>
      <td data-label="Contado" className="end">
        <NumberField
          className="counted"
          aria-label={`Contado de ${product.name}, en ${product.base_unit}`}
          min={0}
          max={999_999_999}
          decimals={isCounted(product.base_unit) ? 0 : 3}
          value={entry?.counted ?? ""}
          onChange={(value) =>
            set(product.id, typeof value === "number" ? { counted: value, expected: stock } : undefined)
          }
        />
      </td>
      <td data-label="Diferencia" className="end">
        {difference === undefined ? "" : `${difference > 0 ? "+" : ""}${number(difference)}`}
      </td>
    </tr>
  );
}
