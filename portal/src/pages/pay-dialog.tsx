import { Stack, TextInput } from "@mantine/core";
import { payingWords } from "../../../src/api/portal/lists/words.ts";
import type { CashSession } from "../lib/answers.ts";
import { postOnce, wasRefused } from "../lib/api.ts";
import { type Purchase, refreshPurchases } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { moment, pesos } from "../lib/format.ts";
import { optionsOf } from "../lib/options.ts";
import { useRecords } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** Writes down what was paid of a purchase, whole or in part. */
export function PayDialog({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const notify = useNotify();
  const left = purchase.owed - purchase.paid;
  const outs = useCashOuts();
  const form = useForm("POST /purchases/:id/payments", {
    draft: `pay ${purchase.id}`,
    start: {
      amount: left as number | string,
      means: "bank",
      cash_movement_id: null as string | null,
      paid_on: "",
      note: "",
      key: crypto.randomUUID() as string,
    },
    fieldless: ["key"],
    send({ amount, means, cash_movement_id, paid_on, note, key }) {
      const out = means === "drawer" ? outs.find(({ id }) => id === cash_movement_id) : undefined;
      const body = {
        ...{ amount, means, paid_on: paid_on || null, note: note.trim() || null },
        ...(out && { cash_movement_id: out.id, cash_session_id: out.cash_session_id }),
      };
      return postOnce<Purchase>(`/purchases/${purchase.id}/payments`, body, key);
    },
    async onSent({ owed, paid }) {
      await refreshPurchases();
      notify(owed === paid ? "Pagado: no se debe nada." : `Pagado. Se deben todavía ${pesos(owed - paid)}.`);
      onClose();
    },
    onRefused: (error, change) => wasRefused(error) && change({ key: crypto.randomUUID() }),
  });
  const { amount, means, cash_movement_id, paid_on } = form.values;
  const isReady = Number(amount) > 0 && (means !== "drawer" || cash_movement_id !== null);
  return (
    <Dialog onClose={onClose} title={`Pagar la compra ${purchase.number}`}>
      <FormFrame form={form} action="Pagar" isReady={isReady} onCancel={onClose}>
        <Stack gap="md">
          <Fields
            form={form}
            fields={[
              { as: "number", name: "amount", label: `Cuánto, de ${pesos(left)}`, max: left, "data-autofocus": true },
              { as: "choice", name: "means", label: "Con qué", data: optionsOf(payingWords) },
              means === "drawer" && {
                as: "choice",
                name: "cash_movement_id",
                label: "Qué salida de efectivo fue",
                description: "La que se registró en la caja: así el turno cuadra solo.",
                nothingFoundMessage: "No hay salidas: regístrela en la caja.",
                data: outs.map(({ id, label }) => ({ value: id, label })),
              },
            ]}
          />
          <TextInput
            type="date"
            label="Cuándo (opcional)"
            description="Vacía, hoy."
            value={paid_on}
            error={form.messages.paid_on}
            onChange={(event) => form.change({ paid_on: event.currentTarget.value })}
          />
          <Fields form={form} fields={[{ name: "note", label: "Nota (opcional)" }]} />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

/** Cash that left the drawers of the latest shifts. */
function useCashOuts() {
  const shifts = useRecords<CashSession>("/cash-sessions", {}).data ?? [];
  return shifts.flatMap(({ id, register_name, movements }) =>
    movements.flatMap((movement) =>
      movement.type === "out"
        ? {
            id: movement.id,
            cash_session_id: id,
            label: `${pesos(movement.amount)} · ${movement.reason ?? "Sin motivo"} · ${register_name}, ${moment(movement.occurred_at)}`,
          }
        : [],
    ),
  );
}
