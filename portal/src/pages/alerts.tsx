import { Box, Group, NumberInput, Switch, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { Changeable } from "../ui/changeable.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Empty, ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";

type Alert = Answer<"GET /alerts">["data"][number];

const key = ["alerts"];

export default function Alerts() {
  const alerts = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Answer<"GET /alerts">>("/alerts", signal),
  });
  const all = alerts.data?.data ?? [];
  return (
    <>
      <Heading
        title="Alertas"
        lead="Lo que usted quiere saber por correo; los demás escogen lo suyo. Cada cosa se avisa una vez, y lo que pase en una hora va en un solo correo."
      />
      <ErrorMessage error={alerts.error} retry={alerts.refetch} />
      {alerts.isPending && <Loading />}
      {alerts.data && all.length === 0 && (
        <Empty icon="alert" title="Nada que avisar">
          Con su rol no hay alertas. Si necesita alguna, pídale a un dueño que le dé el permiso.
        </Empty>
      )}
      {all.length > 0 && (
        <Section title="Avisarme por correo">
          <ul className="quiet-list alert-list">
            {all.map((alert) => (
              <Choice key={alert.kind} alert={alert} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Choice({ alert }: { alert: Alert }) {
  const notify = useNotify();
  const saving = useMutation({
    mutationFn: ({ active, amount, from_hour, to_hour }: Alert) =>
      put<Alert>(`/alerts/${alert.kind}`, { active, amount, from_hour, to_hour }),
    async onSuccess() {
      notify("Guardado.");
      await client.invalidateQueries({ queryKey: key });
    },
  });
  const save = (change: Partial<Alert>) => saving.mutate({ ...alert, ...change });
  const { active, amount, from_hour, to_hour, wait_minutes } = alert;
  return (
    <li>
      <Switch
        label={alert.title}
        description={alert.text}
        labelPosition="left"
        styles={{ body: { justifyContent: "space-between" } }}
        aria-label={`Avisarme por correo: ${alert.title}`}
        checked={active}
        disabled={saving.isPending}
        onChange={(event) => save({ active: event.currentTarget.checked })}
      />
      {wait_minutes !== null && <OrderWait minutes={wait_minutes} />}
      {active && amount !== null && (
        <NumberInput
          mt="sm"
          maw="16rem"
          label="Desde cuántos pesos"
          thousandSeparator="."
          decimalSeparator=","
          min={1}
          allowDecimal={false}
          allowNegative={false}
          defaultValue={amount}
          onBlur={(event) => {
            const typed = Number(event.currentTarget.value.replace(/\D/g, ""));
            if (typed > 0 && typed !== amount) save({ amount: typed });
          }}
        />
      )}
      {active && from_hour !== null && to_hour !== null && (
        <Group mt="sm" gap="sm">
          <Hour label="Abre a las" value={from_hour} onSet={(hour) => save({ from_hour: hour })} />
          <Hour label="Cierra a las" value={to_hour} onSet={(hour) => save({ to_hour: hour })} />
          <Text size="sm" c="dimmed">
            Hora de Colombia, de 0 a 24.
          </Text>
        </Group>
      )}
      <ErrorMessage error={saving.error} />
    </li>
  );
}

/** One for all: what waits too long stands in everybody's bell. */
function OrderWait({ minutes }: { minutes: number }) {
  const notify = useNotify();
  const saving = useMutation({
    mutationFn: (wait_minutes: number) => put("/order-settings", { wait_minutes }),
    async onSuccess() {
      notify("Guardado para todo el negocio.");
      await client.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Box mt="sm">
      <Changeable to="settings:write">
        <NumberInput
          maw="16rem"
          label="Después de cuántos minutos"
          description="Vale para todo el negocio."
          min={1}
          max={1440}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          defaultValue={minutes}
          onBlur={(event) => {
            const typed = Number(event.currentTarget.value);
            if (typed > 0 && typed !== minutes) saving.mutate(typed);
          }}
        />
      </Changeable>
      <ErrorMessage error={saving.error} />
    </Box>
  );
}

function Hour({ label, value, onSet }: { label: string; value: number; onSet: (hour: number) => void }) {
  return (
    <NumberInput
      maw="8rem"
      label={label}
      min={0}
      max={24}
      allowDecimal={false}
      defaultValue={value}
      onBlur={(event) => {
        const typed = event.currentTarget.value === "" ? value : Number(event.currentTarget.value);
        if (typed !== value) onSet(typed);
      }}
    />
  );
}
