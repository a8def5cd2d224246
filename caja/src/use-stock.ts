import { useEffect, useState } from "react";
import type { StockView } from "../../register/stock.ts";
import { useAccepts, useCounter, useOpen } from "./use-device.ts";

const everyMs = 30_000;

/** Reads what is known of the stock at once, and asks the service for more. */
export function useStock(isTold = true) {
  const { stock } = useOpen();
  const { shift } = useCounter();
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
  const sales = shift?.last_number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of sales stands for what was sold
  useEffect(() => {
    void stock.view().then(setView, () => {});
  }, [stock, sales]);
  return { view, isAsking, refresh };
}

/** The stock, if the service tells it. */
export function useStockView(): StockView | undefined {
  const isTold = useAccepts("stock.1");
  const { view } = useStock(isTold);
  return isTold ? view : undefined;
}
