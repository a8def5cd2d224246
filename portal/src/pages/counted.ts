import { useEffect, useState } from "react";
import { useSession } from "../lib/queries.ts";

interface Entry {
  counted: number;
  /** What the sheet said when it was counted. */
  expected: number;
}

export interface Counted {
  entries: Readonly<Record<string, Entry>>;
  count: number;
  set: (productId: string, entry: Entry | undefined) => void;
  clear: () => void;
}

/** What has been counted so far, by product. It survives a reload: counting a shop takes hours. */
export function useCounted(warehouseId: string | undefined): Counted {
  const account = useSession().data?.account.id ?? "";
  const key = `conteo ${account} ${warehouseId ?? ""}`;
  const [state, setState] = useState(() => ({ key, entries: stored(key) }));
  const entries = state.key === key ? state.entries : stored(key);
  useEffect(() => {
    if (state.key !== key) return;
    if (Object.keys(state.entries).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(state.entries));
  }, [key, state]);
  return {
    entries,
    count: Object.keys(entries).length,
    set(productId, entry) {
      const { [productId]: _before, ...others } = entries;
      setState({ key, entries: entry ? { ...others, [productId]: entry } : others });
    },
    clear: () => setState({ key, entries: {} }),
  };
}

function stored(key: string): Record<string, Entry> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, Entry>;
  } catch {
    return {};
  }
}
