import type { KeptSale } from "../../../register/sale.ts";
import { useKey } from "../ui/keys.ts";
import { Paper } from "./paper.tsx";
import { useSaleTicket } from "./sale-paper.tsx";

/** Prints a sale's ticket by its key where only its total is shown. The browser prints what is on the page: there it is, unseen. */
export function PrintLast({ sale }: { sale: KeptSale }) {
  const { blocks, print, times } = useSaleTicket(sale);
  useKey("print", print);
  if (times === 0) return null;
  return (
    <div className="print-only">
      <Paper blocks={blocks} />
    </div>
  );
}
