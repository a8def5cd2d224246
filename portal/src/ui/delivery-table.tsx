import { Group, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Attempt, Delivery } from "../lib/answers.ts";
import { eventTitle } from "../lib/developer-words.ts";
import { ago, duration } from "../lib/format.ts";
import { deliveryStates, failureTitle } from "../lib/words.ts";
import { Id, StateBadge, Time } from "./parts.tsx";

export function DeliveryTable({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <table className="rows" aria-label="Entregas">
      <thead>
        <tr>
          <th>Evento</th>
          <th>Estado</th>
          <th>Último intento</th>
          <th>Cuándo</th>
          <th>Entrega</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id} data-delivery={delivery.id}>
            <td data-label="">
              <Link href={`/entregas/${delivery.id}`}>{eventTitle(delivery.event_type)}</Link>
              <Text size="xs" c="dimmed" component="div" className="mono">
                {delivery.event_type}
              </Text>
            </td>
            <td data-label="Estado">
              <Group gap={6}>
                <StateBadge {...deliveryStates[delivery.state]} />
                {delivery.is_test && delivery.event_type !== "webhook.test" && (
                  <StateBadge title="Prueba" color="gray" />
                )}
              </Group>
            </td>
            <td data-label="Último intento">
              <LastAttempt delivery={delivery} />
            </td>
            <td data-label="Cuándo">
              <Time at={delivery.created_at} />
            </td>
            <td data-label="Entrega" className="wide">
              <Id value={delivery.id} label="Copiar el identificador de la entrega" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastAttempt({ delivery: { attempts, next_attempt_at } }: { delivery: Delivery }) {
  const last = attempts.at(-1);
  return (
    <span>
      {last ? resultOf(last) : "Sin intentos todavía"}
      {last && (
        <Text size="xs" c="dimmed" component="div">
          {duration(last.duration_ms)} · intento {attempts.length}
          {next_attempt_at && ` · sigue ${ago(next_attempt_at)}`}
        </Text>
      )}
    </span>
  );
}

export function resultOf(attempt: Attempt): string {
  if (attempt.failure === null) return `${attempt.status}`;
  if (attempt.failure === "status" || attempt.failure === "redirect") return `Respondió ${attempt.status}`;
  return failureTitle(attempt.failure);
}
