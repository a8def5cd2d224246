import { Button, SimpleGrid, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import type { Figures } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { duration, number, percent, plural } from "../lib/format.ts";
import { useEndpoints, useSession } from "../lib/queries.ts";
import { Empty, ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { PeriodSwitch, usePeriod } from "../ui/period-switch.tsx";

const IntegrationCharts = lazy(() => import("./integration-charts.tsx"));

export default function Integration() {
  const session = useSession().data;
  const endpoints = useEndpoints();
  const period = usePeriod();
  const figures = useQuery({
    queryKey: ["overview", period],
    queryFn: ({ signal }) => get<Figures>(`/overview?period=${period}`, signal),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Heading title="Actividad de la integración" lead={session && `Eventos y entregas de ${session.account.name}.`}>
        <PeriodSwitch />
      </Heading>
      <ErrorMessage error={figures.error} retry={figures.refetch} />
      {figures.data && <Totals figures={figures.data} />}
      {endpoints.data?.length === 0 && (
        <Section title="Empiece aquí">
          <Empty icon="webhook" title="Conecte su primer sistema">
            <p>
              Agregue un webhook para que su servidor se entere de cada venta, o cree una clave para leer por la API.
            </p>
            <Button component={Link} href="/webhooks/nuevo" mr="xs">
              Agregar webhook
            </Button>
            <Button component={Link} href="/claves/nueva" variant="default">
              Crear clave
            </Button>
          </Empty>
        </Section>
      )}
      {figures.data && (
        <Suspense fallback={<Loading />}>
          <IntegrationCharts figures={figures.data} />
        </Suspense>
      )}
    </>
  );
}

function Totals({ figures: { totals } }: { figures: Figures }) {
  const { delivered, failed, dropped, success_rate, p50_ms, p95_ms, events } = totals;
  const tiles: [string, string, string][] = [
    ["Eventos", number(events), "ocurridos en el negocio"],
    ["Intentos de entrega", number(delivered + failed), plural(failed, "falló", "fallaron")],
    [
      "Éxito",
      success_rate === null ? "–" : percent(success_rate),
      dropped === 0 ? "de los intentos" : `con ${plural(dropped, "entrega descartada", "entregas descartadas")}`,
    ],
    [
      "Latencia",
      p50_ms === null ? "–" : duration(p50_ms),
      p95_ms === null ? "sin entregas" : `95 de cada 100 en ${duration(p95_ms)}`,
    ],
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
      {tiles.map(([title, value, note]) => (
        <div key={title} className="card">
          <Text size="sm" c="dimmed">
            {title}
          </Text>
          <Text fz="1.7rem" fw={650} lh={1.25} data-testid={`total-${title}`}>
            {value}
          </Text>
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
