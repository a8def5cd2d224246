import { SegmentedControl, Stack, Text } from "@mantine/core";
import { postOnce, wasRefused } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { number } from "../lib/format.ts";
import { type Product, type ProductDetail, refreshStock, useWarehouses } from "../lib/stock-queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

const kinds = [
  { value: "in", label: "Entrada" },
  { value: "out", label: "Salida" },
  { value: "count", label: "Conteo" },
] as const;
type Kind = (typeof kinds)[number]["value"];

const reasons: Record<Kind, string> = { in: "Compra", out: "Merma o pérdida", count: "Conteo físico" };

/** Kept with the rest: what was recorded before an answer got lost is not recorded again. */
const newKey = (): string => crypto.randomUUID();

const nothingTyped = () => ({
  type: "in" as Kind,
  quantity: "" as number | string,
  unit_cost: "" as number | string,
  reason: "",
  warehouse_id: null as string | null,
  key: newKey(),
});

/** One movement of one product: goods that came in, went out, or were counted. */
export function AdjustStock({ detail, onClose }: { detail: ProductDetail; onClose: () => void }) {
  const { product } = detail;
  const notify = useNotify();
  const warehouses = useWarehouses().data ?? [];
  const form = useForm("POST /stock-movements", {
    draft: `stock ${product.id}`,
    start: nothingTyped(),
    fieldless: ["type", "key"],
    send: ({ key, type, unit_cost, reason, ...values }) =>
      postOnce(
        "/stock-movements",
        {
          ...values,
          ...(type === "count" && { quantity: change }),
          product_id: product.id,
          type: type === "count" ? "adjustment" : type,
          reason: reason.trim() || reasons[type],
          unit_cost: type === "in" && typeof unit_cost === "number" ? unit_cost : null,
        },
        key,
      ),
    async onSent() {
      await refreshStock();
      notify("Existencias ajustadas.");
      onClose();
    },
    // A refused movement was not recorded: the corrected one is another.
    onRefused: (error, put) => wasRefused(error) && put({ key: newKey() }),
  });
  const { type, quantity } = form.values;
  const here = form.values.warehouse_id ?? warehouses.find(({ is_default }) => is_default)?.id ?? null;
  const stock =
    warehouses.length > 1
      ? (detail.warehouses.find((one) => one.warehouse_id === here)?.stock ?? 0)
      : (detail.stock ?? 0);
  const change: number | undefined = typeof quantity === "number" ? round(changeOf(type, quantity, stock)) : undefined;
  return (
    <Dialog onClose={onClose} title={`Ajustar «${product.name}»`}>
      <FormFrame form={form} action="Registrar" isReady={Boolean(change)} onCancel={onClose}>
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            aria-label="Qué pasó"
            data={[...kinds]}
            value={type}
            onChange={(chosen) => form.change({ type: chosen as Kind })}
          />
          <Fields
            form={{ ...form, values: { ...form.values, warehouse_id: here } }}
            fields={fieldsOf(type, product.base_unit, warehouses)}
          />
          <Text aria-live="polite">
            {change === undefined
              ? `Hoy hay ${number(stock)} ${product.base_unit}.`
              : `De ${number(stock)} pasa a ${number(round(stock + change))} ${product.base_unit} (${change > 0 ? "+" : ""}${number(change)}).`}
          </Text>
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

const changeOf = (type: Kind, quantity: number, stock: number) =>
  ({ in: quantity, out: -quantity, count: quantity - stock })[type];

const fieldsOf = (
  type: Kind,
  unit: Product["base_unit"],
  warehouses: readonly { id: string; name: string }[],
): (Field<"POST /stock-movements", ReturnType<typeof nothingTyped>> | false)[] => [
  {
    as: "number",
    name: "quantity",
    label: type === "count" ? `Cantidad contada, en ${unit}` : `Cantidad, en ${unit}`,
    required: true,
    min: 0,
    decimals: isCounted(unit) ? 0 : 3,
    "data-autofocus": true,
  },
  warehouses.length > 1 && {
    as: "choice",
    name: "warehouse_id",
    label: "Bodega",
    data: warehouses.map(({ id, name }) => ({ value: id, label: name })),
  },
  type === "in" && {
    as: "number",
    name: "unit_cost",
    label: `Costo por ${unit} (opcional)`,
    description: "Entra en el costo promedio del producto.",
    decimals: 6,
  },
  { name: "reason", label: "Motivo", placeholder: reasons[type] },
];

/** To thousandths, as quantities are kept. */
const round = (value: number) => Math.round(value * 1000) / 1000;
