import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useFilters } from "../lib/address.ts";
import type { Answer, Figures } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { duration, percent } from "../lib/format.ts";
import { DeliveriesChart } from "../ui/chart.tsx";
import { Loading, Section, Trouble } from "../ui/parts.tsx";

/** How an endpoint has been answering. */
export default function EndpointFigures({ id }: { id: string }) {
  const [{ periodo }, setFilters] = useFilters(["periodo"]);
  const period: Figures["period"] = periodo === "7d" ? "7d" : "24h";
  const figures = useQuery({
    queryKey: ["figures", id, period],
    queryFn: ({ signal }) =>
      get<Answer<"GET /webhook-endpoints/:id/figures">>(`/webhook-endpoints/${id}/figures?period=${period}`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Entregas exitosas"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Periodo"
          value={period}
          onChange={(value) => setFilters({ periodo: value === "24h" ? null : value })}
          data={[
            { value: "24h", label: "24 horas" },
            { value: "7d", label: "7 días" },
          ]}
        />
      }
    >
      <Trouble error={figures.error} retry={figures.refetch} />
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
