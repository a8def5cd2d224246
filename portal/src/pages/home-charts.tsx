import { SimpleGrid } from "@mantine/core";
import type { Figures } from "../lib/answers.ts";
import { AttemptsChart, EventsChart, LatencyChart } from "../ui/chart.tsx";
import { Section } from "../ui/parts.tsx";

/** Loaded separately: the chart library is larger than the rest of the portal. */
export default function HomeCharts({ figures }: { figures: Figures }) {
  return (
    <>
      <Section title="Intentos de entrega">
        <AttemptsChart figures={figures} />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Section title="Eventos">
          <EventsChart figures={figures} />
        </Section>
        <Section title="Latencia de las entregas">
          <LatencyChart figures={figures} />
        </Section>
      </SimpleGrid>
    </>
  );
}
