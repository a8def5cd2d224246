import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

interface Props {
  order: Answer<"GET /orders/:id">["order"];
  onClose: () => void;
}

/** Says in how many minutes it will be ready, if somebody knows. */
export function AcceptDialog({ order, onClose }: Props) {
  const notify = useNotify();
  const form = useForm("POST /orders/:id/accept", {
    start: { minutes: 20 as number | string },
    send: ({ minutes }) =>
      post<Answer<"POST /orders/:id/accept">>(`/orders/${order.id}/accept`, {
        ...(typeof minutes === "number" && { minutes }),
      }),
    async onSent() {
      notify(`Se aceptó el pedido ${order.number}: sus existencias quedaron apartadas.`);
      await client.invalidateQueries({ queryKey: ["order", order.id] });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Aceptar el pedido ${order.number}`}>
      <FormFrame form={form} action="Aceptar" onCancel={onClose}>
        <Fields form={form} fields={[{ as: "number", name: "minutes", label: "Listo en (minutos)" }]} />
      </FormFrame>
    </Dialog>
  );
}

export function RejectDialog({ order, onClose }: Props) {
  const notify = useNotify();
  const form = useForm("POST /orders/:id/reject", {
    start: { reason: "" },
    send: ({ reason }) =>
      post<Answer<"POST /orders/:id/reject">>(`/orders/${order.id}/reject`, {
        ...(reason.trim() && { reason: reason.trim() }),
      }),
    async onSent() {
      notify(`Se rechazó el pedido ${order.number}, y quien lo hizo lo sabrá.`);
      await client.invalidateQueries({ queryKey: ["order", order.id] });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Rechazar el pedido ${order.number}`}>
      <FormFrame form={form} action="Rechazar" onCancel={onClose}>
        <Fields
          form={form}
          fields={[{ name: "reason", label: "Motivo (opcional)", placeholder: "No hay domiciliario" }]}
        />
      </FormFrame>
    </Dialog>
  );
}
