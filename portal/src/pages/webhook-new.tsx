import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { Problem, post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { EventChoice } from "../ui/choices.tsx";
import { ConfirmCode } from "../ui/confirm-code.tsx";
import { Heading, Section, Trouble } from "../ui/parts.tsx";
import { plain } from "../ui/plain.ts";
import { ShownOnce } from "../ui/secret.tsx";

export default function NewWebhook() {
  const [, navigate] = useLocation();
  const [url, setUrl] = useState("https://");
  const [types, setTypes] = useState<string[]>(["sale.completed", "invoice.issued"]);
  const [made, setMade] = useState<Result<"webhook_endpoint.create">>();
  const asking = useMutation({
    mutationFn: () => post<RequestedConfirmation>("/webhook-endpoints", { url, event_types: types }),
  });
  const wrongUrl = asking.error instanceof Problem && asking.error.param === "url" ? asking.error : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    asking.mutate();
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
            error={wrongUrl && plain(wrongUrl.message)}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        </Section>
        <Section title="2. ¿De qué quiere enterarse?">
          <EventChoice value={types} onChange={setTypes} />
        </Section>
        {!wrongUrl && <Trouble error={asking.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => navigate("/webhooks")}>
            Cancelar
          </Button>
          <Button type="submit" disabled={types.length === 0} loading={asking.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {asking.data && !made && (
        <ConfirmCode<Result<"webhook_endpoint.create">>
          confirmation={asking.data}
          action="agregar este webhook"
          detail={url}
          onDone={(outcome) => {
            setMade(outcome);
            void client.invalidateQueries({ queryKey: ["endpoints"] });
          }}
          onClose={() => asking.reset()}
        />
      )}
      {made && (
        <ShownOnce
          title="Webhook agregado"
          label="Secreto para verificar las firmas"
          value={made.secret}
          onClose={() => navigate(`/webhooks/${made.endpoint.id}`)}
        />
      )}
    </>
  );
}
