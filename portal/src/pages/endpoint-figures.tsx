import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { duration } from "../lib/format.ts";
import { AttemptsChart, attemptsText } from "../ui/chart.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";
import { PeriodSwitch, usePeriod } from "../ui/period-switch.tsx";

/** How many attempts at an endpoint succeeded, and how fast. */
export default function EndpointFigures({ id }: { id: string }) {
  const period = usePeriod();
  const figures = useQuery({
    queryKey: ["figures", id, period],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/figures">>(`/webhook-endpoints/${id}/figures?period=${period}`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section title="Intentos de entrega" aside={<PeriodSwitch size="xs" />}>
      <ErrorMessage error={figures.error} retry={figures.refetch} />
      {figures.isPending && <Loading />}
      {figures.data && (
        <>
          <Text c="dimmed" mb="sm">
            {attemptsText(figures.data)}
            {figures.data.totals.p95_ms !== null &&
              ` 95 de cada 100 tardaron menos de ${duration(figures.data.totals.p95_ms)}.`}
          </Text>
          <AttemptsChart figures={figures.data} />
        </>
      )}
    </Section>
  );
}
