import type { KeptSale } from "../../../register/sale.ts";
import { useSaleBlocks } from "./sale-paper.tsx";
import { PrintButton } from "./print-button.tsx";

export function PrintButtons({ sale }: { sale: KeptSale }) {
  return <PrintButton blocks={useSaleBlocks(sale)} />;
}
