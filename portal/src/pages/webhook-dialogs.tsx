import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Answer, Endpoint, RequestedConfirmation, Result } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { useEndpointChanges } from "./webhook-changes.ts";

interface DialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

const dialogs = { edit: Edit, pause: Pause, reactivate: Reactivate, rotate: RotateSecret, delete: Delete };
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
  const [secret, setSecret] = useState<string>();
  if (secret) return <ShownOnce title="Secreto rotado" label="Secreto nuevo" value={secret} onClose={onClose} />;
  if (confirmation) {
    return (
      <CodeDialog<Result<"webhook_endpoint.rotate_secret">>
        confirmation={confirmation}
        action="rotar el secreto de este webhook"
        detail={endpoint.url}
        onDone={(result) => {
          setSecret(result.secret);
          void refresh();
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

function Edit({ endpoint, onClose }: DialogProps) {
  const notify = useNotify();
  const { refresh } = useEndpointChanges(endpoint.id);
  const [url, setUrl] = useState(endpoint.url);
  const [types, setTypes] = useState(endpoint.event_types);
  const saving = useMutation({
    mutationFn: () =>
      patch<Answer<"PATCH /webhook-endpoints/:id">>(`/webhook-endpoints/${endpoint.id}`, {
        ...(url !== endpoint.url && { url }),
        event_types: types,
      }),
    async onSuccess(answer) {
      if ("confirmation_id" in answer) return;
      notify("Webhook actualizado.");
      await refresh();
      onClose();
    },
  });
  if (saving.data && "confirmation_id" in saving.data) {
    return (
      <CodeDialog
        confirmation={saving.data}
        action="cambiar la dirección de este webhook"
        detail={url}
        onDone={() => {
          notify("La dirección cambió.");
          void refresh();
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title="Editar el webhook" size="xl">
      <TextInput
        label="URL de su servidor"
        description="Si la cambia, le pediremos un código y rige desde que lo confirme."
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        mb="md"
      />
      <EventChoice value={types} onChange={setTypes} />
      <ErrorMessage error={saving.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button disabled={types.length === 0} loading={saving.isPending} onClick={() => saving.mutate()}>
          Guardar
        </Button>
      </Group>
    </Dialog>
  );
}
