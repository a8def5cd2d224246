import { type FormEvent, useState } from "react";
import type { OrderView } from "../../../register/order.ts";
import { orderPaper } from "../../../register/order-paper.ts";
import { Paper } from "../paper/paper.tsx";
import { PrintButton } from "../paper/print-button.tsx";
import { printPaper } from "../paper/printer.ts";
import { Dialog } from "../ui/dialog.tsx";
import { UnusedScan } from "../ui/unused-scan.tsx";

const usualReasons = ["No hay existencias", "Está cerrado", "No alcanzamos a tiempo", "Lo pidió el cliente"];
const longestReason = 200;

/** Turns an order down, or one that was accepted: whoever ordered reads why. */
export function RejectDialog(props: { order: OrderView; onReject: (reason: string) => void; onClose: () => void }) {
  const { order, onReject, onClose } = props;
  const [reason, setReason] = useState("");
  const isNew = order.status === "placed";
  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() !== "") onReject(reason.trim());
  }
  return (
    <Dialog title={`${isNew ? "Rechazar" : "Cancelar"} el pedido ${order.number}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>El motivo lo lee quien hizo el pedido. Lo que estaba apartado vuelve a las existencias.</p>
        <div className="choices">
          {usualReasons.map((one) => (
            <button key={one} type="button" aria-pressed={reason === one} onClick={() => setReason(one)}>
              {one}
            </button>
          ))}
        </div>
        <label className="field">
          <span>Motivo</span>
          <input
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={longestReason}
            autoComplete="off"
            data-autofocus
          />
        </label>
        <UnusedScan />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Volver
          </button>
          <button type="submit" className="danger" disabled={reason.trim() === ""}>
            {isNew ? "Rechazar pedido" : "Cancelar pedido"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the kitchen, or whoever picks it from the shelves, works from. */
export function OrderPaperDialog({ order, onClose }: { order: OrderView; onClose: () => void }) {
  const blocks = orderPaper(order);
  return (
    <Dialog title={`Pedido ${order.number}`} onClose={onClose} wide>
      <Paper blocks={blocks} />
      <UnusedScan />
      <div className="buttons">
        <PrintButton onPrint={() => void printPaper(blocks)} />
        <button type="button" className="primary" data-autofocus onClick={onClose}>
          Cerrar
        </button>
      </div>
    </Dialog>
  );
}
