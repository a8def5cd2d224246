import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { useMay } from "../lib/queries.ts";
import { Changeable } from "../ui/changeable.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { Cashiers } from "./cashiers.tsx";
import { ScaleLabels } from "./scale-labels.tsx";
import { TicketMail } from "./ticket-mail.tsx";

type Settings = Answer<"GET /counter">;
/** A number that is being typed is text until it fits. */
type Typed = Omit<Settings, "tip_percent" | "lock_minutes"> & Record<"tip_percent" | "lock_minutes", number | string>;

export default function Counter() {
  const mayLook = useMay()("settings:read");
  return (
    <>
      <Heading title="Mostrador" lead="Lo que dicen sus tiquetes y quién atiende. Las cajas lo reciben en segundos.">
        <Button component="a" href="/caja/" target="_blank" variant="default">
          Abrir la caja en este equipo
        </Button>
      </Heading>
      {mayLook && (
        <Changeable to="settings:write">
          <TicketSettings />
          <TicketMail />
        </Changeable>
      )}
      <Cashiers />
    </>
  );
}

function TicketSettings() {
  const settings = useQuery({
    queryKey: ["counter"],
    queryFn: ({ signal }) => get<Settings>("/counter", signal),
  });
  return (
    <>
      <ErrorMessage error={settings.error} retry={settings.refetch} />
      {settings.isPending ? <Loading /> : settings.data && <Tickets settings={settings.data} />}
    </>
  );
}

const roundings = [
  { value: "0", label: "No se redondea" },
  { value: "50", label: "A $50" },
  { value: "100", label: "A $100" },
];

type CounterField = Field<"PUT /counter", ReturnType<typeof startOf>>;

const startOf = ({ ticket_header, ticket_footer, cash_rounding, ...settings }: Settings) => ({
  ...(settings as Typed),
  ticket_header: ticket_header ?? "",
  ticket_footer: ticket_footer ?? "",
  cash_rounding: String(cash_rounding),
});

function Tickets({ settings }: { settings: Settings }) {
  const notify = useNotify();
  const form = useForm("PUT /counter", {
    draft: "counter",
    start: startOf(settings),
    fieldless: ["scale_labels"],
    send: (values) =>
      put<Settings>("/counter", {
        ...values,
        ticket_header: values.ticket_header || null,
        ticket_footer: values.ticket_footer || null,
        cash_rounding: Number(values.cash_rounding),
        tip_percent: values.tip_percent || 0,
        lock_minutes: values.lock_minutes || 0,
      }),
    onSent: () => notify("Guardado. Las cajas ya lo están recibiendo."),
  });
  return (
    <Section title="Tiquetes y cobro">
      <FormFrame form={form} action="Guardar" mt="md">
        <Stack gap="md">
          <Fields form={form} fields={ticket} />
          <Group grow align="flex-end">
            {charging.map((field) => (
              <Fields key={field.name} form={form} fields={[field]} />
            ))}
          </Group>
          <Fields
            form={form}
            fields={[
              {
                as: "check",
                name: "blind_count",
                label: "Cierre a ciegas: quien cuenta el cajón no ve cuánto se espera",
              },
            ]}
          />
          <ScaleLabels formats={form.values.scale_labels} onChange={(scale_labels) => form.change({ scale_labels })} />
        </Stack>
      </FormFrame>
    </Section>
  );
}

const ticket: CounterField[] = [
  {
    as: "long",
    name: "ticket_header",
    label: "Encabezado del tiquete",
    description: "Dirección, teléfono, horario. Va debajo del nombre y el NIT.",
  },
  {
    as: "long",
    name: "ticket_footer",
    label: "Pie del tiquete",
    description: "Cambios y devoluciones, gracias, redes.",
  },
];

const charging: CounterField[] = [
  { as: "choice", name: "cash_rounding", label: "Redondeo del efectivo", data: roundings },
  {
    as: "number",
    name: "tip_percent",
    label: "Propina que se pregunta (%)",
    description: "0 si no se pregunta, 10 a lo más. Nunca se cobra sola.",
  },
  {
    as: "number",
    name: "lock_minutes",
    label: "Bloquear la pantalla a los (minutos)",
    description: "Sin tocarla. Pide el PIN y guarda el tiquete. 0 para no bloquear.",
  },
];
