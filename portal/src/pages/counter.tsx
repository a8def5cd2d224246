import { Button, Checkbox, Group, Select, Stack, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { Cashiers } from "./cashiers.tsx";
import { ScaleLabels } from "./scale-labels.tsx";
import { TicketMail } from "./ticket-mail.tsx";

type Settings = Answer<"GET /counter">;
/** A number that is being typed is text until it fits. */
type Typed = Omit<Settings, "tip_percent" | "lock_minutes"> & Record<"tip_percent" | "lock_minutes", number | string>;

export default function Counter() {
  const settings = useQuery({
    queryKey: ["counter"],
    queryFn: ({ signal }) => get<Settings>("/counter", signal),
  });
  return (
    <>
      <Heading title="Mostrador" lead="Lo que dicen sus tiquetes y quién atiende. Las cajas lo reciben en segundos.">
        <Button component="a" href="/caja/" target="_blank" variant="default">
          Abrir la caja en este equipo
        </Button>
      </Heading>
      <ErrorMessage error={settings.error} retry={settings.refetch} />
      {settings.isPending ? <Loading /> : settings.data && <Tickets settings={settings.data} />}
      <TicketMail />
      <Cashiers />
    </>
  );
}

const roundings = [
  { value: "0", label: "No se redondea" },
  { value: "50", label: "A $50" },
  { value: "100", label: "A $100" },
];

function Tickets({ settings }: { settings: Settings }) {
  const notify = useNotify();
  const kept = useDraft<Typed>("counter", settings);
  const { value: draft, change } = kept;
  const saving = useMutation({
    mutationFn: () =>
      put<Settings>("/counter", {
        ...draft,
        tip_percent: draft.tip_percent || 0,
        lock_minutes: draft.lock_minutes || 0,
      }),
    onSuccess() {
      kept.forget();
      notify("Guardado. Las cajas ya lo están recibiendo.");
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Section title="Tiquetes y cobro">
      <form onSubmit={submit}>
        <DraftNotice draft={kept} />
        <Stack gap="md">
          <Textarea
            label="Encabezado del tiquete"
            description="Dirección, teléfono, horario. Va debajo del nombre y el NIT."
            maxLength={500}
            autosize
            value={draft.ticket_header ?? ""}
            onChange={(event) => change({ ticket_header: event.currentTarget.value || null })}
          />
          <Textarea
            label="Pie del tiquete"
            description="Cambios y devoluciones, gracias, redes."
            maxLength={500}
            autosize
            value={draft.ticket_footer ?? ""}
            onChange={(event) => change({ ticket_footer: event.currentTarget.value || null })}
          />
          <Group grow align="flex-start">
            <Select
              label="Redondeo del efectivo"
              data={roundings}
              allowDeselect={false}
              value={String(draft.cash_rounding)}
              onChange={(value) => change({ cash_rounding: Number(value) as Settings["cash_rounding"] })}
            />
            <NumberField
              label="Propina que se pregunta (%)"
              description="0 si no se pregunta, 10 a lo más. Nunca se cobra sola."
              min={0}
              max={10}
              value={draft.tip_percent}
              onChange={(tip_percent) => change({ tip_percent })}
            />
            <NumberField
              label="Bloquear la pantalla a los (minutos)"
              description="Sin tocarla. Pide el PIN y guarda el tiquete. 0 para no bloquear."
              min={0}
              max={240}
              value={draft.lock_minutes}
              onChange={(lock_minutes) => change({ lock_minutes })}
            />
          </Group>
          <Checkbox
            label="Cierre a ciegas: quien cuenta el cajón no ve cuánto se espera"
            checked={draft.blind_count}
            onChange={(event) => change({ blind_count: event.currentTarget.checked })}
          />
          <ScaleLabels formats={draft.scale_labels} onChange={(scale_labels) => change({ scale_labels })} />
          <ErrorMessage error={saving.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              Guardar
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
