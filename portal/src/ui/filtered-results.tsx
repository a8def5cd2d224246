import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { IconName } from "./icons.tsx";
import { Empty, Loading, More, Trouble } from "./parts.tsx";

/** What a filtered list found. When that is nothing, it tells an empty list from filters that match nothing. */
export function FilteredResults<T>({
  list,
  canSearch,
  onClearFilters,
  icon,
  noMatch,
  none,
  hint,
  children,
}: {
  list: {
    data: T[] | undefined;
    error: Error | null;
    isPending: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  } & Parameters<typeof More>[0]["list"];
  /** False while the search text is no id: nothing is asked for then. */
  canSearch: boolean;
  /** Absent when no filter is set. */
  onClearFilters: (() => void) | undefined;
  icon: IconName;
  noMatch: string;
  none: string;
  /** What fills the list, for an owner who has none yet. */
  hint: ReactNode;
  children: (found: T[]) => ReactNode;
}) {
  const found = canSearch && list.data?.length ? list.data : undefined;
  return (
    <>
      <Trouble error={list.error} retry={list.refetch} />
      <div className="card" aria-busy={list.isFetching}>
        {list.isPending && canSearch && !list.error ? (
          <Loading />
        ) : found ? (
          children(found)
        ) : (
          <Empty icon={icon} title={onClearFilters ? noMatch : none}>
            {onClearFilters ? (
              <Button mt="xs" variant="default" onClick={onClearFilters}>
                Quitar los filtros
              </Button>
            ) : (
              hint
            )}
          </Empty>
        )}
        <More list={list} />
      </div>
    </>
  );
}
