import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { ApiError, post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ErrorMessage, Heading, Section } from "../ui/parts.tsx";
import { plainText } from "../ui/plain-text.ts";
import { ShownOnce } from "../ui/shown-once.tsx";

export default function NewWebhook() {
  const [, navigate] = useLocation();
  const [url, setUrl] = useState("https://");
  const [types, setTypes] = useState<string[]>(["sale.completed", "invoice.issued"]);
  const [created, setCreated] = useState<Result<"webhook_endpoint.create">>();
  const requesting = useMutation({
    mutationFn: () => post<RequestedConfirmation>("/webhook-endpoints", { url, event_types: types }),
  });
  const wrongUrl =
    requesting.error instanceof ApiError && requesting.error.param === "url" ? requesting.error : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  return (
    <>
      <Heading
        title="Agregar un webhook"
        lead="Tres pasos: la dirección, los eventos y un código que le llega al correo."
        back={{ to: "/webhooks", label: "Webhooks" }}
      />
      <form onSubmit={submit}>
        <Section title="1. ¿A qué dirección?">
          <TextInput
            label="URL de su servidor"
            description="Pública, con https:// y en el puerto 443. No se siguen redirecciones."
            placeholder="https://ejemplo.com.co/webhooks"
            type="url"
            required
            value={url}
            error={wrongUrl && plainText(wrongUrl.message)}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        </Section>
        <Section title="2. ¿De qué quiere enterarse?">
          <EventChoice value={types} onChange={setTypes} />
        </Section>
        {!wrongUrl && <ErrorMessage error={requesting.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => navigate("/webhooks")}>
            Cancelar
          </Button>
          <Button type="submit" disabled={types.length === 0} loading={requesting.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {requesting.data && !created && (
        <CodeDialog<Result<"webhook_endpoint.create">>
          confirmation={requesting.data}
          action="agregar este webhook"
          detail={url}
          onDone={(result) => {
            setCreated(result);
            void client.invalidateQueries({ queryKey: ["endpoints"] });
          }}
          onClose={() => requesting.reset()}
        />
      )}
      {created && (
        <ShownOnce
          title="Webhook agregado"
          label="Secreto para verificar las firmas"
          value={created.secret}
          onClose={() => navigate(`/webhooks/${created.endpoint.id}`)}
        />
      )}
    </>
  );
}
