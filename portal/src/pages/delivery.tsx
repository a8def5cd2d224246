import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Attempt, Delivery, Endpoint } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { ago, duration, exactMoment, moment } from "../lib/format.ts";
import { client, useEndpoints } from "../lib/queries.ts";
import { deliveryStates, eventTitle, failureTitle } from "../lib/words.ts";
import { resultOf } from "../ui/delivery-table.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Copy, ErrorMessage, Heading, Id, Loading, Section, StateBadge } from "../ui/parts.tsx";
import { SentRequest } from "./sent-request.tsx";

export default function DeliveryPage({ id }: { id: string }) {
  const notify = useNotify();
  const endpoints = useEndpoints();
  const delivery = useQuery({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => get<Delivery>(`/deliveries/${id}`, signal),
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? 1_500 : 5_000),
  });
  const resending = useMutation({
    mutationFn: () => post(`/deliveries/${id}/resend`),
    onSuccess() {
      notify("La entrega volvió a la cola.");
      return client.invalidateQueries({ queryKey: ["delivery", id] });
    },
  });
  const back = {
    to: delivery.data ? `/entregas?endpoint=${delivery.data.endpoint_id}` : "/entregas",
    label: "Entregas",
  };
  if (delivery.isPending) return <Loading />;
  if (!delivery.data) {
    return (
      <>
        <Heading title="Entrega" back={back} />
        <ErrorMessage error={delivery.error} />
      </>
    );
  }
  const { event_type, endpoint_id, state, attempts } = delivery.data;
  const endpoint = endpoints.data?.find((one) => one.id === endpoint_id);
  const last = attempts.at(-1);
  return (
    <>
      <Heading title={`Entrega de «${eventTitle(event_type)}»`} back={back}>
        <Button
          onClick={() => resending.mutate()}
          loading={resending.isPending}
          disabled={state === "pending" || !endpoint || endpoint.status === "deactivated"}
        >
          Reenviar
        </Button>
      </Heading>
      <ErrorMessage error={resending.error} />
      {last?.hint && (
        <Alert
          color="red"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title={failureTitle(last.failure ?? "")}
        >
          {last.hint}
        </Alert>
      )}
      <Facts delivery={delivery.data} endpoint={endpoint} />
      <Attempts attempts={attempts} />
      <SentRequest deliveryId={id} attempts={attempts.length} />
    </>
  );
}

function Facts({ delivery, endpoint }: { delivery: Delivery; endpoint: Endpoint | undefined }) {
  const { id, event_type, event_id, endpoint_id, state, next_attempt_at, created_at } = delivery;
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Estado</dt>
        <dd>
          <Group gap="xs">
            <StateBadge {...deliveryStates[state]} />
            {next_attempt_at && (
              <Text size="sm" c="dimmed">
                Próximo intento {ago(next_attempt_at)} ({moment(next_attempt_at)})
              </Text>
            )}
          </Group>
        </dd>
        <dt>Webhook</dt>
        <dd className="mono">
          {endpoint ? <Link href={`/webhooks/${endpoint_id}`}>{endpoint.url}</Link> : "Ya no existe"}
        </dd>
        <dt>Evento</dt>
        <dd>
          {event_type === "webhook.test" ? (
            <Id value={event_id} label="Copiar el identificador del evento" whole />
          ) : (
            <Group gap={4} wrap="nowrap">
              <Link href={`/eventos/${event_id}`} className="mono">
                {event_id}
              </Link>
              <Copy value={event_id} label="Copiar el identificador del evento" />
            </Group>
          )}
        </dd>
        <dt>Service-Delivery-Id</dt>
        <dd>
          <Id value={id} label="Copiar el identificador de la entrega" whole />
        </dd>
        <dt>Creada</dt>
        <dd>{exactMoment(created_at)}</dd>
      </dl>
    </Section>
  );
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  return (
    <Section title="Intentos">
      {attempts.length === 0 ? (
        <Text c="dimmed">Todavía no se ha intentado.</Text>
      ) : (
        <ol className="attempts">
          {attempts.map((attempt, i) => (
            <li
              key={attempt.at}
              style={
                { "--dot": `var(--mantine-color-${attempt.failure ? "red-6" : "verde-6"})` } as React.CSSProperties
              }
            >
              <Group gap="sm">
                <Text fw={600}>
                  Intento {i + 1}: {resultOf(attempt)}
                </Text>
                {attempt.failure && <StateBadge title={failureTitle(attempt.failure)} color="red" />}
              </Group>
              <Text size="sm" c="dimmed">
                {exactMoment(attempt.at)} · {duration(attempt.duration_ms)}
                {attempt.remote_address && ` · ${attempt.remote_address}`}
              </Text>
              {attempt.hint && (
                <Text size="sm" mt={4}>
                  {attempt.hint}
                </Text>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
