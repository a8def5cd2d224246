import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { ErrorMessage, Heading, Section } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";

const empty = { url: "https://", name: "", types: ["sale.completed", "invoice.issued"] };

export default function NewWebhook() {
  const [, navigate] = useLocation();
  const showOnce = useShowOnce();
  const draft = useDraft("webhook-new", empty);
  const { url, name, types } = draft.value;
  const requesting = useMutation({
    mutationFn: () =>
      post<RequestedConfirmation>("/webhook-endpoints", {
        url,
        event_types: types,
        ...(name.trim() !== "" && { name: name.trim() }),
      }),
  });
  const refused = fieldMessages(requesting.error, ["url", "name"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  function showSecret({ endpoint, secret }: Result<"webhook_endpoint.create">) {
    draft.forget();
    requesting.reset();
    void client.invalidateQueries({ queryKey: ["endpoints"] });
    showOnce({
      title: "Webhook agregado",
      label: "Secreto para verificar las firmas",
      value: secret,
      onClose: () => navigate(`/webhooks/${endpoint.id}`, { replace: true }),
    });
  }
  return (
    <>
      <Heading
        title="Agregar un webhook"
        lead="Tres pasos: la dirección, los eventos y un código que le llega al correo."
        back={{ to: "/webhooks", label: "Webhooks" }}
      />
      <DraftNotice draft={draft} />
      <form onSubmit={submit}>
        <Section title="1. ¿A qué dirección?">
          <TextInput
            label="URL de su servidor"
            description="Pública, con https:// y en el puerto 443. No se siguen redirecciones."
            placeholder="https://ejemplo.com.co/webhooks"
            type="url"
            required
            value={url}
            error={refused.url}
            onChange={(event) => draft.change({ url: event.currentTarget.value })}
          />
          <TextInput
            mt="md"
            label="Nombre (opcional)"
            description="Para reconocerlo en las listas, por ejemplo el sistema que lo recibe."
            placeholder="Contabilidad"
            maxLength={60}
            value={name}
            error={refused.name}
            onChange={(event) => draft.change({ name: event.currentTarget.value })}
          />
        </Section>
        <Section title="2. ¿De qué quiere enterarse?">
          <EventChoice value={types} onChange={(chosen) => draft.change({ types: chosen })} />
        </Section>
        {!refused.areAllShown && <ErrorMessage error={requesting.error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              navigate("/webhooks");
            }}
          >
            Cancelar
          </Button>
          <Button type="submit" disabled={types.length === 0} loading={requesting.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {requesting.data && (
        <CodeDialog<Result<"webhook_endpoint.create">>
          confirmation={requesting.data}
          action="agregar este webhook"
          detail={url}
          onDone={showSecret}
          onClose={() => requesting.reset()}
        />
      )}
    </>
  );
}
