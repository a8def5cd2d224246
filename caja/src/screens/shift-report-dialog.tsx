import { useEffect, useState } from "react";
import type { Block } from "../../../register/paper.ts";
import type { Shift } from "../../../register/shift.ts";
import { shiftPaper } from "../../../register/shift-paper.ts";
import { Paper } from "../paper/paper.tsx";
import { PrintButton } from "../paper/print-button.tsx";
import { printPaper } from "../paper/printer.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useCounter, useNews, useOpen } from "../use-device.ts";

/** X or Z of a shift, as it stands now: what comes down meanwhile, a document or a return of the portal, fills in. */
export function ShiftReportDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { counter } = useOpen();
  const { business } = useCounter();
  const news = useNews();
  const [blocks, setBlocks] = useState<Block[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a document or a return may have come down with the news
  useEffect(() => {
    let isCurrent = true;
    void counter
      .reportOf(shift)
      .then((report) => isCurrent && setBlocks(shiftPaper(counter.complete(shift), business, report)));
    return () => {
      isCurrent = false;
    };
  }, [counter, shift, business, news]);
  return (
    <Dialog title={shift.closed_at ? "Cierre Z" : "Informe X"} onClose={onClose} wide>
      {blocks && <Paper blocks={blocks} />}
      <div className="buttons">
        {blocks && <PrintButton onPrint={() => void printPaper(blocks)} />}
        <button type="button" className="primary" onClick={onClose} data-autofocus>
          Listo
        </button>
      </div>
    </Dialog>
  );
}
