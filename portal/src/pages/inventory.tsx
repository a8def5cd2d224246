import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { freeOf, stockList } from "../../../src/api/portal/lists/products.ts";
import type { Answer } from "../lib/answers.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { useSession } from "../lib/queries.ts";
import { type ListedProduct, namesOf, useCategories, useWarehouses } from "../lib/stock-queries.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { ErrorMessage, StateBadge } from "../ui/parts.tsx";
import { AccountLimitForm } from "./account-limit-form.tsx";
import { lowWords, Stock } from "./products.tsx";

/** Warehouses to filter by; nobody with one of them needs it. */
export function warehouseChoices(warehouses: readonly { id: string; name: string }[] = []) {
  return warehouses.length > 1 ? namesOf(warehouses).options : null;
}

const list = stockList();

export default function Inventory() {
  const categories = namesOf(useCategories().data).options;
  const warehouses = warehouseChoices(useWarehouses().data);
  const { data: session } = useSession();
  // Whoever has one sede sends to those of others.
  const hasSeveral = warehouses !== null || (session !== undefined && session?.location_ids !== null);
  const [isLimiting, setLimiting] = useState(false);
  return (
    <>
      <ListPage
        list={list}
        heading={{ lead: "Cuánto hay, cuánto vale y qué se está agotando." }}
        actions={
          <>
            <Button component={Link} href="/inventario/movimientos" variant="default">
              Movimientos
            </Button>
            {hasSeveral && (
              <Button component={Link} href="/inventario/traslados" variant="default">
                Traslados
              </Button>
            )}
            <Allowed to="stock:write">
              <Button component={Link} href="/inventario/conteo">
                Contar
              </Button>
            </Allowed>
          </>
        }
        label="Existencias"
        choices={{ category_id: categories, warehouse_id: warehouses, active: null }}
        fixed={{ counted: "true" }}
        top={(asked) => <Totals asked={asked} />}
        cells={{
          stock: (product) => <Shelf product={product} />,
          unit_cost: ({ unit_cost }) => pesos(unit_cost),
          value: ({ value }) => pesos(value ?? 0),
          is_low: (product) => <StateBadge {...stateWords(product)} />,
        }}
        href={({ id }) => `/productos/${id}`}
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

/** What is there and, where orders keep some of it apart, what of it may still be sold. */
function Shelf({ product }: { product: ListedProduct }) {
  return (
    <>
      <Stock product={product} />
      {product.reserved > 0 && (
        <Text span display="block" size="xs" c="dimmed" style={{ whiteSpace: "normal" }}>
          {number(product.reserved)} en pedidos, {number(freeOf(product) ?? 0)} disponibles
        </Text>
      )}
    </>
  );
}

function Totals({ asked }: { asked: AskedText }) {
  const totals = useTotals<Answer<"GET /products/totals">>("/products", asked);
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
