import { Button, Checkbox, Group, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer, SaleDetail } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { pesos, quantity } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { paymentOptions, paymentTitle } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { DrawerSelect, noDrawer, useDrawer } from "./refund-drawer.tsx";

/** What is left of each line after earlier returns. */
function leftOf({ sale, returns }: SaleDetail) {
  return sale.items.map((item) => {
    const returned = returns
      .flatMap(({ lines }) => lines)
      .filter((line) => line.item_id === item.id)
      .reduce((sum, line) => sum + line.quantity, 0);
    return { item, left: Math.round((item.quantity - returned) * 1000) / 1000 };
  });
}

/** Takes some or all lines of a sale back: how much of each, how the money goes back, and why. */
export function ReturnDialog({ detail, onClose }: { detail: SaleDetail; onClose: () => void }) {
  const { sale } = detail;
  const notify = useNotify();
  const [rows] = useState(() => leftOf(detail));
  // The return's id is kept with it: one that was recorded before its answer got lost is not made again.
  const draft = useDraft(`return ${sale.id}`, {
    id: crypto.randomUUID() as string,
    wanted: {} as Record<string, number | string>,
    payment: sale.payment_method as string | null,
    drawer: null as string | null,
    reason: "",
  });
  const { id, wanted, payment, reason } = draft.value;
  const isCash = payment === "CASH";
  const drawer = useDrawer(detail, draft.value.drawer);
  const lines = rows.flatMap(({ item }) => {
    const amount = wanted[item.id];
    return typeof amount === "number" && amount > 0 ? [{ item_id: item.id, quantity: amount }] : [];
  });
  const returning = useMutation({
    mutationFn: () =>
      post<Answer<"POST /sales/:id/returns">>(`/sales/${sale.id}/returns`, {
        id,
        lines,
        payment_method: payment,
        ...(isCash && { cash_session_id: drawer.chosen === noDrawer ? null : drawer.chosen }),
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    async onSuccess({ return: made }) {
      draft.forget();
      const from = made.cash_session_id ? `, que salen de ${drawer.name ?? "su caja"}` : ", que no salen de una caja";
      notify(`Se devolvieron ${pesos(made.total)}${isCash ? ` en efectivo${from}` : ""}.`);
      await client.invalidateQueries({ queryKey: ["sale", sale.id] });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    returning.mutate();
  }
  const returnable = rows.filter(({ left }) => left > 0);
  const isAll = returnable.every(({ item, left }) => wanted[item.id] === left);
  return (
    <Dialog onClose={onClose} title="Devolver" size="lg">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <Group justify="space-between" mb="xs">
          <Text c="dimmed">Diga cuánto vuelve de cada línea.</Text>
          <Checkbox
            label="Todo"
            checked={isAll}
            onChange={() =>
              draft.change({
                wanted: isAll ? {} : Object.fromEntries(returnable.map(({ item, left }) => [item.id, left])),
              })
            }
          />
        </Group>
        {rows.map(({ item, left }) => (
          <Group key={item.id} justify="space-between" wrap="nowrap" py={6} gap="md" align="center">
            <div style={{ minWidth: 0 }}>
              <div style={{ overflowWrap: "anywhere" }}>{item.description ?? "Línea sin nombre"}</div>
              <Text size="sm" c="dimmed">
                {left === 0 ? "Ya se devolvió" : `${quantity(left)} × ${pesos(item.unit_price)}`}
              </Text>
            </div>
            <NumberField
              aria-label={`Cantidad que vuelve de ${item.description ?? "la línea"}`}
              w={110}
              min={0}
              max={left}
              decimals={3}
              disabled={left === 0}
              value={wanted[item.id] ?? 0}
              onChange={(value) => draft.change({ wanted: { ...wanted, [item.id]: value } })}
              style={{ flex: "none" }}
            />
          </Group>
        ))}
        <Refund saleId={sale.id} lines={lines} payment={payment} />
        <Select
          mt="md"
          label="Cómo se devuelve el dinero"
          data={paymentOptions}
          value={payment}
          onChange={(chosen) => draft.change({ payment: chosen })}
          allowDeselect={false}
        />
        {isCash && <DrawerSelect drawer={drawer} onChange={(chosen) => draft.change({ drawer: chosen })} />}
        <TextInput
          mt="md"
          label="Motivo (opcional)"
          placeholder="Venía golpeada"
          maxLength={200}
          value={reason}
          onChange={(event) => draft.change({ reason: event.currentTarget.value })}
        />
        <ErrorMessage error={returning.error} />
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
          <Button
            type="submit"
            disabled={lines.length === 0 || (isCash && drawer.chosen === null)}
            loading={returning.isPending}
          >
            Devolver
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/** What the service will give back, to the peso. It depends on the sale's discount and on earlier returns. */
function Refund({
  saleId,
  lines,
  payment,
}: {
  saleId: string;
  lines: { item_id: string; quantity: number }[];
  payment: string | null;
}) {
  const [asked] = useDebouncedValue(lines, 250);
  const plan = useQuery({
    queryKey: ["return-plan", saleId, asked],
    queryFn: () => post<Answer<"POST /sales/:id/return-plan">>(`/sales/${saleId}/return-plan`, { lines: asked }),
    enabled: asked.length > 0,
    placeholderData: (before) => before,
    retry: false,
  });
  if (lines.length === 0) return null;
  if (plan.error) return <ErrorMessage error={plan.error} />;
  return (
    <Text mt="md" aria-live="polite">
      {plan.data ? (
        <>
          Se devuelven <strong>{pesos(plan.data.total)}</strong>
          {payment && ` por ${paymentTitle(payment).toLowerCase()}`}
          {plan.data.tax > 0 && `, de los cuales ${pesos(plan.data.tax)} son impuestos`}
          {plan.data.tip_amount > 0 && `; con la propina de ${pesos(plan.data.tip_amount)}`}.
        </>
      ) : (
        "Calculando…"
      )}
    </Text>
  );
}
