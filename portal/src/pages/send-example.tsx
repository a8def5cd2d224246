import { Button, Group, Select, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Endpoint } from "../lib/answers.ts";
import { allEvents } from "../lib/developer-words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { useEndpointChanges } from "./webhook-changes.ts";

/** Sends the example of any type, so that a receiver can be tried before the shop causes a real one. */
export function SendExample({
  endpoint,
  onSent,
  onClose,
}: {
  endpoint: Endpoint;
  onSent: (deliveryId: string) => void;
  onClose: () => void;
}) {
  const [type, setType] = useState(endpoint.event_types[0] ?? "sale.completed");
  const { sendExample } = useEndpointChanges(endpoint.id);
  const sending = useMutation({
    mutationFn: () => sendExample(type),
    onSuccess(deliveryId) {
      onClose();
      onSent(deliveryId);
    },
  });
  return (
    <Dialog onClose={onClose} title="Enviar un ejemplo">
      <Text mb="md">
        Su servidor recibe el evento con los datos de ejemplo de la referencia, firmado como uno real y con la cabecera{" "}
        <span className="mono">Service-Test: true</span>. No queda en Eventos y se intenta una sola vez.
      </Text>
      <Select
        label="Evento"
        allowDeselect={false}
        searchable
        value={type}
        onChange={(value) => setType(value ?? type)}
        data={allEvents.map((event) => ({ value: event.type, label: `${event.title} (${event.type})` }))}
      />
      <ErrorMessage error={sending.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button loading={sending.isPending} onClick={() => sending.mutate()}>
          Enviar el ejemplo
        </Button>
      </Group>
    </Dialog>
  );
}
