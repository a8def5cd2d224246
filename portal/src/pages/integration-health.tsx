import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Figures } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { AttemptsChart, attemptsText, LatencyChart } from "../ui/chart.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";
import { PeriodSwitch, usePeriod } from "../ui/period-switch.tsx";

/** How the attempts at all endpoints went, in the hour they were made. Loaded separately: the chart library is large. */
export default function IntegrationHealth() {
  const period = usePeriod();
  const figures = useQuery({
    queryKey: ["overview", period],
    queryFn: ({ signal }) => get<Figures>(`/overview?period=${period}`, signal),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  return (
    <div style={{ marginTop: "1rem" }}>
      <ErrorMessage error={figures.error} retry={figures.refetch} />
      {figures.isPending && <Loading />}
      {figures.data && (
        <Section title="Intentos de entrega" lead={attemptsText(figures.data)} aside={<PeriodSwitch size="xs" />}>
          <AttemptsChart figures={figures.data} />
        </Section>
      )}
      {figures.data && figures.data.totals.p50_ms !== null && (
        <Section title="Cuánto tarda su servidor">
          <LatencyChart figures={figures.data} />
        </Section>
      )}
    </div>
  );
}
