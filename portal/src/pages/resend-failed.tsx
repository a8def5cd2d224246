import { Alert, Button, Group, Progress, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, post, query } from "../lib/api.ts";
import { fromTyped, number, plural, toLocal } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** Resends a period's failed deliveries: first shows how many there are, then the progress. */
export function ResendFailed({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const path = `/webhook-endpoints/${endpointId}`;
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - 24 * 3_600_000)));
  const [until, setUntil] = useState(() => toLocal(new Date(Date.now() + 60_000)));
  const [first, last] = [fromTyped(since), fromTyped(until)];
  const period = first && last && first < last ? { since: first, until: last } : undefined;
  const isPeriod = period !== undefined;
  const count = useQuery({
    queryKey: ["failed-count", endpointId, since, until],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/failed-count">>(`${path}/failed-count${query(period ?? {})}`, signal),
    enabled: isPeriod,
  });
  const starting = useMutation({
    mutationFn: () => post<Answer<"POST /webhook-endpoints/:id/resends">>(`${path}/resends`, period),
  });
  const progress = useQuery({
    queryKey: ["resend", starting.data?.id],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/resends/:resend_id">>(`${path}/resends/${starting.data?.id}`, signal),
    enabled: starting.data !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === "running" || !state.data ? 700 : false),
  });
  const now = progress.data ?? starting.data;
  function close() {
    void client.invalidateQueries({ queryKey: ["list", `${path}/deliveries`] });
    onClose();
  }
  return (
    <Dialog onClose={close} title="Reenviar las entregas fallidas" size="lg">
      {now ? (
        <>
          <Text mb="xs" aria-live="polite">
            {now.state === "running" && `Poniendo en cola: ${number(now.resent)} de ${number(now.total)}…`}
            {now.state === "done" &&
              `Listo: ${plural(now.resent, "entrega volvió", "entregas volvieron")} a la cola. Su resultado aparece en la lista.`}
            {now.state === "stopped" && "El reenvío se detuvo: el webhook está desactivado o se eliminó."}
          </Text>
          <Progress
            value={now.total === 0 ? 100 : (now.resent / now.total) * 100}
            aria-label="Avance del reenvío"
            animated={now.state === "running"}
          />
          <ErrorMessage error={progress.error} />
          <Group justify="flex-end" mt="lg">
            <Button onClick={close}>Cerrar</Button>
          </Group>
        </>
      ) : (
        <>
          <Text c="dimmed" mb="sm">
            Elija el periodo, en hora de Colombia. Su servidor reconoce las repetidas por el identificador del evento.
          </Text>
          <Group grow align="flex-start">
            <TextInput
              label="Desde"
              type="datetime-local"
              value={since}
              onChange={(e) => setSince(e.currentTarget.value)}
            />
            <TextInput
              label="Hasta"
              type="datetime-local"
              value={until}
              onChange={(e) => setUntil(e.currentTarget.value)}
              error={isPeriod ? undefined : "Debe ser posterior al comienzo."}
            />
          </Group>
          <Alert color="gray" variant="light" mt="md" aria-live="polite">
            {count.data
              ? count.data.count === 0
                ? "No hay entregas fallidas en este periodo."
                : `${plural(count.data.count, "entrega fallida se reenviará", "entregas fallidas se reenviarán")}.`
              : "Contando…"}
          </Alert>
          <ErrorMessage error={count.error ?? starting.error} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              Cancelar
            </Button>
            <Button
              disabled={!count.data || count.data.count === 0}
              loading={starting.isPending}
              onClick={() => starting.mutate()}
            >
              {count.data?.count ? `Reenviar ${number(count.data.count)}` : "Reenviar"}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
