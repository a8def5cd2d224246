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
export function ShiftReportDialog(props: { shift: Shift; hidesDrawer: boolean; onClose: () => void }) {
  const { shift, hidesDrawer, onClose } = props;
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
      {hidesDrawer && (
        <p className="notice">El efectivo esperado y la diferencia salen solo en el papel, para el dueño.</p>
      )}
      {blocks && <Paper blocks={blocks} hidesDrawer={hidesDrawer} />}
      <div className="buttons">
        {blocks && <PrintButton onPrint={() => void printPaper(blocks)} />}
        <button type="button" className="primary" onClick={onClose} data-autofocus>
          Listo
        </button>
      </div>
    </Dialog>
  );
}
