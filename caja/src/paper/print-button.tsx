import type { Block } from "../../../register/paper.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { useKey } from "../ui/keys.ts";
import { printPaper } from "./printer.ts";

export function PrintButton({ blocks }: { blocks: readonly Block[] }) {
  useKey("print", () => void printPaper(blocks));
  return (
    <button type="button" onClick={() => void printPaper(blocks)}>
      Imprimir <KeyHint act="print" />
    </button>
  );
}
