import { Stack } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Answer, Endpoint, RequestedConfirmation, Result } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";
import { useEndpointChanges } from "./webhook-changes.ts";
import { Sending } from "./webhook-sending.tsx";

interface DialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

const dialogs = {
  edit: Edit,
  sending: Sending,
  pause: Pause,
  reactivate: Reactivate,
  rotate: RotateSecret,
  delete: Delete,
};
export type DialogName = keyof typeof dialogs;

export function EndpointDialog({ name, ...props }: DialogProps & { name: DialogName }) {
  const Chosen = dialogs[name];
  return <Chosen {...props} />;
}

function Pause({ endpoint, onClose }: DialogProps) {
  const { setStatus } = useEndpointChanges(endpoint.id);
  return (
    <ConfirmDialog
      title="Pausar el webhook"
      action="Pausar"
      run={() => setStatus("pause", "Webhook en pausa.")}
      onClose={onClose}
    >
      Lo que ya está pendiente espera y se envía al reanudar. Los eventos que ocurran durante la pausa no se envían:
      quedan en Eventos.
    </ConfirmDialog>
  );
}

function Reactivate({ endpoint, onClose }: DialogProps) {
  const { setStatus } = useEndpointChanges(endpoint.id);
  return (
    <ConfirmDialog
      title="Reactivar el webhook"
      action="Reactivar"
      run={() => setStatus("reactivate", "Webhook reactivado.")}
      onClose={onClose}
    >
      Recibirá los eventos desde ahora. Los del tiempo que estuvo inactivo no se reenvían.
    </ConfirmDialog>
  );
}

function Delete({ endpoint, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const { deleteEndpoint } = useEndpointChanges(endpoint.id);
  return (
    <ConfirmDialog
      title="Eliminar el webhook"
      action="Eliminar"
      danger
      run={async () => {
        await deleteEndpoint();
        navigate("/webhooks");
      }}
      onClose={onClose}
    >
      <span className="mono">{endpoint.url}</span> deja de recibir eventos y sus entregas pendientes se descartan. No se
      puede deshacer.
    </ConfirmDialog>
  );
}

function RotateSecret({ endpoint, onClose }: DialogProps) {
  const { refresh } = useEndpointChanges(endpoint.id);
  const [confirmation, setConfirmation] = useState<RequestedConfirmation>();
  const showOnce = useShowOnce();
  if (confirmation) {
    return (
      <CodeDialog<Result<"webhook_endpoint.rotate_secret">>
        confirmation={confirmation}
        action="rotar el secreto de este webhook"
        detail={endpoint.url}
        onDone={(result) => {
          onClose();
          void refresh();
          showOnce({ title: "Secreto rotado", label: "Secreto nuevo", value: result.secret, onClose: () => {} });
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Rotar el secreto"
      action="Enviar el código"
      run={() => post<RequestedConfirmation>(`/webhook-endpoints/${endpoint.id}/rotate-secret`)}
      onDone={setConfirmation}
      onClose={onClose}
    >
      Se crea un secreto nuevo. Durante 24 horas las entregas llevan las dos firmas, para que cambie el secreto en su
      servidor sin perder ninguna.
    </ConfirmDialog>
  );
}

const editFields: Field<"PATCH /webhook-endpoints/:id", { url: string; name: string }>[] = [
  { name: "name", label: "Nombre (opcional)", placeholder: "Contabilidad" },
  {
    name: "url",
    label: "URL de su servidor",
    description: "Si la cambia, le pediremos un código y rige desde que lo confirme.",
    type: "url",
  },
];

function Edit({ endpoint, onClose }: DialogProps) {
  const notify = useNotify();
  const { refresh } = useEndpointChanges(endpoint.id);
  const start = { url: endpoint.url, name: endpoint.name ?? "", event_types: endpoint.event_types };
  const done = async (text: string) => {
    form.draft.forget();
    notify(text);
    await refresh();
    onClose();
  };
  const form = useForm("PATCH /webhook-endpoints/:id", {
    draft: `webhook ${endpoint.id}`,
    start,
    fieldless: ["event_types"],
    async send({ url, name, event_types }) {
      const answer = await patch<Answer<"PATCH /webhook-endpoints/:id">>(`/webhook-endpoints/${endpoint.id}`, {
        ...(url !== start.url && { url }),
        ...(name.trim() !== start.name && { name: name.trim() || null }),
        event_types,
      });
      if (!("confirmation_id" in answer)) await done("Webhook actualizado.");
      return answer;
    },
  });
  if (form.answer && "confirmation_id" in form.answer) {
    return (
      <CodeDialog
        confirmation={form.answer}
        action="cambiar la dirección de este webhook"
        detail={form.values.url}
        onDone={() => void done("La dirección cambió.")}
        onClose={onClose}
      />
    );
  }
  const { event_types } = form.values;
  return (
    <Dialog onClose={onClose} title="Editar el webhook" size="xl">
      <FormFrame form={form} noValidate action="Guardar" isReady={event_types.length > 0} onCancel={onClose}>
        <Stack gap="md">
          <Fields form={form} fields={editFields} />
          <EventChoice value={event_types} onChange={(chosen) => form.change({ event_types: chosen })} />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}
