import { Alert, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Delivery } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { eventTitle } from "../lib/developer-words.ts";
import { duration } from "../lib/format.ts";
import { failureTitle } from "../lib/words.ts";
import { resultOf } from "../ui/delivery-table.tsx";
import { Icon } from "../ui/icons.tsx";

/** What the receiver answered to a test, beside the button that sent it. */
export function TestResult({ deliveryId }: { deliveryId: string }) {
  const delivery = useQuery({
    queryKey: ["delivery", deliveryId],
    queryFn: ({ signal }) => get<Delivery>(`/deliveries/${deliveryId}`, signal),
    refetchInterval: ({ state }) => (state.data && state.data.state !== "pending" ? false : 700),
  });
  const last = delivery.data?.attempts.at(-1);
  const title = delivery.data ? eventTitle(delivery.data.event_type) : "Evento de prueba";
  const details = <Link href={`/entregas/${deliveryId}`}>Ver la petición exacta</Link>;
  return (
    <div role="status">
      {!last && (
        <Alert color="gray" variant="light" mb="md" icon={<Loader size="xs" />} title={`${title}: en camino`}>
          Su servidor tiene 10 segundos para responder.
        </Alert>
      )}
      {last && last.failure === null && (
        <Alert
          variant="light"
          mb="md"
          icon={<Icon name="check" />}
          title={`${title}: llegó. Su servidor respondió ${last.status} en ${duration(last.duration_ms)}`}
        >
          {details}
        </Alert>
      )}
      {last && last.failure !== null && (
        <Alert
          color="red"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title={`${title}: no llegó. ${resultOf(last)}${last.failure === "status" ? "" : ` (${failureTitle(last.failure)})`}`}
        >
          <Text size="sm">{last.hint}</Text>
          {details}
        </Alert>
      )}
    </div>
  );
}
