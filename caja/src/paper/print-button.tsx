import type { Block } from "../../../register/paper.ts";

/** Prints what the open dialog shows as paper. */
export function PrintButton(_: { blocks: readonly Block[] }) {
  return (
    <button type="button" onClick={() => print()}>
      Imprimir
    </button>
  );
}
