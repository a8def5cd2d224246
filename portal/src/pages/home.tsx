import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Today } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import type { Todo } from "../lib/concerns.ts";
import { capitalized, fullDay, number, pesos, plural, shortPesos, weekdayName } from "../lib/format.ts";
import { useDevices } from "../lib/queries.ts";
import { Bars } from "../ui/bars.tsx";
import { Change, Figure, Figures } from "../ui/figure.tsx";
import { Empty, ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { Attention } from "./attention.tsx";
import { BestProducts, OpenShifts, Payments, RunningOut } from "./home-lists.tsx";

/** How the shop goes today. The numbers come anew by themselves. */
export function Home() {
  const devices = useDevices();
  const today = useQuery({
    queryKey: ["today"],
    queryFn: ({ signal }) => get<Today>("/today", signal),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Heading title="Hoy" lead={today.data && capitalized(fullDay(today.data.day))} />
      <ErrorMessage error={today.error} retry={today.refetch} />
      {today.isPending && <Loading />}
      {devices.data?.length === 0 && today.data?.sold.tickets === 0 && <FirstRegister />}
      {today.data && <Day today={today.data} />}
    </>
  );
}

function Day({ today }: { today: Today }) {
  const { sold, sold_before, compared_day, documents } = today;
  const then = `el ${weekdayName(compared_day)} pasado a esta hora`;
  const ofToday = `/ventas?desde=${today.day}&hasta=${today.day}`;
  const average = sold.tickets === 0 ? 0 : Math.round(sold.total / sold.tickets);
  const averageBefore = sold_before.tickets === 0 ? 0 : Math.round(sold_before.total / sold_before.tickets);
  return (
    <>
      <Figures label="El día en números">
        <Figure
          isMain
          label="Vendido hoy"
          value={pesos(sold.total)}
          to={ofToday}
          note={<Change now={sold.total} before={sold_before.total} than={then} />}
        />
        <Figure
          label="Ventas"
          value={number(sold.tickets)}
          to={ofToday}
          note={`${number(sold_before.tickets)} la semana pasada`}
        />
        <Figure
          label="Venta promedio"
          value={sold.tickets === 0 ? "–" : pesos(average)}
          to={ofToday}
          note={averageBefore === 0 ? "sin ventas para comparar" : `${pesos(averageBefore)} la semana pasada`}
        />
        <Figure
          label="Documentos en camino"
          value={number(documents.pending)}
          to="/documentos?estado=pending"
          note={documents.unissued === 0 ? "ninguno rechazado" : `${number(documents.unissued)} por atender`}
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
    <Section title="Por hora">
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
          summary={`Ventas por hora: ${pesos(sold.total)} hoy, en ${plural(sold.tickets, "venta", "ventas")}.`}
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
