import { Button, SimpleGrid, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import type { Answer, Concern, Figures } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { date, duration, fromLocal, moment, number, percent, plural } from "../lib/format.ts";
import { useEndpoints, useSession } from "../lib/queries.ts";
import { rangeKinds } from "../lib/words.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { PeriodSwitch, usePeriod } from "../ui/period-switch.tsx";

const HomeCharts = lazy(() => import("./home-charts.tsx"));

export function Home() {
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
      <Heading title="Inicio" lead={session && `Así va la integración de ${session.account.name}.`}>
        <PeriodSwitch />
      </Heading>
      <ErrorMessage error={figures.error} retry={figures.refetch} />
      {figures.data && <Totals figures={figures.data} />}
      <Concerns />
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
          <HomeCharts figures={figures.data} />
        </Suspense>
      )}
    </>
  );
}

function Totals({ figures: { totals } }: { figures: Figures }) {
  const { delivered, failed, dropped, success_rate, p50_ms, p95_ms, events } = totals;
  const tiles: [string, string, string][] = [
    ["Eventos", number(events), "ocurridos en el negocio"],
    [
      "Intentos",
      number(delivered + failed),
      `${plural(failed, "falló", "fallaron")}, ${plural(dropped, "descartada", "descartadas")}`,
    ],
    ["Éxito", success_rate === null ? "–" : percent(success_rate), "de los intentos de entrega"],
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

function Concerns() {
  const concerns = useQuery({
    queryKey: ["attention"],
    queryFn: ({ signal }) => get<Answer<"GET /attention">>("/attention", signal),
    refetchInterval: 5_000,
  });
  return (
    <Section title="Qué necesita atención">
      <ErrorMessage error={concerns.error} retry={concerns.refetch} />
      {concerns.isPending && <Loading />}
      {concerns.data?.data.length === 0 && (
        <Text c="dimmed" style={{ display: "flex", gap: 8, alignItems: "center" }}>
          <Icon name="check" /> Todo está en orden.
        </Text>
      )}
      <ul className="quiet-list">
        {concerns.data?.data.map((concern) => {
          const { text, to, todo } = describe(concern);
          return (
            <li key={`${concern.kind} ${to} ${text}`} className="concern">
              <Text c="var(--mantine-color-error)" component="span">
                <Icon name="alert" />
              </Text>
              <div>
                <Text style={{ overflowWrap: "anywhere" }}>{text}</Text>
                <Link href={to}>{todo}</Link>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function describe(concern: Concern): { text: string; to: string; todo: string } {
  switch (concern.kind) {
    case "endpoint_failing":
      return {
        text: `${concern.url} falla desde el ${moment(concern.failing_since)}: ${plural(concern.failures, "intento seguido", "intentos seguidos")}.`,
        to: `/entregas?endpoint=${concern.endpoint_id}`,
        todo: "Ver la causa de cada intento",
      };
    case "endpoint_deactivated":
      return {
        text: `${concern.url} se desactivó por fallos continuos.`,
        to: `/webhooks/${concern.endpoint_id}`,
        todo: "Probarlo y reactivarlo",
      };
    case "device_outdated":
      return {
        text: `${concern.name} usa una versión que no admite ediciones desde la API${concern.app_version ? ` (${concern.app_version})` : ""}.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja",
      };
    case "device_skewed":
      return {
        text: `El reloj de ${concern.name} está corrido ${duration(Math.abs(concern.skew_ms))}.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja y corregir su hora",
      };
    case "device_forked":
      return {
        text: `${concern.name} parece restaurada de una copia y debe vincularse de nuevo.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja",
      };
    case "key_expiring":
      return {
        text: `La clave «${concern.name}» vence el ${date(concern.expires_at)}.`,
        to: `/claves/${concern.api_key_id}`,
        todo: "Rotarla a tiempo",
      };
    case "records_quarantined":
      return {
        text: `${concern.name || "Una caja retirada"} tiene ${plural(concern.count, "registro", "registros")} en cuarentena.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver qué no se pudo leer",
      };
    case "documents_unissued":
      return {
        text: concern.has_more
          ? `Más de ${number(concern.count)} ventas están sin documento aceptado por la DIAN.`
          : `${plural(concern.count, "venta está", "ventas están")} sin documento aceptado por la DIAN.`,
        to: "/documentos",
        todo: "Ver la causa y reenviar",
      };
    case "fiscal_profile_missing":
      return {
        text: "Faltan los datos fiscales del negocio: sus ventas se registran, pero sin documento.",
        to: "/cuenta#perfil-fiscal",
        todo: "Completar los datos fiscales",
      };
    case "range_missing":
      return {
        text: `No hay un rango de numeración para ${rangeKinds[concern.range_kind].plural}: sus ventas quedan sin documento.`,
        to: "/cuenta#rangos",
        todo: "Registrar un rango de la DIAN",
      };
    case "range_ended":
      return {
        text: `No quedan números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} ${concern.remaining === 0 ? "se agotó" : "venció"}.`,
        to: "/cuenta#rangos",
        todo: "Registrar un rango nuevo",
      };
    case "range_ending":
      return {
        text: `Pronto no habrá números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} tiene ${plural(concern.remaining, "número", "números")}${concern.valid_until ? ` y vence el ${date(fromLocal(concern.valid_until))}` : ""}.`,
        to: "/cuenta#rangos",
        todo: "Pedir otro a la DIAN y registrarlo",
      };
  }
}
