import type { Block } from "../../../register/paper.ts";
import { printPaper } from "./printer.ts";

export function PrintButton({ blocks }: { blocks: readonly Block[] }) {
  return (
    <button type="button" onClick={() => void printPaper(blocks)}>
      Imprimir
    </button>
  );
}
