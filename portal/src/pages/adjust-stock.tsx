import { Button, Group, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { postOnce, wasRefused } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { number } from "../lib/format.ts";
import { type ProductDetail, refreshStock, useWarehouses } from "../lib/stock-queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

const kinds = [
  { value: "in", label: "Entrada" },
  { value: "out", label: "Salida" },
  { value: "count", label: "Conteo" },
] as const;
type Kind = (typeof kinds)[number]["value"];

const reasons: Record<Kind, string> = { in: "Compra", out: "Merma o pérdida", count: "Conteo físico" };

interface Typed {
  kind: Kind;
  quantity: number | string;
  cost: number | string;
  reason: string;
  warehouse: string | null;
  /** Kept with the rest: what was recorded before an answer got lost is not recorded again. */
  key: string;
}

const nothingTyped = (): Typed => ({
  kind: "in",
  quantity: "",
  cost: "",
  reason: "",
  warehouse: null,
  key: crypto.randomUUID(),
});

/** One movement of one product: goods that came in, went out, or were counted. */
export function AdjustStock({ detail, onClose }: { detail: ProductDetail; onClose: () => void }) {
  const { product } = detail;
  const notify = useNotify();
  const warehouses = useWarehouses().data ?? [];
  const draft = useDraft(`stock ${product.id}`, nothingTyped());
  const { kind, quantity, cost, reason, warehouse, key } = draft.value;
  const here = warehouse ?? warehouses.find(({ is_default }) => is_default)?.id;
  const stock =
    warehouses.length > 1
      ? (detail.warehouses.find((one) => one.warehouse_id === here)?.stock ?? 0)
      : (detail.stock ?? 0);
  const change =
    typeof quantity !== "number"
      ? undefined
      : round(kind === "in" ? quantity : kind === "out" ? -quantity : quantity - stock);
  const saving = useMutation({
    mutationFn: () =>
      postOnce(
        "/stock-movements",
        {
          product_id: product.id,
          type: kind === "count" ? "adjustment" : kind,
          quantity: kind === "count" ? change : quantity,
          reason: reason.trim() || reasons[kind],
          warehouse_id: warehouse,
          unit_cost: kind === "in" && typeof cost === "number" ? cost : null,
        },
        key,
      ),
    async onSuccess() {
      draft.forget();
      await refreshStock();
      notify("Existencias ajustadas.");
      onClose();
    },
    // A refused movement was not recorded: the corrected one is another.
    onError(error) {
      if (wasRefused(error)) draft.change({ key: crypto.randomUUID() });
    },
  });
  const messages = fieldMessages(saving.error, ["quantity", "reason", "unit_cost", "warehouse_id"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Dialog onClose={onClose} title={`Ajustar «${product.name}»`}>
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <SegmentedControl
          fullWidth
          aria-label="Qué pasó"
          data={[...kinds]}
          value={kind}
          onChange={(value) => draft.change({ kind: value as Kind })}
        />
        <NumberField
          mt="md"
          label={kind === "count" ? `Cantidad contada, en ${product.base_unit}` : `Cantidad, en ${product.base_unit}`}
          required
          min={0}
          max={999_999_999}
          decimals={isCounted(product.base_unit) ? 0 : 3}
          value={quantity}
          onChange={(typed) => draft.change({ quantity: typed })}
          error={messages.quantity}
          data-autofocus
        />
        {warehouses.length > 1 && (
          <Select
            mt="md"
            label="Bodega"
            allowDeselect={false}
            value={here ?? null}
            onChange={(chosen) => draft.change({ warehouse: chosen })}
            data={warehouses.map(({ id, name }) => ({ value: id, label: name }))}
            error={messages.warehouse_id}
          />
        )}
        {kind === "in" && (
          <NumberField
            mt="md"
            label={`Costo por ${product.base_unit} (opcional)`}
            description="Entra en el costo promedio del producto."
            min={0}
            max={999_999_999_999}
            decimals={6}
            value={cost}
            onChange={(typed) => draft.change({ cost: typed })}
            error={messages.unit_cost}
          />
        )}
        <TextInput
          mt="md"
          label="Motivo"
          placeholder={reasons[kind]}
          maxLength={200}
          value={reason}
          onChange={(event) => draft.change({ reason: event.currentTarget.value })}
          error={messages.reason}
        />
        <Text mt="md" aria-live="polite">
          {change === undefined
            ? `Hoy hay ${number(stock)} ${product.base_unit}.`
            : `De ${number(stock)} pasa a ${number(round(stock + change))} ${product.base_unit} (${change > 0 ? "+" : ""}${number(change)}).`}
        </Text>
        {!messages.areAllShown && <ErrorMessage error={saving.error} />}
        <Group justify="flex-end" mt="lg">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              onClose();
            }}
          >
            Cancelar
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!change}>
            Registrar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/** To thousandths, as quantities are kept. */
const round = (value: number) => Math.round(value * 1000) / 1000;
