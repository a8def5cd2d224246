import { Group, Stack, Text } from "@mantine/core";
import { postOnce, wasRefused } from "../lib/api.ts";
import { awaited, here, type Purchase, type PurchaseLine, refreshPurchases } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { number } from "../lib/format.ts";
import { useWarehouses } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";

/** Goods come, or go back. */
const acts = {
  receipt: {
    title: ({ number: of }: Purchase) => `Recibir la compra ${of}`,
    action: "Recibir",
    limit: awaited,
    words: (left: string, unit: string) => `Faltan ${left} (${unit}).`,
    done: "Recibido: las existencias ya entraron.",
    none: "No falta nada por recibir.",
  },
  return: {
    title: ({ number: of }: Purchase) => `Devolver de la compra ${of}`,
    action: "Devolver",
    limit: here,
    words: (left: string, unit: string) => `Hay ${left} (${unit}).`,
    done: "Devuelto: las existencias salieron y se debe menos.",
    none: "No hay nada que devolver.",
  },
} as const;

interface Props {
  purchase: Purchase;
  kind: keyof typeof acts;
  onClose: () => void;
}

/** What came or goes back of each line, and how it is sent. */
function useReceiving({ purchase, kind, onClose }: Props, lines: readonly PurchaseLine[]) {
  const notify = useNotify();
  const act = acts[kind];
  return useForm("POST /purchases/:id/receipts", {
    draft: `${kind} ${purchase.id}`,
    start: {
      // What is expected comes whole as a rule; what goes back is said.
      quantities: Object.fromEntries(
        lines.map((line): [string, number | string] => [line.id, kind === "receipt" ? act.limit(line) : ""]),
      ),
      warehouse_id: purchase.warehouse_id as string | null,
      reference: "",
      notes: "",
      key: crypto.randomUUID() as string,
    },
    fieldless: ["quantities", "key"],
    send({ quantities, reference, notes, warehouse_id, key }) {
      const moved = lines.flatMap(({ id }) =>
        Number(quantities[id]) > 0 ? [{ line_id: id, quantity: Number(quantities[id]) }] : [],
      );
      const body = {
        kind,
        lines: moved,
        warehouse_id,
        reference: reference.trim() || null,
        notes: notes.trim() || null,
      };
      return postOnce<Purchase>(`/purchases/${purchase.id}/receipts`, body, key);
    },
    async onSent() {
      await refreshPurchases();
      notify(act.done);
      onClose();
    },
    onRefused: (error, change) => wasRefused(error) && change({ key: crypto.randomUUID() }),
  });
}

export function ReceiveDialog({ purchase, kind, onClose }: Props) {
  const act = acts[kind];
  const warehouses = useWarehouses().data ?? [];
  const lines = purchase.lines.filter((line) => act.limit(line) > 0);
  const form = useReceiving({ purchase, kind, onClose }, lines);
  const { quantities } = form.values;
  const put = (line: PurchaseLine, quantity: number | string) =>
    form.change({ quantities: { ...quantities, [line.id]: quantity } });
  const isReady = lines.some(({ id }) => Number(quantities[id]) > 0);
  return (
    <Dialog onClose={onClose} title={act.title(purchase)} size="lg">
      <FormFrame form={form} action={act.action} isReady={isReady} onCancel={onClose}>
        <Stack gap="md">
          {lines.length === 0 && <Text c="dimmed">{act.none}</Text>}
          {lines.map((line, i) => (
            <Group key={line.id} gap="sm" wrap="nowrap" align="flex-end">
              <NumberField
                style={{ flex: 1 }}
                label={line.description}
                description={act.words(number(act.limit(line)), line.unit)}
                value={quantities[line.id] ?? ""}
                max={act.limit(line)}
                decimals={3}
                data-autofocus={i === 0 || undefined}
                onChange={(quantity) => put(line, quantity)}
              />
            </Group>
          ))}
          <Fields
            form={form}
            fields={[
              warehouses.length > 1 && {
                as: "choice",
                name: "warehouse_id",
                label: kind === "receipt" ? "Entra a" : "Sale de",
                data: warehouses.map(({ id, name }) => ({ value: id, label: name })),
              },
              { name: "reference", label: "Remisión o guía (opcional)" },
              { name: "notes", label: "Nota (opcional)" },
            ]}
          />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}
