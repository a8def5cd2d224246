import { Group, SimpleGrid, Stack } from "@mantine/core";
import { type Form, useForm } from "../lib/form.ts";
import { pesos } from "../lib/format.ts";
import { useBagTaxText, useCategories } from "../lib/stock-queries.ts";
import { isCounted, taxClasses, units } from "../lib/stock-words.ts";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { Section } from "../ui/parts.tsx";
import { ProductCodes } from "./product-codes.tsx";
import { Refusal } from "./product-refusal.tsx";
import { hasUnread, type ProductFormValues, withUnit } from "./product-values.ts";

type ProductField = Field<"POST /products", ProductFormValues>;

export function ProductForm<T>({
  id,
  initial,
  isNew,
  save,
  onSaved,
  action,
}: {
  /** The product's, or "nuevo". */
  id: string;
  initial: ProductFormValues;
  isNew: boolean;
  save: (values: ProductFormValues) => Promise<T>;
  onSaved: (answer: T) => unknown;
  action: string;
}) {
  const form = useForm("POST /products", { draft: `product ${id}`, start: initial, send: save, onSent: onSaved });
  const { values, change, problem } = form;
  return (
    <FormFrame
      form={form}
      action={action}
      error={null}
      isReady={values.name.trim() !== "" && typeof values.base_price === "number" && !hasUnread(values)}
      mt="md"
    >
      <Main form={form} isNew={isNew} />
      <ProductCodes
        codes={values.barcodes}
        onChange={(barcodes) => change({ barcodes })}
        sku={values.sku}
        error={form.messages.barcodes}
      />
      <Section title="Más detalles">
        <Group gap="lg" mb="md">
          <Fields form={form} fields={states} />
        </Group>
        <Stack gap="md">
          <Fields form={form} fields={descriptions} />
        </Stack>
      </Section>
      {problem && <Refusal error={problem} />}
    </FormFrame>
  );
}

function Main({ form, isNew }: { form: Form<"POST /products", ProductFormValues>; isNew: boolean }) {
  const { values, change } = form;
  const categories = (useCategories().data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const bagTax = useBagTaxText(values.tax_class);
  const withItsUnit = ({ base_unit, ...part }: Partial<ProductFormValues>) =>
    change({ ...part, ...(base_unit !== undefined && withUnit(base_unit)) });
  return (
    <Section title="Lo principal">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fields form={form} fields={[...named, ...priced(values, bagTax), ...classed(categories)]} />
        {isNew && <Fields form={{ ...form, change: withItsUnit }} fields={first(values.base_unit)} />}
      </SimpleGrid>
    </Section>
  );
}

const below: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

const named: ProductField[] = [
  { name: "name", label: "Nombre", required: true },
  { name: "sku", label: "SKU o código de barras (opcional)" },
];

const priced = (values: ProductFormValues, bagTax: string | undefined): ProductField[] => [
  {
    as: "number",
    name: "base_price",
    label: "Precio de lista",
    prefix: "$ ",
    required: true,
    description: bagTax,
    inputWrapperOrder: below,
  },
  {
    as: "number",
    name: "percent_discount",
    label: "Descuento (%)",
    decimals: 2,
    description: priceText(values),
    inputWrapperOrder: below,
  },
];

const classed = (categories: { value: string; label: string }[]): ProductField[] => [
  {
    as: "choice",
    name: "category_id",
    label: "Categoría (opcional)",
    clearable: true,
    searchable: true,
    nothingFoundMessage: "No hay una categoría así",
    clearButtonProps: { "aria-label": "Quitar la categoría" },
    data: categories,
  },
  {
    as: "choice",
    name: "tax_class",
    label: "Impuesto",
    data: Object.entries(taxClasses).map(([value, label]) => ({ value, label })),
    description: "«General» sigue el régimen de su perfil fiscal.",
    inputWrapperOrder: below,
  },
];

/** What only a new product says. */
const first = (unit: string): (ProductField | false)[] => [
  {
    as: "choice",
    name: "base_unit",
    label: "Unidad",
    data: Object.entries(units).map(([value, label]) => ({ value, label: `${label} (${value})` })),
    description: "No se puede cambiar después.",
    inputWrapperOrder: below,
  },
  {
    as: "number",
    name: "initial_stock",
    label: "Existencias iniciales (opcional)",
    decimals: isCounted(unit) ? 0 : 3,
  },
  { as: "number", name: "unit_cost", label: "Costo por unidad (opcional)", prefix: "$ ", decimals: 6 },
  !isCounted(unit) && {
    as: "check",
    name: "sold_by_weight",
    label: "Se vende por peso",
    description: "La caja pide el peso, con decimales. No se puede cambiar después.",
  },
];

const states: ProductField[] = [
  { as: "check", name: "active", label: "Activo", description: "Los inactivos no aparecen en la caja." },
  { as: "check", name: "sellable", label: "Se vende solo", description: "Sin marcar, es un ingrediente." },
];

const descriptions: ProductField[] = [
  { name: "description_short", label: "Descripción corta (opcional)" },
  { as: "long", name: "description", label: "Descripción (opcional)", minRows: 3 },
];

function priceText({ base_price, percent_discount }: ProductFormValues): string {
  if (typeof base_price !== "number" || typeof percent_discount !== "number" || percent_discount === 0)
    return "Sin descuento, la caja vende al precio de lista.";
  return `La caja vende a ${pesos(Math.round(base_price * (1 - percent_discount / 100)))}.`;
}
