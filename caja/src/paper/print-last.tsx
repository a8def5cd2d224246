import { useEffect, useState } from "react";
import type { KeptSale } from "../../../register/sale.ts";
import { useKey } from "../ui/keys.ts";
import { Paper } from "./paper.tsx";
import { printPaper } from "./printer.ts";
import { useSaleBlocks } from "./sale-paper.tsx";

/** Prints a sale's ticket by its key where only its total is shown. The browser prints what is on the page: there it is, unseen. */
export function PrintLast({ sale }: { sale: KeptSale }) {
  const blocks = useSaleBlocks(sale);
  const [times, setTimes] = useState(0);
  useKey("print", () => setTimes(times + 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time the key is pressed
  useEffect(() => {
    if (times > 0) void printPaper(blocks);
  }, [times]);
  if (times === 0) return null;
  return (
    <div className="print-only">
      <Paper blocks={blocks} />
    </div>
  );
}
