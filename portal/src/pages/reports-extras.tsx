import { Button, Group, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, put, query } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useSede } from "../lib/sedes.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Section } from "../ui/parts.tsx";

/** What the accountant books for one day. */
export function Journal({ day: last }: { day: string }) {
  const [chosen, setChosen] = useState<string>();
  const day = chosen || last;
  const { id: location_id } = useSede();
  return (
    <Section title="Para el contador" lead="El comprobante de un día, con sus ventas, medios de pago e impuestos.">
      <Group align="flex-end" gap="sm">
        <TextInput label="Día" type="date" value={day} onChange={(event) => setChosen(event.currentTarget.value)} />
        <Button
          component="a"
          href={fileAddress(`/days/${day}/journal.csv${query({ location_id })}`)}
          download
          variant="default"
          leftSection={<Icon name="download" size={18} />}
        >
          Comprobante (CSV)
        </Button>
        <Button
          component="a"
          href={fileAddress(`/days/${day}/z.pdf${query({ location_id })}`)}
          target="_blank"
          variant="default"
          leftSection={<Icon name="print" size={18} />}
        >
          Z del día (PDF)
        </Button>
      </Group>
    </Section>
  );
}

const key = ["weekly-summary"];
type Weekly = Answer<"GET /reports/weekly-summary">;

export function WeeklySummary() {
  const notify = useNotify();
  const setting = useQuery({ queryKey: key, queryFn: ({ signal }) => get<Weekly>("/reports/weekly-summary", signal) });
  const saving = useMutation({
    mutationFn: (active: boolean) => put<Weekly>("/reports/weekly-summary", { active }),
    onSuccess(saved) {
      client.setQueryData(key, saved);
      notify(saved.active ? "El resumen le llegará los lunes." : "Ya no le llegará el resumen.");
    },
  });
  const isActive = setting.data?.active ?? false;
  return (
    <Section
      title="Resumen semanal"
      lead={
        isActive
          ? "Cada lunes a las 7 de la mañana le llega al correo de la cuenta lo vendido la semana anterior."
          : "Reciba cada lunes, en el correo de la cuenta, lo vendido la semana anterior."
      }
    >
      <ErrorMessage error={setting.error ?? saving.error} />
      <Button
        variant="default"
        leftSection={<Icon name="mail" size={18} />}
        disabled={!setting.data}
        loading={saving.isPending}
        onClick={() => saving.mutate(!isActive)}
      >
        {isActive ? "Dejar de recibirlo" : "Recibirlo los lunes"}
      </Button>
    </Section>
  );
}
