import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Section } from "../ui/parts.tsx";

type Settings = Answer<"GET /security-settings">;

/** What an owner demands of whoever works in the business. */
export function SecurityDemands() {
  const settings = useQuery({
    queryKey: ["security-settings"],
    queryFn: ({ signal }) => get<Settings>("/security-settings", signal),
  });
  return (
    <Section title="Lo que se exige en el negocio">
      <ErrorMessage error={settings.error} retry={settings.refetch} />
      {settings.data && <DemandsForm key={JSON.stringify(settings.data)} settings={settings.data} />}
    </Section>
  );
}

function DemandsForm({ settings }: { settings: Settings }) {
  const notify = useNotify();
  const form = useForm("PUT /security-settings", {
    start: {
      demands_second_step: settings.demands_second_step,
      refund_step_up_above: (settings.refund_step_up_above ?? "") as number | string,
    },
    send: ({ demands_second_step, refund_step_up_above: above }) =>
      put<Settings>("/security-settings", {
        demands_second_step,
        refund_step_up_above: above === "" ? null : Number(above),
      }),
    onSent(saved) {
      client.setQueryData(["security-settings"], saved);
      notify("Guardado.");
      return client.invalidateQueries({ queryKey: ["session"] });
    },
  });
  return (
    <FormFrame form={form} action="Guardar" button={{ variant: "default" }} justify="flex-start" mt="md">
      <Stack gap="md" maw="28rem">
        <Fields
          form={form}
          fields={[
            {
              as: "check",
              name: "demands_second_step",
              label: "Exigir un segundo paso a todas las personas",
              description: "Quien no tenga uno lo agrega al entrar, antes de ver cualquier otra cosa.",
            },
            {
              as: "number",
              name: "refund_step_up_above",
              label: "Pedirlo otra vez en devoluciones de más de",
              description: "En pesos. Vacío, no se pide.",
              prefix: "$ ",
            },
          ]}
        />
      </Stack>
    </FormFrame>
  );
}
