import { Group, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SentRequest as Sent } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { Copy, ErrorMessage, Loading, Section } from "../ui/parts.tsx";

/** The request of an attempt, exactly as the receiver got it. */
export function SentRequest({ deliveryId, attempts }: { deliveryId: string; attempts: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const attempt = chosen ?? String(Math.max(1, attempts));
  const sent = useQuery({
    queryKey: ["request", deliveryId, attempt, attempts > 0],
    queryFn: ({ signal }) => get<Sent>(`/deliveries/${deliveryId}/request?attempt=${attempt}`, signal),
  });
  const { data } = sent;
  const head = data && `${data.method} ${data.url ?? "(webhook eliminado)"}\n${headerLines(data)}`;
  return (
    <Section
      title="La petición exacta"
      lead="Los mismos bytes que recibió su servidor. La firma se calcula sobre el cuerpo tal cual, sin volver a escribir el JSON."
      aside={
        attempts > 1 && (
          <Select
            size="xs"
            w={130}
            aria-label="Intento"
            allowDeselect={false}
            value={attempt}
            onChange={setChosen}
            data={Array.from({ length: attempts }, (_, i) => ({ value: String(i + 1), label: `Intento ${i + 1}` }))}
          />
        )
      }
    >
      <ErrorMessage error={sent.error} />
      {sent.isPending && <Loading />}
      {data && (
        <>
          <Group justify="space-between" mb={4}>
            <Text size="sm" c="dimmed">
              Cabeceras
            </Text>
            <Copy value={head ?? ""} label="Copiar las cabeceras" />
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          <pre className="code-block wraps" tabIndex={0}>
            {head}
          </pre>
          {!data.has_signature && attempts > 0 && (
            <Text size="sm" c="dimmed" mt={4}>
              La firma de este intento se hizo con un secreto que ya no existe.
            </Text>
          )}
          <Group justify="space-between" mb={4} mt="md">
            <Text size="sm" c="dimmed">
              Cuerpo
            </Text>
            <Copy value={data.body} label="Copiar el cuerpo" />
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
          <pre className="code-block wraps" tabIndex={0} data-testid="body">
            {data.body}
          </pre>
        </>
      )}
    </Section>
  );
}

function headerLines({ headers }: Sent): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
