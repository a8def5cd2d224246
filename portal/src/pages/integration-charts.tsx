import { SimpleGrid } from "@mantine/core";
import type { Figures } from "../lib/answers.ts";
import { AttemptsChart, attemptsText, EventsChart, LatencyChart } from "../ui/chart.tsx";
import { Section } from "../ui/parts.tsx";

/** Loaded separately: the chart library is larger than the rest of the portal. What did not happen has no chart. */
export default function IntegrationCharts({ figures }: { figures: Figures }) {
  const { events, success_rate, p50_ms } = figures.totals;
  return (
    <>
      {success_rate !== null && (
        <Section title="Intentos de entrega" lead={attemptsText(figures)}>
          <AttemptsChart figures={figures} />
        </Section>
      )}
      <SimpleGrid cols={{ base: 1, md: p50_ms === null || events === 0 ? 1 : 2 }} spacing="md">
        {events > 0 && (
          <Section title="Eventos">
            <EventsChart figures={figures} />
          </Section>
        )}
        {p50_ms !== null && (
          <Section title="Cuánto tarda su servidor">
            <LatencyChart figures={figures} />
          </Section>
        )}
      </SimpleGrid>
    </>
  );
}
