import { Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { plural } from "../lib/format.ts";
import { stepWords, useHideStart, useStart } from "./start.tsx";

/** What is left of the first steps of a business that already sells. */
export function StartCard() {
  const start = useStart();
  const hiding = useHideStart();
  const left = start.data?.steps.filter(({ is_done }) => !is_done) ?? [];
  const [next] = left;
  if (!next || start.data?.is_done || start.data?.is_hidden) return null;
  return (
    <section className="card" aria-label="Empezar" style={{ marginBottom: "1rem" }}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600} component="h2" size="md">
            {left.length === 1 ? "Falta" : "Faltan"} {plural(left.length, "paso", "pasos")} para terminar de empezar
          </Text>
          <Text c="dimmed">Sigue: {stepWords[next.step].title.toLowerCase()}.</Text>
        </div>
        <Group gap="xs">
          <Button component={Link} href="/empezar">
            Continuar
          </Button>
          <Button variant="default" loading={hiding.isPending} onClick={() => hiding.mutate()}>
            Ahora no
          </Button>
        </Group>
      </Group>
    </section>
  );
}
