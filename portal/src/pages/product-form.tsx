import { Button, Checkbox, Group, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useDraft } from "../lib/drafts.ts";
import { pesos } from "../lib/format.ts";
import { useBagTaxText, useCategories } from "../lib/stock-queries.ts";
import { isCounted, taxClasses, units } from "../lib/stock-words.ts";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Section } from "../ui/parts.tsx";
import { ProductCodes } from "./product-codes.tsx";
import { Refusal } from "./product-refusal.tsx";
import { hasUnread, type ProductFormValues, withUnit } from "./product-values.ts";

const named = [
  "name",
  "sku",
  "category_id",
  "base_price",
  "percent_discount",
  "tax_class",
  "unit_cost",
  "initial_stock",
  "description",
  "description_short",
  "barcodes",
] as const;

/** The name under which a product that is being typed is kept. */
export const productDraft = (id: string) => `product ${id}`;

export function ProductForm({
  id,
  initial,
  isNew,
  saving,
  onSave,
  action,
}: {
  /** The product's, or "nuevo". */
  id: string;
  initial: ProductFormValues;
  isNew: boolean;
  saving: { isPending: boolean; error: Error | null };
  onSave: (form: ProductFormValues) => void;
  action: string;
}) {
  const draft = useDraft(productDraft(id), initial);
  const { value: form, change: set } = draft;
  const messages = fieldMessages(saving.error, named);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSave(form);
  }
  return (
    <form onSubmit={submit}>
      <DraftNotice draft={draft} />
      <Main form={form} set={set} messages={messages} isNew={isNew} />
      <ProductCodes
        codes={form.barcodes}
        onChange={(barcodes) => set({ barcodes })}
        sku={form.sku}
        error={messages.barcodes}
      />
      <More form={form} set={set} messages={messages} />
      {saving.error && !messages.areAllShown && <Refusal error={saving.error} />}
      <Group justify="flex-end" mt="md">
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={form.name.trim() === "" || typeof form.base_price !== "number" || hasUnread(form)}
        >
          {action}
        </Button>
      </Group>
    </form>
  );
}

interface PartProps {
  form: ProductFormValues;
  set: (change: Partial<ProductFormValues>) => void;
  messages: Partial<Record<(typeof named)[number], string>>;
}

function Main({ form, set, messages, isNew }: PartProps & { isNew: boolean }) {
  const categories = useCategories().data ?? [];
  const bagTax = useBagTaxText(form.tax_class);
  return (
    <Section title="Lo principal">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Nombre"
          required
          maxLength={200}
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={messages.name}
        />
        <TextInput
          label="SKU o código de barras (opcional)"
          maxLength={100}
          value={form.sku}
          onChange={(event) => set({ sku: event.currentTarget.value })}
          error={messages.sku}
        />
        <NumberField
          label="Precio de lista"
          prefix="$ "
          required
          min={0}
          max={999_999_999_999}
          value={form.base_price}
          onChange={(base_price) => set({ base_price })}
          description={bagTax}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={messages.base_price}
        />
        <NumberField
          label="Descuento (%)"
          min={0}
          max={100}
          decimals={2}
          value={form.percent_discount}
          onChange={(percent_discount) => set({ percent_discount })}
          description={priceText(form)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={messages.percent_discount}
        />
        <Select
          label="Categoría (opcional)"
          clearable
          searchable
          nothingFoundMessage="No hay una categoría así"
          clearButtonProps={{ "aria-label": "Quitar la categoría" }}
          value={form.category_id}
          onChange={(category_id) => set({ category_id })}
          data={categories.map(({ id, name }) => ({ value: id, label: name }))}
          error={messages.category_id}
        />
        <Select
          label="Impuesto"
          allowDeselect={false}
          value={form.tax_class}
          onChange={(tax_class) => set({ tax_class: tax_class ?? "standard" })}
          data={Object.entries(taxClasses).map(([value, label]) => ({ value, label }))}
          description="«General» sigue el régimen de su perfil fiscal."
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={messages.tax_class}
        />
        {isNew && (
          <>
            <Select
              label="Unidad"
              allowDeselect={false}
              value={form.base_unit}
              onChange={(base_unit) => set(withUnit(base_unit ?? "und"))}
              data={Object.entries(units).map(([value, label]) => ({ value, label: `${label} (${value})` }))}
              description="No se puede cambiar después."
              inputWrapperOrder={["label", "input", "description"]}
            />
            <NumberField
              label="Existencias iniciales (opcional)"
              min={0}
              max={999_999_999}
              decimals={isCounted(form.base_unit) ? 0 : 3}
              value={form.initial_stock}
              onChange={(initial_stock) => set({ initial_stock })}
              error={messages.initial_stock}
            />
            <NumberField
              label="Costo por unidad (opcional)"
              prefix="$ "
              min={0}
              max={999_999_999_999}
              decimals={6}
              value={form.unit_cost}
              onChange={(unit_cost) => set({ unit_cost })}
              error={messages.unit_cost}
            />
            {!isCounted(form.base_unit) && (
              <Checkbox
                label="Se vende por peso"
                description="La caja pide el peso, con decimales. No se puede cambiar después."
                checked={form.sold_by_weight}
                onChange={(event) => set({ sold_by_weight: event.currentTarget.checked })}
              />
            )}
          </>
        )}
      </SimpleGrid>
    </Section>
  );
}

function priceText({ base_price, percent_discount }: ProductFormValues): string {
  if (typeof base_price !== "number" || typeof percent_discount !== "number" || percent_discount === 0)
    return "Sin descuento, la caja vende al precio de lista.";
  return `La caja vende a ${pesos(Math.round(base_price * (1 - percent_discount / 100)))}.`;
}

function More({ form, set, messages }: PartProps) {
  return (
    <Section title="Más detalles">
      <Group gap="lg" mb="md">
        <Checkbox
          label="Activo"
          description="Los inactivos no aparecen en la caja."
          checked={form.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
        <Checkbox
          label="Se vende solo"
          description="Sin marcar, es un ingrediente."
          checked={form.sellable}
          onChange={(event) => set({ sellable: event.currentTarget.checked })}
        />
      </Group>
      <TextInput
        label="Descripción corta (opcional)"
        maxLength={300}
        value={form.description_short}
        onChange={(event) => set({ description_short: event.currentTarget.value })}
        error={messages.description_short}
      />
      <Textarea
        mt="md"
        label="Descripción (opcional)"
        autosize
        minRows={3}
        maxLength={5000}
        value={form.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        error={messages.description}
      />
    </Section>
  );
}
