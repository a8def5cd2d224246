import { Switch, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading, Section, Time } from "../ui/parts.tsx";

type Mailing = Answer<"GET /ticket-mail">;

/** Whether cashiers may mail tickets, and how many go a day. */
export function TicketMail() {
  const notify = useNotify();
  const mailing = useQuery({
    queryKey: ["ticket-mail"],
    queryFn: ({ signal }) => get<Mailing>("/ticket-mail", signal),
  });
  const saving = useMutation({
    mutationFn: (active: boolean) => put<Mailing>("/ticket-mail", { active }),
    onSuccess(saved) {
      client.setQueryData(["ticket-mail"], saved);
      notify(saved.active ? "Los tiquetes se envían por correo." : "Los tiquetes ya no se envían por correo.");
    },
  });
  return (
    <Section
      title="Tiquetes por correo"
      lead="En la caja, «Por correo» envía el tiquete a quien lo pida. Cada correo dice cómo no recibir más, y a quien lo elija no le vuelve a llegar ninguno."
    >
      <ErrorMessage error={mailing.error ?? saving.error} />
      {mailing.isPending && <Loading />}
      {mailing.data && (
        <>
          <Switch
            label="Enviar tiquetes por correo"
            checked={mailing.data.active && mailing.data.is_allowed}
            disabled={!mailing.data.is_allowed || saving.isPending}
            onChange={(event) => saving.mutate(event.currentTarget.checked)}
          />
          <Text size="sm" c="dimmed" mt="xs">
            <Limit mailing={mailing.data} />
          </Text>
        </>
      )}
    </Section>
  );
}

function Limit({ mailing: { is_allowed, per_day, new_until } }: { mailing: Mailing }) {
  if (!is_allowed) return "Quien administra su Mostrador los tiene apagados: escríbale si los necesita.";
  if (new_until === null) return `Hasta ${per_day} al día.`;
  return (
    <>
      Su negocio es nuevo: hasta {per_day} al día, y más desde <Time at={new_until} />
    </>
  );
}
