import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { allEvents, eventTitle } from "../lib/developer-words.ts";
import { exactMoment, pesos, plural } from "../lib/format.ts";
import { deliveryStates } from "../lib/words.ts";
import { Copy, Empty, ErrorMessage, Heading, Id, Loading, Section, StateBadge } from "../ui/parts.tsx";

export default function Event({ id }: { id: string }) {
  const event = useQuery({
    queryKey: ["event", id],
    queryFn: ({ signal }) => get<Answer<"GET /events/:id">>(`/events/${id}`, signal),
    refetchInterval: 5_000,
  });
  const back = { to: "/eventos", label: "Eventos" };
  if (event.isPending) return <Loading />;
  if (!event.data) {
    return (
      <>
        <Heading title="Evento" back={back} />
        <ErrorMessage error={event.error} />
      </>
    );
  }
  const { type, created_at, deliveries, body } = event.data;
  const json = JSON.stringify(body, null, 2);
  const { total } = body.data.object;
  return (
    <>
      <Heading title={eventTitle(type)} lead={allEvents.find((one) => one.type === type)?.when} back={back} />
      <Section title="Datos">
        <dl className="facts">
          <dt>Tipo</dt>
          <dd className="mono">{type}</dd>
          <dt>Cuándo</dt>
          <dd>{exactMoment(created_at)}</dd>
          {typeof total === "number" && (
            <>
              <dt>Total</dt>
              <dd>{pesos(total)}</dd>
            </>
          )}
          <dt>Identificador</dt>
          <dd>
            <Id value={id} label="Copiar el identificador del evento" whole />
          </dd>
        </dl>
      </Section>
      <Section title="A qué webhooks fue">
        {deliveries.length === 0 ? (
          <Empty icon="webhook" title="A ninguno">
            Ningún webhook activo pedía este tipo de evento cuando ocurrió.{" "}
            <Link href="/webhooks">Revise sus webhooks</Link>.
          </Empty>
        ) : (
          <table className="rows" aria-label="Entregas del evento">
            <thead>
              <tr>
                <th>Webhook</th>
                <th>Estado</th>
                <th>Intentos</th>
                <th>Entrega</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <tr key={delivery.id}>
                  <td data-label="" className="mono">
                    {delivery.url ?? "Webhook eliminado"}
                  </td>
                  <td data-label="Estado">
                    <StateBadge {...deliveryStates[delivery.state]} />
                  </td>
                  <td data-label="Intentos">{plural(delivery.attempts, "intento", "intentos")}</td>
                  <td data-label="Entrega">
                    <Link href={`/entregas/${delivery.id}`}>Ver la entrega</Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title="JSON" aside={<Copy value={json} label="Copiar el JSON" />}>
        <Group mb="xs">
          <Text size="sm" c="dimmed">
            Como lo devuelve GET /public/v1/events/{"{id}"}.
          </Text>
        </Group>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
        <pre className="code-block" tabIndex={0}>
          {json}
        </pre>
      </Section>
    </>
  );
}
