import { Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer, SaleDetail } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { pesos, quantity } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { paymentOptions, paymentTitle } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
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
  const form = useForm("POST /sales/:id/returns", {
    draft: `return ${sale.id}`,
    start: {
      id: crypto.randomUUID() as string,
      wanted: {} as Wanted,
      payment_method: sale.payment_method as string | null,
      drawer: null as string | null,
      reason: "",
    },
    fieldless: ["id", "wanted", "drawer"],
    send: ({ id, payment_method, reason }) =>
      post<Answer<"POST /sales/:id/returns">>(`/sales/${sale.id}/returns`, {
        ...{ id, lines, payment_method },
        ...(isCash && { cash_session_id: drawer.chosen === noDrawer ? null : drawer.chosen }),
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    async onSent({ return: made }) {
      const from = made.cash_session_id ? `, que salen de ${drawer.name ?? "su caja"}` : ", que no salen de una caja";
      notify(`Se devolvieron ${pesos(made.total)}${isCash ? ` en efectivo${from}` : ""}.`);
      await client.invalidateQueries({ queryKey: ["sale", sale.id] });
      onClose();
    },
  });
  const { wanted, payment_method: payment } = form.values;
  const isCash: boolean = payment === "CASH";
  const drawer: ReturnType<typeof useDrawer> = useDrawer(detail, form.values.drawer);
  const lines: ReturnType<typeof linesOf> = linesOf(rows, wanted);
  return (
    <Dialog onClose={onClose} title="Devolver" size="lg">
      <FormFrame
        form={form}
        action="Devolver"
        isReady={lines.length > 0 && (!isCash || drawer.chosen !== null)}
        onCancel={onClose}
      >
        <Lines rows={rows} wanted={wanted} onChange={(next) => form.change({ wanted: next })} />
        <Refund saleId={sale.id} lines={lines} payment={payment} />
        <Stack gap="md" mt="md">
          <Fields
            form={form}
            fields={[
              { as: "choice", name: "payment_method", label: "Cómo se devuelve el dinero", data: paymentOptions },
            ]}
          />
          {isCash && <DrawerSelect drawer={drawer} onChange={(chosen) => form.change({ drawer: chosen })} />}
          <Fields
            form={form}
            fields={[{ name: "reason", label: "Motivo (opcional)", placeholder: "Venía golpeada" }]}
          />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

/** How much of each line comes back, by the line's id. */
type Wanted = Record<string, number | string>;

const linesOf = (rows: ReturnType<typeof leftOf>, wanted: Wanted) =>
  rows.flatMap(({ item: { id } }) => {
    const amount = wanted[id];
    return typeof amount === "number" && amount > 0 ? [{ item_id: id, quantity: amount }] : [];
  });

function Lines(props: { rows: ReturnType<typeof leftOf>; wanted: Wanted; onChange: (wanted: Wanted) => void }) {
  const { rows, wanted, onChange } = props;
  const returnable = rows.filter(({ left }) => left > 0);
  const isAll = returnable.every(({ item, left }) => wanted[item.id] === left);
  const all = () => Object.fromEntries(returnable.map(({ item, left }) => [item.id, left]));
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text c="dimmed">Diga cuánto vuelve de cada línea.</Text>
        <Checkbox label="Todo" checked={isAll} onChange={() => onChange(isAll ? {} : all())} />
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
            onChange={(value) => onChange({ ...wanted, [item.id]: value })}
            style={{ flex: "none" }}
          />
        </Group>
      ))}
    </>
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
