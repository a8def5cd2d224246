import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Answer, Endpoint, RequestedConfirmation, Result } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";
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

function Edit({ endpoint, onClose }: DialogProps) {
  const notify = useNotify();
  const { refresh } = useEndpointChanges(endpoint.id);
  const draft = useDraft(`webhook ${endpoint.id}`, {
    url: endpoint.url,
    name: endpoint.name ?? "",
    types: endpoint.event_types,
  });
  const { url, name, types } = draft.value;
  const saving = useMutation({
    mutationFn: () =>
      patch<Answer<"PATCH /webhook-endpoints/:id">>(`/webhook-endpoints/${endpoint.id}`, {
        ...(url !== endpoint.url && { url }),
        ...(name.trim() !== (endpoint.name ?? "") && { name: name.trim() || null }),
        event_types: types,
      }),
    async onSuccess(answer) {
      if ("confirmation_id" in answer) return;
      draft.forget();
      notify("Webhook actualizado.");
      await refresh();
      onClose();
    },
  });
  const refused = fieldMessages(saving.error, ["url", "name"]);
  if (saving.data && "confirmation_id" in saving.data) {
    return (
      <CodeDialog
        confirmation={saving.data}
        action="cambiar la dirección de este webhook"
        detail={url}
        onDone={() => {
          draft.forget();
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
      <DraftNotice draft={draft} />
      <TextInput
        label="Nombre (opcional)"
        placeholder="Contabilidad"
        maxLength={60}
        value={name}
        error={refused.name}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
        mb="md"
      />
      <TextInput
        label="URL de su servidor"
        description="Si la cambia, le pediremos un código y rige desde que lo confirme."
        type="url"
        value={url}
        error={refused.url}
        onChange={(event) => draft.change({ url: event.currentTarget.value })}
        mb="md"
      />
      <EventChoice value={types} onChange={(chosen) => draft.change({ types: chosen })} />
      {!refused.areAllShown && <ErrorMessage error={saving.error} />}
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
        <Button disabled={types.length === 0} loading={saving.isPending} onClick={() => saving.mutate()}>
          Guardar
        </Button>
      </Group>
    </Dialog>
  );
}
