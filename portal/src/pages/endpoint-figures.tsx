import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { duration, percent } from "../lib/format.ts";
import { DeliveriesChart } from "../ui/chart.tsx";
import { ErrorMessage, Loading, Section } from "../ui/parts.tsx";
import { PeriodSwitch, usePeriod } from "../ui/period-switch.tsx";

/** How many deliveries to an endpoint succeeded, and how fast. */
export default function EndpointFigures({ id }: { id: string }) {
  const period = usePeriod();
  const figures = useQuery({
    queryKey: ["figures", id, period],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/figures">>(`/webhook-endpoints/${id}/figures?period=${period}`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section title="Entregas exitosas" aside={<PeriodSwitch size="xs" />}>
      <ErrorMessage error={figures.error} retry={figures.refetch} />
      {figures.isPending && <Loading />}
      {figures.data && (
        <>
          <Text c="dimmed" mb="sm">
            {figures.data.totals.success_rate === null
              ? "Ninguna entrega terminada en el periodo."
              : `${percent(figures.data.totals.success_rate)} entregadas${
                  figures.data.totals.p95_ms === null
                    ? ""
                    : `; 95 de cada 100 en menos de ${duration(figures.data.totals.p95_ms)}`
                }.`}
          </Text>
          <DeliveriesChart figures={figures.data} />
        </>
      )}
    </Section>
  );
}
