import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { IconName } from "./icons.tsx";
import { Empty, ErrorMessage, Loading, LoadMore } from "./parts.tsx";

/** The results of a filtered list. When there are none, says whether the list is empty or the filters match nothing. */
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
  } & Parameters<typeof LoadMore>[0]["list"];
  /** False while the search text is not an id; no request is sent then. */
  canSearch: boolean;
  /** Absent when no filter is set. */
  onClearFilters: (() => void) | undefined;
  icon: IconName;
  noMatch: string;
  none: string;
  /** Tells the owner of an empty list how it gets filled. */
  hint: ReactNode;
  children: (found: T[]) => ReactNode;
}) {
  const found = canSearch && list.data?.length ? list.data : undefined;
  // What could not be read is not known to be empty.
  if (list.error && !list.data) return <ErrorMessage error={list.error} retry={list.refetch} />;
  return (
    <>
      <ErrorMessage error={list.error} retry={list.refetch} />
      <div className="card" aria-busy={list.isFetching}>
        {list.isPending && canSearch ? (
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
        <LoadMore list={list} />
      </div>
    </>
  );
}
