import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { shiftList } from "../../../src/api/portal/lists/shifts.ts";
import type { Answer, CashSession } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { pesos } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import type { Sums } from "../lib/sums.ts";
import { type Cells, columnsOf } from "../lists/cells.tsx";
import { useListFilters } from "../lists/list-filters.ts";
import { useSedeColumn } from "../lists/sede-column.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { Heading, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";

export default function Shifts() {
  const { asked, clear, bar } = useListFilters(shiftList.filters);
  const list = useList<CashSession>(shiftList.path, asked);
  const ids = (list.data ?? []).map(({ id }) => id);
  const counted = useQuery({
    queryKey: ["shift-sums", ids],
    queryFn: ({ signal }) => readSums(ids, signal),
    enabled: ids.length > 0,
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
  const sede = useSedeColumn<CashSession>();
  const rows = list.data?.map((shift) => ({
    ...shift,
    sums: sumsOf(counted.data?.sums, shift.id),
  }));
  const difference = (shift: CashSession) => (
    <Difference value={shift.difference} disagrees={counted.data?.disagreeing.has(shift.id)} />
  );
  return (
    <>
      <Heading
        title={shiftList.title}
        lead="Cada turno de caja con lo que debía haber, lo que se contó y la diferencia."
      />
      <FilterBar bar={bar} />
      <RecordList
        label={shiftList.title}
        list={{ ...list, data: rows }}
        columns={columnsOf(shiftList, { ...cells, difference }).toSpliced(1, 0, ...sede)}
        href={({ id }) => `/turnos/${id}`}
        onClearFilters={clear}
        words={{
          icon: "shift",
          none: "Todavía no hay turnos",
          noMatch: "Ningún turno coincide",
          hint: (
            <>
              Cada caja abre uno al empezar el día. <Link href="/cajas">Vincule una caja</Link> para empezar.
            </>
          ),
        }}
      />
    </>
  );
}

const cells: Cells<CashSession, "opened_at" | "closed_at"> = {
  opened_at: ({ opened_at, opened_by }) => <Opening at={opened_at} by={opened_by} />,
  closed_at: ({ closed_at, closed_by }) => (closed_at ? <Opening at={closed_at} by={closed_by} /> : "–"),
};

const noSums: Sums = {
  ...{ tickets: 0, gross: 0, returned: 0, net: 0, tax: 0, discount: 0, tip: 0, passthrough: 0, received: 0 },
};

/** A shift without sales has none; before the answer nothing is known. */
function sumsOf(all: Map<string, Sums> | undefined, id: string): Sums | undefined {
  return all && (all.get(id) ?? noSums);
}

interface Counted {
  sums: Map<string, Sums>;
  /** Shifts whose own sums do not agree with their sales. */
  disagreeing: ReadonlySet<string>;
}

/** In as many requests as the list has pages of a hundred. */
export async function readSums(ids: readonly string[], signal: AbortSignal): Promise<Counted> {
  const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_, i) => ids.slice(100 * i, 100 * (i + 1)));
  const answers = await Promise.all(
    pages.map((page) =>
      get<Answer<"GET /cash-sessions/sums">>(`/cash-sessions/sums${query({ ids: page.join(",") })}`, signal),
    ),
  );
  return {
    sums: new Map(answers.flatMap(({ data }) => data.map((one) => [one.id, one]))),
    disagreeing: new Set(answers.flatMap(({ disagreeing }) => disagreeing)),
  };
}

function Opening({ at, by }: { at: string; by: string | null }) {
  return (
    <span>
      <Time at={at} />
      {by && (
        <Text size="sm" c="dimmed" component="div">
          {by}
        </Text>
      )}
    </span>
  );
}

/** Missing and surplus money, in colour and in words. What was counted may agree with sums that are not those of the sales. */
export function Difference({ value, disagrees }: { value: number | null; disagrees: boolean | undefined }) {
  if (value === null) return <>–</>;
  if (disagrees) return <span className="down">No cuadra con sus ventas</span>;
  if (value === 0) return <>{disagrees === undefined ? "–" : "Cuadra"}</>;
  return (
    <span className={value < 0 ? "down" : "up"}>
      {value < 0 ? "Faltan" : "Sobran"} {pesos(Math.abs(value))}
    </span>
  );
}
