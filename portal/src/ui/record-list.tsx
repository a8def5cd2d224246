import type { ReactNode } from "react";
import { FilteredResults } from "./filtered-results.tsx";
import type { IconName } from "./icons.tsx";
import { type Column, RecordTable } from "./record-table.tsx";

/**
 * A list of records with everything around it: loading, error, empty, "nothing matches", and more pages. `totals` stands
 * above the table: the sums of all that is filtered, not only of the rows on screen.
 */
export function RecordList<T extends { id: string }>({
  label,
  list,
  columns,
  href,
  totals,
  onClearFilters,
  words,
}: {
  label: string;
  list: Parameters<typeof FilteredResults<T>>[0]["list"];
  columns: readonly Column<T>[];
  href?: (row: T) => string;
  totals?: ReactNode;
  /** Absent when no filter is set. */
  onClearFilters: (() => void) | undefined;
  words: { icon: IconName; none: string; noMatch: string; hint: ReactNode };
}) {
  return (
    <>
      {totals}
      <FilteredResults
        list={list}
        canSearch
        onClearFilters={onClearFilters}
        icon={words.icon}
        noMatch={words.noMatch}
        none={words.none}
        hint={words.hint}
      >
        {(rows) => (
          <RecordTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} {...(href && { href })} />
        )}
      </FilteredResults>
    </>
  );
}
