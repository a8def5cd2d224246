import { Stack } from "@mantine/core";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { EventChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { Heading, Section } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";

const empty = { url: "https://", name: "", event_types: ["sale.completed", "invoice.issued"] };

const fields: Field<"POST /webhook-endpoints", typeof empty>[] = [
  {
    name: "url",
    label: "URL de su servidor",
    description: "Pública, con https:// y en el puerto 443. No se siguen redirecciones.",
    placeholder: "https://ejemplo.com.co/webhooks",
    type: "url",
    required: true,
  },
  {
    name: "name",
    label: "Nombre (opcional)",
    description: "Para reconocerlo en las listas, por ejemplo el sistema que lo recibe.",
    placeholder: "Contabilidad",
  },
];

export default function NewWebhook() {
  const [, navigate] = useLocation();
  const showOnce = useShowOnce();
  const form = useForm("POST /webhook-endpoints", {
    draft: "webhook-new",
    start: empty,
    fieldless: ["event_types"],
    send: ({ name, ...values }) =>
      post<RequestedConfirmation>("/webhook-endpoints", {
        ...values,
        ...(name.trim() !== "" && { name: name.trim() }),
      }),
  });
  const { url, event_types } = form.values;
  function showSecret({ endpoint, secret }: Result<"webhook_endpoint.create">) {
    form.draft.forget();
    form.again();
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
      <FormFrame
        form={form}
        action="Continuar"
        isReady={event_types.length > 0}
        onCancel={() => navigate("/webhooks")}
        mt={0}
      >
        <Section title="1. ¿A qué dirección?">
          <Stack gap="md">
            <Fields form={form} fields={fields} />
          </Stack>
        </Section>
        <Section title="2. ¿De qué quiere enterarse?">
          <EventChoice value={event_types} onChange={(chosen) => form.change({ event_types: chosen })} />
        </Section>
      </FormFrame>
      {form.answer && (
        <CodeDialog<Result<"webhook_endpoint.create">>
          confirmation={form.answer}
          action="agregar este webhook"
          detail={url}
          onDone={showSecret}
          onClose={form.again}
        />
      )}
    </>
  );
}
