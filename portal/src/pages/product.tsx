import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { date, number, percent, pesos } from "../lib/format.ts";
import { type Product, type ProductDetail, useBagTaxText, useCategories, useProduct } from "../lib/stock-queries.ts";
import { taxClasses, units } from "../lib/stock-words.ts";
import { Allowed } from "../ui/allowed.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Heading, Id, Section, StateBadge, Time } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
import { AdjustStock } from "./adjust-stock.tsx";
import { LowStockForm } from "./low-stock-form.tsx";
import { ProductCost } from "./margin-parts.tsx";

const back = { to: "/productos", label: "Productos" };

export default function ProductPage({ id }: { id: string }) {
  const detail = useProduct(id);
  if (!detail.data)
    return <DetailPending record={detail} heading="Producto" none="Este producto no existe" back={back} />;
  return <Shown detail={detail.data} error={detail.error} refetch={detail.refetch} />;
}

function Shown({ detail, error, refetch }: { detail: ProductDetail; error: Error | null; refetch: () => unknown }) {
  const { product } = detail;
  const [isAdjusting, setAdjusting] = useState(false);
  const [isLimiting, setLimiting] = useState(false);
  return (
    <>
      <Heading title={product.name} lead={product.description_short || undefined} back={back}>
        {detail.stock !== null && (
          <Allowed to="stock:write">
            <Button variant="default" onClick={() => setAdjusting(true)}>
              Ajustar existencias
            </Button>
          </Allowed>
        )}
        <Allowed to="products:write">
          <Button component={Link} href={`/productos/${product.id}/editar`}>
            Editar
          </Button>
        </Allowed>
      </Heading>
      <ErrorMessage error={error} retry={refetch} />
      <Main detail={detail} />
      <RunsOut detail={detail} />
      <SharedCodes detail={detail} />
      <Detail aside={<ProductFacts detail={detail} onLimit={() => setLimiting(true)} />}>
        {(product.barcodes ?? []).length > 0 && <Codes product={product} />}
        {product.variants.length > 0 && <Variants product={product} />}
        {detail.warehouses.length > 1 && <ByWarehouse detail={detail} />}
        <ProductCost id={product.id} />
        <Prices id={product.id} changedAt={detail.prices_changed_at} />
        {product.description && (
          <Section title="Descripción">
            <Text style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{product.description}</Text>
          </Section>
        )}
      </Detail>
      {isAdjusting && <AdjustStock detail={detail} onClose={() => setAdjusting(false)} />}
      {isLimiting && <LowStockForm detail={detail} onClose={() => setLimiting(false)} />}
    </>
  );
}

function Main({ detail: { product, stock, reserved } }: { detail: ProductDetail }) {
  const { final_price, base_price, percent_discount } = product;
  const discount = `lista ${pesos(base_price)}, descuento ${percent(percent_discount / 100)}`;
  const bagTax = useBagTaxText(product.tax_class);
  const notes = [...(percent_discount > 0 ? [discount] : []), ...(bagTax ? [bagTax] : [])];
  return (
    <Figures label="Precio y existencias">
      <Figure isMain label="Precio" value={pesos(final_price)} note={notes.join(", ") || undefined} />
      {stock !== null && (
        <>
          <Figure
            label="Existencias"
            value={`${number(stock)} ${product.base_unit}`}
            note={
              <>
                {reserved > 0 && `${number(reserved)} en pedidos, quedan libres ${number(stock - reserved)}. `}
                <Link href={`/inventario/movimientos?producto=${product.id}`}>Ver sus movimientos</Link>
              </>
            }
          />
          <Figure
            label="Valor al costo"
            value={pesos(Math.max(0, stock) * product.unit_cost)}
            note={`${pesos(product.unit_cost)} por ${product.base_unit}`}
          />
        </>
      )}
    </Figures>
  );
}

function RunsOut({ detail: { product, stock, low_stock, is_low } }: { detail: ProductDetail }) {
  if (stock === null || !is_low) return null;
  const title = stock < 0 ? "Hay menos que cero" : stock === 0 ? "Se agotó" : "Se está agotando";
  const text =
    stock < 0
      ? "Se vendió más de lo registrado. Cuente lo que hay y regístrelo con «Ajustar existencias»."
      : `El aviso está desde ${number(low_stock)} ${product.base_unit}.`;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />} title={title}>
      <Text size="sm">{text}</Text>
    </Alert>
  );
}

/** Registers without a connection may give one code to two products; nothing is refused, and the owner decides. */
function SharedCodes({ detail: { shared_codes } }: { detail: ProductDetail }) {
  if (shared_codes.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />} title="Un código está en dos productos">
      {shared_codes.map(({ code, product_id, name }) => (
        <Text size="sm" key={`${code} ${product_id}`}>
          {code} también es de <Link href={`/productos/${product_id}`}>{name}</Link>. Al escanearlo, la caja toma el que
          lo tiene como SKU o, si no, el más antiguo: quíteselo a uno de los dos.
        </Text>
      ))}
    </Alert>
  );
}

function Codes({ product }: { product: Product }) {
  const variantOf = (id: string | null) => product.variants.find((variant) => variant.id === id)?.label;
  const columns: Column<NonNullable<Product["barcodes"]>[number]>[] = [
    { title: "Código", cell: ({ code }) => code },
    {
      title: "Presentación",
      cell: ({ name, units: count, variant_id }) =>
        [name ?? (count === 1 ? "Unidad" : `Caja x${number(count)}`), variantOf(variant_id)]
          .filter(Boolean)
          .join(" · "),
    },
    { title: "Unidades", isNumber: true, cell: ({ units: count }) => number(count) },
    {
      title: "Precio",
      isNumber: true,
      cell: ({ price, units: count }) => pesos(price ?? count * product.final_price),
    },
  ];
  return (
    <Section title="Otros códigos y presentaciones">
      <RecordTable label="Otros códigos" columns={columns} rows={product.barcodes ?? []} rowKey={({ code }) => code} />
    </Section>
  );
}

function ProductFacts({ detail, onLimit }: { detail: ProductDetail; onLimit: () => void }) {
  const { product } = detail;
  const category = useCategories().data?.find(({ id }) => id === product.category_id)?.name;
  const noStock =
    product.kind === "composite"
      ? "No lleva: se arma con una receta y descuenta sus ingredientes."
      : "Los productos con variantes no llevan existencias.";
  const limit = (
    <Group gap="xs">
      {number(detail.low_stock)} {product.base_unit}
      {detail.own_low_stock === null && " (el de todo el negocio)"}
      <Button size="compact-sm" variant="subtle" onClick={onLimit}>
        Cambiar
      </Button>
    </Group>
  );
  return (
    <Section title="Ficha">
      <Facts
        facts={[
          [
            "Estado",
            <Group gap={6} key="estado">
              <StateBadge title={product.active ? "Activo" : "Inactivo"} color={product.active ? "green" : "gray"} />
              {!product.sellable && <StateBadge title="Ingrediente: no se vende solo" color="gray" />}
            </Group>,
          ],
          ["Existencias", detail.stock === null ? noStock : null],
          ["Avisar desde", detail.stock === null ? null : limit],
          ["SKU", product.sku],
          ["Categoría", category],
          ["Impuesto", taxClasses[product.tax_class] ?? product.tax_class],
          [
            "Unidad",
            `${units[product.base_unit] ?? product.base_unit}${product.sold_by_weight ? ", se vende por peso" : ""}`,
          ],
          ["Identificador", <Id key="id" value={product.id} label="Copiar el identificador" />],
        ]}
      />
    </Section>
  );
}

function Variants({ product }: { product: Product }) {
  const columns: Column<Product["variants"][number]>[] = [
    { title: "Variante", cell: ({ label }) => label },
    { title: "SKU", cell: ({ sku }) => sku ?? "—" },
    {
      title: "Precio",
      isNumber: true,
      cell: ({ final_price }) => pesos(final_price === 0 ? product.final_price : final_price),
    },
    {
      title: "Estado",
      cell: ({ active, is_default }) => (
        <Group gap={6} display="inline-flex">
          <StateBadge title={active ? "Activa" : "Inactiva"} color={active ? "green" : "gray"} />
          {is_default && <StateBadge title="Predeterminada" color="gray" />}
        </Group>
      ),
    },
  ];
  return (
    <Section title="Variantes" lead="Se crean y se editan en las cajas.">
      <RecordTable label="Variantes" columns={columns} rows={product.variants} rowKey={({ id }) => id} />
    </Section>
  );
}

function ByWarehouse({ detail: { warehouses, product } }: { detail: ProductDetail }) {
  return (
    <Section title="Por bodega">
      <RecordTable
        label="Existencias por bodega"
        columns={[
          { title: "Bodega", cell: ({ name }) => name ?? "Sin bodega" },
          { title: "Existencias", isNumber: true, cell: ({ stock }) => `${number(stock)} ${product.base_unit}` },
        ]}
        rows={warehouses}
        rowKey={({ warehouse_id }) => warehouse_id ?? ""}
      />
    </Section>
  );
}

type Price = Answer<"GET /products/:id/prices">["data"][number];

const priceColumns: Column<Price>[] = [
  { title: "Desde", cell: ({ at }) => <Time at={at} /> },
  { title: "Precio", isNumber: true, cell: ({ final_price }) => pesos(final_price) },
  { title: "Lista", isNumber: true, cell: ({ base_price }) => pesos(base_price) },
  { title: "Descuento", isNumber: true, cell: ({ percent_discount }) => percent(percent_discount / 100) },
];

function Prices({ id, changedAt }: { id: string; changedAt: string }) {
  const prices = useQuery({
    queryKey: ["prices", id],
    queryFn: ({ signal }) => get<Answer<"GET /products/:id/prices">>(`/products/${id}/prices`, signal),
  });
  if (!prices.data) return <ErrorMessage error={prices.error} retry={prices.refetch} />;
  const { data, kept_since } = prices.data;
  return (
    <Section
      title="Historial de precios"
      lead={`El precio de hoy rige desde el ${date(data[0]?.at ?? changedAt)}. Se guardan los cambios de los últimos 30 días, desde el ${date(kept_since)}.`}
    >
      {data.length === 0 ? (
        <Text c="dimmed">En ese tiempo no cambió.</Text>
      ) : (
        <RecordTable label="Historial de precios" columns={priceColumns} rows={data} rowKey={({ at }) => at} />
      )}
    </Section>
  );
}
