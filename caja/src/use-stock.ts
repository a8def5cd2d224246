import { createContext, useContext, useEffect, useState } from "react";
import type { CatalogProduct } from "../../register/catalog.ts";
import type { StockView } from "../../register/stock.ts";
import { movesStock } from "../../register/ticket.ts";
import { ownWarehouse } from "../../register/warehouses.ts";
import { useAccepts, useCounterPart, useOpen } from "./use-device.ts";

const everyMs = 30_000;

/** Reads what is known of the stock at once, and asks the service for more. */
export function useStock(isTold = true) {
  const { stock } = useOpen();
  const sales = useCounterPart(({ shift }) => shift?.last_number);
  const [view, setView] = useState<StockView>();
  const [isAsking, setAsking] = useState(false);
  async function refresh(): Promise<void> {
    setView(await stock.view());
    setAsking(true);
    // Without a connection the last news hold.
    await stock.refresh().catch(() => {});
    setAsking(false);
    setView(await stock.view());
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the register, which stays
  useEffect(() => {
    if (!isTold) return;
    void refresh();
    const timer = setInterval(() => void refresh(), everyMs);
    return () => clearInterval(timer);
  }, [stock, isTold]);
  // A sale of this register moves stock before the service says so.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of sales stands for what was sold
  useEffect(() => {
    void stock.view().then(setView, () => {});
  }, [stock, sales]);
  return { view, isAsking, refresh };
}

/** The stock that a whole screen looks at, if the service tells it. */
export const StockContext = createContext<StockView | undefined>(undefined);

export function useToldStock(): StockView | undefined {
  const isTold = useAccepts("stock.1");
  const { view } = useStock(isTold);
  return isTold && view?.at ? view : undefined;
}

/**
 * How much of a product is left where this register sells from; undefined where nobody keeps its stock. Less than nothing is
 * a shop that sells without having counted, and no news at the counter.
 */
export function useLeft(): (product: CatalogProduct) => number | undefined {
  const view = useContext(StockContext);
  const { catalog } = useOpen().register;
  const own = ownWarehouse(catalog);
  return (product) => {
    if (!view || !movesStock(product) || !view.knows(product.id)) return undefined;
    const left = view.in(product.id, own);
    return left < 0 ? undefined : left;
  };
}
