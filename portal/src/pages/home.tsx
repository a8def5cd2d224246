import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Today } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import type { Todo } from "../lib/concerns.ts";
import { capitalized, fullDay, number, pesos, plural, shortPesos, weekdayName } from "../lib/format.ts";
import { useDevices, useMay } from "../lib/queries.ts";
import { useSede } from "../lib/sedes.ts";
import { averageOf, salesOf } from "../lib/sums.ts";
import { Bars } from "../ui/bars.tsx";
import { Change, Figure, Figures } from "../ui/figure.tsx";
import { Empty, ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { Attention } from "./attention.tsx";
import { BestProducts, OpenShifts, Payments, RunningOut } from "./home-lists.tsx";
import { StartCard } from "./start-card.tsx";
import { TodayMargin } from "./today-margin.tsx";

/** How the shop goes today. The numbers come anew by themselves. */
export function Home() {
  const devices = useDevices();
  const may = useMay();
  const { id: location_id } = useSede();
  const today = useQuery({
    queryKey: ["today", location_id],
    queryFn: ({ signal }) => get<Today>(`/today${query({ location_id })}`, signal),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Heading title="Hoy" lead={today.data && capitalized(fullDay(today.data.day))} />
      <ErrorMessage error={today.error} retry={today.refetch} />
      {today.isPending && <Loading />}
      {may("settings:write") && <StartCard />}
      {may("registers:write") && devices.data?.length === 0 && today.data?.sold.tickets === 0 && <FirstRegister />}
      {today.data && <Day today={today.data} />}
    </>
  );
}

function Day({ today }: { today: Today }) {
  const { sold, sold_before, compared_day, documents } = today;
  const then = `el ${weekdayName(compared_day)} pasado a esta hora`;
  const ofToday = salesOf(today.day, today.day);
  const averageBefore = averageOf(sold_before);
  return (
    <>
      <Figures label="El día en números">
        <Figure
          isMain
          label="Ventas netas de hoy"
          value={pesos(sold.net)}
          to={ofToday}
          note={<Change now={sold.net} before={sold_before.net} than={then} />}
        />
        <Figure
          label="Ventas"
          value={number(sold.tickets)}
          to={salesOf(today.day, today.day, { movimiento: "sales" })}
          note={`${number(sold_before.tickets)} la semana pasada`}
        />
        <Figure
          label="Venta promedio"
          value={sold.tickets === 0 ? "–" : pesos(averageOf(sold))}
          to={salesOf(today.day, today.day, { movimiento: "sales" })}
          note={averageBefore === 0 ? "sin ventas para comparar" : `${pesos(averageBefore)} la semana pasada`}
        />
        {sold.returned !== 0 && (
          <Figure
            label="Devoluciones"
            value={pesos(sold.returned)}
            to={salesOf(today.day, today.day, { movimiento: "returns" })}
            note={`de ${pesos(sold.gross)} de ventas brutas`}
          />
        )}
        <TodayMargin location_id={useSede().id} />
        <Figure
          label="Documentos en camino"
          value={number(documents.pending)}
          to="/documentos?estado=pending"
          note={
            documents.unissued === 0 ? (
              "ninguno rechazado"
            ) : (
              <Link href="/documentos?estado=por-atender">{number(documents.unissued)} por atender</Link>
            )
          }
        />
      </Figures>
      <div className="beside">
        <div className="stack">
          <Hours today={today} />
          <div className="columns">
            <Payments today={today} />
            <BestProducts today={today} />
          </div>
        </div>
        <div className="stack">
          <div className="first">
            <Attention more={todosOf(today)} />
          </div>
          <OpenShifts today={today} />
          <RunningOut today={today} />
        </div>
      </div>
    </>
  );
}

function Hours({ today: { hours, compared_day, sold } }: { today: Today }) {
  const before = `${weekdayName(compared_day)} pasado`;
  return (
    <Section title="Ventas netas por hora">
      {hours.length === 0 ? (
        <Empty icon="sale" title="Todavía no hay ventas hoy">
          Aparecen aquí en cuanto una caja las sube.
        </Empty>
      ) : (
        <Bars
          bars={hours.map(({ hour, total, total_before }) => ({
            key: String(hour),
            label: `${hour}:00`,
            value: total,
            before: total_before,
          }))}
          summary={`Ventas netas por hora: ${pesos(sold.net)} hoy, en ${plural(sold.tickets, "venta", "ventas")}.`}
          format={pesos}
          axis={shortPesos}
          legend={{ now: "Hoy", before: capitalized(before) }}
        />
      )}
    </Section>
  );
}

function todosOf({ running_out_count }: Today): Todo[] {
  if (running_out_count === 0) return [];
  return [
    {
      gravity: "low",
      text: `${plural(running_out_count, "producto se acaba", "productos se acaban")} esta semana al ritmo en que se venden.`,
      to: "/inventario",
      todo: "Ver las existencias",
    },
  ];
}

function FirstRegister() {
  return (
    <Section title="Empiece aquí">
      <Empty icon="register" title="Vincule su primera caja">
        <p>Con ella llegan sus ventas, y esta página muestra cómo va el día.</p>
        <Button component={Link} href="/cajas">
          Vincular una caja
        </Button>
      </Empty>
    </Section>
  );
}
