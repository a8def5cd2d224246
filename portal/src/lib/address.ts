import { useCallback } from "react";
import { useSearchParams } from "wouter";

/** Filters are kept in the address: they survive a reload, can be shared, and "back" undoes them. */
export function useFilters<const K extends string>(
  names: readonly K[],
): [Partial<Record<K, string>>, (changes: Partial<Record<K, string | null>>) => void] {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as Partial<Record<K, string>>;
  const change = useCallback(
    (changes: Partial<Record<K, string | null>>) => {
      setParams((before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      });
    },
    [setParams],
  );
  return [values, change];
}
