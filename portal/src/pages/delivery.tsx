import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Attempt, Delivery, Endpoint } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { eventTitle } from "../lib/developer-words.ts";
import { ago, duration, exactMoment, moment } from "../lib/format.ts";
import { client, useEndpoints } from "../lib/queries.ts";
import { deliveryStates, failureTitle } from "../lib/words.ts";
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
  const sending = useMutation({
    mutationFn: (how: "resend" | "retry") => post(`/deliveries/${id}/${how}`),
    onSuccess(_answer, how) {
      notify(how === "resend" ? "La entrega volvió a la cola." : "El intento va en camino.");
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
        <ErrorMessage error={delivery.error} retry={delivery.refetch} />
      </>
    );
  }
  const { event_type, endpoint_id, state, attempts } = delivery.data;
  const endpoint = endpoints.data?.find((one) => one.id === endpoint_id);
  const last = attempts.at(-1);
  const whyNot = whyNotSendable(state, endpoint);
  return (
    <>
      <Heading title={`Entrega de «${eventTitle(event_type)}»`} back={back}>
        {endpoints.data && whyNot === undefined && (
          <Button onClick={() => sending.mutate(state === "pending" ? "retry" : "resend")} loading={sending.isPending}>
            {state === "pending" ? "Reintentar ahora" : "Reenviar"}
          </Button>
        )}
      </Heading>
      {endpoints.data && whyNot !== undefined && (
        <Text c="dimmed" mb="md">
          {whyNot} {endpoint && <Link href={`/webhooks/${endpoint.id}`}>Abrir el webhook</Link>}
        </Text>
      )}
      <ErrorMessage error={sending.error} />
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

/** Why a delivery cannot be sent now; undefined when it can. */
function whyNotSendable(state: Delivery["state"], endpoint: Endpoint | undefined): string | undefined {
  if (!endpoint) return "No se puede enviar de nuevo: su webhook se eliminó. El evento sigue en Eventos.";
  if (endpoint.status === "deactivated") return "Su webhook está desactivado: reactívelo para enviar de nuevo.";
  if (endpoint.status === "paused" && state === "pending")
    return "Su webhook está en pausa: la entrega sale cuando lo reanude.";
  return undefined;
}

function Facts({ delivery, endpoint }: { delivery: Delivery; endpoint: Endpoint | undefined }) {
  const { id, is_test, event_id, endpoint_id, state, next_attempt_at, created_at } = delivery;
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Estado</dt>
        <dd>
          <Group gap="xs">
            <StateBadge {...deliveryStates[state]} />
            {is_test && <StateBadge title="Prueba" color="gray" />}
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
          {is_test ? (
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
