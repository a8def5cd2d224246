import { Alert, Button, Checkbox, Group, Progress, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, post, query } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { fromTyped, number, plural, toLocal } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

type Resend = Answer<"POST /webhook-endpoints/:id/resends">;

/** Sends again what a period's deliveries left undone: first how many there are, then the progress, which can be stopped. */
export function Recover({ endpointId, since, onClose }: { endpointId: string; since?: string; onClose: () => void }) {
  const path = `/webhook-endpoints/${endpointId}`;
  const [started, setStarted] = useState<Resend>();
  function close() {
    void client.invalidateQueries({ queryKey: ["list", `${path}/deliveries`] });
    onClose();
  }
  return (
    <Dialog onClose={close} title="Recuperar entregas" size="lg">
      {started ? (
        <Running path={path} started={started} onClose={close} />
      ) : (
        <Choice path={path} since={since} onStarted={setStarted} onClose={close} />
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  path: string;
  since: string | undefined;
  onStarted: (started: Resend) => void;
  onClose: () => void;
}

function Choice({ path, since: wanted, onStarted, onClose }: ChoiceProps) {
  const form = useForm("POST /webhook-endpoints/:id/resends", {
    draft: `recover ${path}`,
    start: {
      since: toLocal(new Date(wanted ?? Date.now() - 24 * 3_600_000)),
      until: toLocal(new Date(Date.now() + 60_000)),
      states: ["failed", "dropped"],
    },
    fieldless: ["since", "until", "states"],
    send: ({ states }) => post<Resend>(`${path}/resends`, { ...period, states }),
    onSent: onStarted,
  });
  const { since, until, states } = form.values;
  const [first, last] = [fromTyped(since), fromTyped(until)];
  const period: { since: string; until: string } | undefined =
    first && last && first < last ? { since: first, until: last } : undefined;
  const count = useQuery({
    queryKey: ["failed-count", path, since, until],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/failed-count">>(`${path}/failed-count${query(period ?? {})}`, signal),
    enabled: period !== undefined,
  });
  const total = count.data
    ? (states.includes("failed") ? count.data.failed : 0) + (states.includes("dropped") ? count.data.dropped : 0)
    : undefined;
  return (
    <FormFrame
      form={form}
      action={total ? `Recuperar ${number(total)}` : "Recuperar"}
      error={count.error ?? form.problem}
      isReady={Boolean(total)}
      onCancel={onClose}
    >
      <Text c="dimmed" mb="sm">
        Elija el periodo, en hora de Colombia. Su servidor reconoce las repetidas por el identificador del evento.
      </Text>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Fields
          form={form}
          fields={[
            { name: "since", label: "Desde", type: "datetime-local", miw: 220 },
            {
              name: "until",
              label: "Hasta",
              type: "datetime-local",
              miw: 220,
              error: !period && "Debe ser posterior al comienzo.",
            },
          ]}
        />
      </Group>
      <States count={count.data} value={states} onChange={(chosen) => form.change({ states: chosen })} />
      <Alert color="gray" variant="light" mt="md" aria-live="polite">
        {total === undefined
          ? "Contando…"
          : total === 0
            ? "No hay entregas por recuperar en este periodo."
            : `${plural(total, "entrega se reenviará", "entregas se reenviarán")}.`}
      </Alert>
    </FormFrame>
  );
}

function States(props: {
  count: Answer<"GET /webhook-endpoints/:id/failed-count"> | undefined;
  value: string[];
  onChange: (states: string[]) => void;
}) {
  const { count, value, onChange } = props;
  return (
    <Checkbox.Group value={value} onChange={onChange} label="Cuáles" mt="md">
      <Stack gap="xs" mt={4}>
        <Checkbox
          value="failed"
          label={`Fallidas${count ? `: ${number(count.failed)}` : ""}`}
          description="Se intentaron ocho veces y ninguna llegó, o eran pruebas."
        />
        <Checkbox
          value="dropped"
          label={`Descartadas${count ? `: ${number(count.dropped)}` : ""}`}
          description="Estaban pendientes cuando el webhook se desactivó o cambió el plan."
        />
      </Stack>
    </Checkbox.Group>
  );
}

function Running({ path, started, onClose }: { path: string; started: Resend; onClose: () => void }) {
  const key = ["resend", started.id];
  const progress = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Resend>(`${path}/resends/${started.id}`, signal),
    initialData: started,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? 700 : false),
  });
  const stopping = useMutation({
    mutationFn: () => post<Resend>(`${path}/resends/${started.id}/stop`),
    onSuccess: (stopped) => client.setQueryData(key, stopped),
  });
  const now = progress.data;
  return (
    <>
      <Text mb="xs" aria-live="polite">
        {progressText(now)}
      </Text>
      <Progress
        value={now.total === 0 ? 100 : (now.resent / now.total) * 100}
        aria-label="Avance de la recuperación"
        animated={now.state === "running"}
      />
      <ErrorMessage error={progress.error ?? stopping.error} />
      <Group justify="flex-end" mt="lg">
        {now.state === "running" && (
          <Button variant="default" loading={stopping.isPending} onClick={() => stopping.mutate()}>
            Detener
          </Button>
        )}
        <Button onClick={onClose}>Cerrar</Button>
      </Group>
    </>
  );
}

function progressText({ state, resent, total }: Resend): string {
  const back = plural(resent, "entrega volvió", "entregas volvieron");
  switch (state) {
    case "running":
      return `Poniendo en cola: ${number(resent)} de ${number(total)}…`;
    case "done":
      return `Listo: ${back} a la cola. Su resultado aparece en la lista.`;
    case "cancelled":
      return `Detenido: ${back} a la cola; las demás quedan como estaban.`;
    case "stopped":
      return `Se detuvo porque el webhook está desactivado o se eliminó: ${back} a la cola.`;
  }
}
