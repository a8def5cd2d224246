import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { postOnce, wasRefused } from "../lib/api.ts";
import { type Form, useForm } from "../lib/form.ts";
import { number } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { type ListedProduct, useStockIn, useWarehouses } from "../lib/stock-queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { type Destination, refreshTransfers, type Transfer, useDestinations } from "../lib/transfer-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";

interface Line {
  product_id: string;
  name: string;
  base_unit: ListedProduct["base_unit"];
  quantity: number | string;
}

const nothing = () => ({
  from_warehouse_id: null as string | null,
  to_warehouse_id: null as string | null,
  note: "",
  lines: [] as Line[],
  key: crypto.randomUUID() as string,
});
type Values = ReturnType<typeof nothing>;

/** The warehouses that are meant: the default one, and the only other one, without being chosen. */
function endsOf(
  { from_warehouse_id, to_warehouse_id }: Pick<Values, "from_warehouse_id" | "to_warehouse_id">,
  own: readonly { id: string; is_default: boolean }[],
  destinations: readonly Destination[],
) {
  const from = from_warehouse_id ?? own.find(({ is_default }) => is_default)?.id ?? own[0]?.id ?? null;
  const others = destinations.filter(({ id }) => id !== from);
  const only = others.length === 1 ? (others[0]?.id ?? null) : null;
  return { from, to: to_warehouse_id === from ? null : (to_warehouse_id ?? only), others };
}

/** Sends goods from a warehouse of hers to any other. */
export function TransferForm({ onClose }: { onClose: () => void }) {
  const notify = useNotify();
  const own = useWarehouses().data ?? [];
  const destinations = useDestinations().data ?? [];
  const form = useForm("POST /transfers", {
    draft: "transfer",
    start: nothing(),
    fieldless: ["lines", "key"],
    send({ key, lines, note, ...chosen }) {
      const { from: from_warehouse_id, to: to_warehouse_id } = endsOf(chosen, own, destinations);
      const going = lines.map(({ product_id, quantity }) => ({ product_id, quantity }));
      const body = { from_warehouse_id, to_warehouse_id, note: note.trim() || null, lines: going };
      return postOnce<Transfer>("/transfers", body, key);
    },
    async onSent(sent) {
      await refreshTransfers();
      notify(
        sent.state === "received"
          ? `Traslado ${sent.number} hecho.`
          : `Traslado ${sent.number} en camino. Llega cuando ${sent.to.name} lo reciba.`,
      );
      onClose();
    },
    // What was refused was not sent: the corrected one is another.
    onRefused: (error, change) => wasRefused(error) && change({ key: crypto.randomUUID() }),
  });
  const { lines } = form.values;
  const { from, to, others } = endsOf(form.values, own, destinations);
  const isReady = to !== null && lines.length > 0 && lines.every(({ quantity }) => Number(quantity) > 0);
  const stock = useStockIn(
    from,
    lines.map(({ product_id }) => product_id),
  );
  const isShort = lines.some((line) => leftOf(line, stock) < 0);
  return (
    <Dialog onClose={onClose} title="Nuevo traslado" size="lg">
      <FormFrame form={form} action={isShort ? "Enviar aunque falte" : "Enviar"} isReady={isReady} onCancel={onClose}>
        <Stack gap="md">
          <Fields
            form={{ ...form, values: { ...form.values, from_warehouse_id: from, to_warehouse_id: to } }}
            fields={[
              {
                as: "choice",
                name: "from_warehouse_id",
                label: "Sale de",
                data: own.map(({ id, name }) => ({ value: id, label: name })),
              },
              {
                as: "choice",
                name: "to_warehouse_id",
                label: "Va para",
                data: others.map(({ id, name, location_name }) => ({
                  value: id,
                  label: location_name && location_name !== name ? `${name} · ${location_name}` : name,
                })),
              },
            ]}
          />
          <Lines form={form} from={from} stock={stock} />
          {isShort && <Shortage place={own.find(({ id }) => id === from)?.name} />}
          <Fields
            form={form}
            fields={[{ name: "note", label: "Nota (opcional)", placeholder: "Va en la moto de Luis" }]}
          />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

function Shortage({ place = "esa bodega" }: { place: string | undefined }) {
  return (
    <Text aria-live="polite">
      Va más de lo que hay anotado en {place}. Si de verdad sale, envíelo: las existencias quedan en negativo hasta que
      cuente esa bodega o registre lo que entró.
    </Text>
  );
}

/** What would be left where a line leaves from; nothing is said while it is not known. */
function leftOf({ product_id, quantity }: Line, stock: ReadonlyMap<string, number>): number {
  const here = stock.get(product_id);
  if (here === undefined || typeof quantity !== "number") return 0;
  return (Math.round(here * 1000) - Math.round(quantity * 1000)) / 1000;
}

function shortText(line: Line, stock: ReadonlyMap<string, number>): string | undefined {
  const left = leftOf(line, stock);
  return left < 0 ? `Hay ${number(stock.get(line.product_id) ?? 0)}: quedaría en ${number(left)}.` : undefined;
}

/** The products that go, found by name or code, each with how much. */
function Lines({
  form,
  from,
  stock,
}: {
  form: Form<"POST /transfers", Values, Transfer>;
  from: string | null;
  stock: ReadonlyMap<string, number>;
}) {
  const { lines } = form.values;
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const filters = { counted: "true", active: "true", warehouse_id: from ?? undefined, ...(q !== "" && { q }) };
  const found = useList<ListedProduct>("/products", filters, from !== null).data ?? [];
  const choices = found.filter(({ id, variants }) => variants === 0 && lines.every((one) => one.product_id !== id));
  const put = (id: string, quantity: Line["quantity"]) =>
    form.change({ lines: lines.map((one) => (one.product_id === id ? { ...one, quantity } : one)) });
  return (
    <>
      <Select
        label="Agregar un producto"
        placeholder="Nombre o código"
        searchable
        value={null}
        searchValue={typed}
        onSearchChange={setTyped}
        filter={({ options }) => options}
        nothingFoundMessage="Ningún producto coincide"
        data={choices.map(({ id, name, stock, base_unit }) => ({
          value: id,
          label: `${name} (hay ${number(stock ?? 0)} ${base_unit})`,
        }))}
        onChange={(id) => {
          const product = choices.find((one) => one.id === id);
          if (!product) return;
          const { name, base_unit } = product;
          form.change({ lines: [...lines, { product_id: product.id, name, base_unit, quantity: "" }] });
          setTyped("");
        }}
      />
      {lines.map((line, i) => (
        <Group key={line.product_id} align="flex-end" gap="sm" wrap="nowrap">
          <NumberField
            style={{ flex: 1 }}
            label={`${line.name}, en ${line.base_unit}`}
            description={shortText(line, stock)}
            value={line.quantity}
            max={999_999_999}
            decimals={isCounted(line.base_unit) ? 0 : 3}
            data-autofocus={i === lines.length - 1 || undefined}
            onChange={(value) => put(line.product_id, value)}
          />
          <Button
            variant="default"
            aria-label={`Quitar ${line.name}`}
            onClick={() => form.change({ lines: lines.filter(({ product_id }) => product_id !== line.product_id) })}
          >
            Quitar
          </Button>
        </Group>
      ))}
      {lines.length === 0 && <Text c="dimmed">Agregue lo que va en este traslado.</Text>}
    </>
  );
}
