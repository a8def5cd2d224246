import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { filesOfCustomers } from "../../../src/api/portal/lists/files-of-customers.ts";
import type { Filters, List } from "../../../src/api/portal/lists/list.ts";
import type { Json } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { useList } from "../lib/queries.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { Heading } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";
import { type Cells, columnsOf } from "./cells.tsx";
import { type AskedText, type Choices, useListFilters } from "./list-filters.ts";

type Listed = Parameters<typeof RecordList>[0];

interface ListPageProps<Row, Name extends string, F extends Filters> {
  list: List<Row, Name, F>;
  heading: Pick<ComponentProps<typeof Heading>, "lead" | "back">;
  /** Buttons beside the file's. */
  actions?: ReactNode;
  /** The table's name, where it is not the page's. */
  label?: string;
  choices?: Choices<keyof F & string>;
  /** What the service is asked on this page whatever is chosen. */
  fixed?: AskedText;
  cells?: Cells<Row, Name>;
  /** Columns behind the first one that only this page has. */
  besides?: readonly Column<Json<Row>>[];
  href?: (row: Json<Row>) => string;
  /** Above the filters, and above the rows: of all that is filtered. */
  top?: (asked: AskedText) => ReactNode;
  totals?: (asked: AskedText) => ReactNode;
  /** Between filters and rows; `clear` takes the filters away that have no field. */
  note?: (asked: AskedText, clear: () => void) => ReactNode;
  /** Said while what is searched is too short. */
  shortNote?: string;
  words: Listed["words"];
}

/** The page of a list: its heading with the file, its filters, what all that is filtered adds up to, and the rows. */
export function ListPage<Row, Name extends string, F extends Filters>({
  list,
  heading,
  actions,
  label = list.title,
  choices,
  fixed,
  cells,
  besides = [],
  href,
  top,
  note,
  shortNote,
  totals,
  words,
}: ListPageProps<Row, Name, F>) {
  const { asked: chosen, isShort, bar, clear, clearOthers } = useListFilters(list.filters, choices);
  const asked = { ...chosen, ...fixed };
  const rows = useList<Json<Row> & { id: string }>(list.path, asked);
  return (
    <>
      <Heading title={list.title} {...heading}>
        {list.file && (
          <ExportMenu
            hasLines={list.hasLines}
            isGuarded={filesOfCustomers.has(list.file)}
            href={(format) => `${list.file}.${format}${query(asked)}`}
          />
        )}
        {actions}
      </Heading>
      {top?.(asked)}
      <FilterBar bar={bar} />
      {note?.(asked, clearOthers)}
      {shortNote && isShort && (
        <Text c="dimmed" mb="md">
          {shortNote}
        </Text>
      )}
      <RecordList
        label={label}
        list={rows}
        columns={columnsOf(list, cells).toSpliced(1, 0, ...besides)}
        href={href}
        totals={totals?.(asked)}
        onClearFilters={clear}
        words={words}
      />
    </>
  );
}

/** What all that is filtered adds up to, kept fresh. */
export function useTotals<T>(path: string, asked: AskedText) {
  return useQuery({
    queryKey: ["totals", path, asked],
    queryFn: ({ signal }) => get<T>(`${path}/totals${query(asked)}`, signal),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
}
