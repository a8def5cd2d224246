import { useEffect, useState } from "react";
import type { ListedSale } from "../../register/protocol.ts";
import type { SalesSearch } from "../../register/sync-client.ts";
import { useCounter, useOpen, useStatus } from "./use-device.ts";

/** Typing is not a question yet. */
const pauseMs = 250;

export interface ShopSalesView {
  sales: ListedSale[] | undefined;
  /** The service did not answer. */
  isAway: boolean;
  /** Asks for the next page, if there is one. */
  more: (() => void) | undefined;
}

/** The sales of every register as the service tells them; asked anew when the search or the shift changes. */
export function useShopSales(search: SalesSearch, isWanted: boolean): ShopSalesView {
  const { shop } = useOpen();
  const { shift } = useCounter();
  const isSent = useStatus().waiting === 0;
  const [sales, setSales] = useState<ListedSale[]>();
  const [next, setNext] = useState<string>();
  const [isAway, setAway] = useState(false);
  const { day = "", q = "" } = search;
  const asked = { ...(day && { day }), ...(q && { q }) };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words of the search stand for it; a return changes the shift, and counts once it is sent
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    async function ask(): Promise<void> {
      try {
        const page = await shop.find(asked);
        if (!isCurrent) return;
        setSales(page.sales);
        setNext(page.has_more ? page.cursor : undefined);
        setAway(false);
      } catch {
        if (isCurrent) setAway(true);
      }
    }
    const timer = setTimeout(() => void ask(), sales ? pauseMs : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [shop, day, q, shift, isSent, isWanted]);
  async function readMore(cursor: string): Promise<void> {
    try {
      const page = await shop.find(asked, cursor);
      setSales((before) => [...(before ?? []), ...page.sales]);
      setNext(page.has_more ? page.cursor : undefined);
    } catch {
      setAway(true);
    }
  }
  return { sales, isAway, more: next === undefined ? undefined : () => void readMore(next) };
}
