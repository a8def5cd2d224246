import type { KeptSale } from "../../../register/sale.ts";
import { PrintButton } from "./print-button.tsx";
import { useSaleBlocks } from "./sale-paper.tsx";

export function PrintButtons({ sale }: { sale: KeptSale }) {
  return <PrintButton blocks={useSaleBlocks(sale)} />;
}
