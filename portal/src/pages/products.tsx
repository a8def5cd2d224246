import { Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { productList } from "../../../src/api/portal/lists/products.ts";
import { number, percent, pesos, plural } from "../lib/format.ts";
import { type ListedProduct, namesOf, useCategories } from "../lib/stock-queries.ts";
import { ListPage } from "../lists/list-page.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Icon } from "../ui/icons.tsx";
import { StateBadge } from "../ui/parts.tsx";

export default function Products() {
  const categories = namesOf(useCategories().data);
  return (
    <ListPage
      list={productList(categories.byId)}
      heading={{ lead: "Lo que vende su negocio: precios, categorías y existencias." }}
      actions={
        <Allowed to="products:write">
          <Button component={Link} href="/productos/importar" variant="default">
            Importar
          </Button>
          <Button component={Link} href="/productos/nuevo" leftSection={<Icon name="plus" size={18} />}>
            Nuevo producto
          </Button>
        </Allowed>
      }
      choices={{ category_id: categories.options, warehouse_id: null }}
      cells={{
        sku: ({ sku, variants }) => sku ?? (variants > 0 ? plural(variants, "variante", "variantes") : "—"),
        final_price: (product) => <Price product={product} />,
        stock: (product) => <Stock product={product} />,
        active: (product) => <State product={product} />,
      }}
      href={({ id }) => `/productos/${id}`}
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
  );
}

function Price({ product: { final_price, percent_discount } }: { product: ListedProduct }) {
  return (
    <>
      {percent_discount > 0 && (
        <Text span size="sm" c="dimmed">
          −{percent(percent_discount / 100)}{" "}
        </Text>
      )}
      {pesos(final_price)}
    </>
  );
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
