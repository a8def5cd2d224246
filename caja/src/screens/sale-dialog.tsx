import { useRef, useState } from "react";
import type { Permit } from "../../../register/cashiers.ts";
import { pesos } from "../../../register/format.ts";
import { leftOf } from "../../../register/returning.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { PrintButtons } from "../paper/print-buttons.tsx";
import { SalePaper } from "../paper/sale-paper.tsx";
import { CustomerPicker } from "../sell/buyer.tsx";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { MailButton, MailForm } from "./mail-form.tsx";
import { ReturnForm } from "./return-form.tsx";

type Asking = "cancel" | "return" | "invoice" | "mail";

/** A sale of the shift: its ticket again, and what may still be done about it. */
export function SaleDialog(props: { sale: KeptSale; onChange: (sale: KeptSale) => void; onClose: () => void }) {
  const { sale, onChange, onClose } = props;
  const { counter } = useOpen();
  const device = useDevice();
  const { business, shift } = useCounter();
  const authorize = useAuthorization();
  const [asking, setAsking] = useState<Asking>();
  const [problem, setProblem] = useState<string>();
  const isRunning = useRef(false);
  /** What was typed stays until it is stored; a second tap meanwhile does nothing. */
  async function run(work: () => Promise<KeptSale>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setProblem(undefined);
    try {
      onChange(await work());
      setAsking(undefined);
      device.wake();
    } catch (error) {
      setProblem(storeProblem(error));
    }
    isRunning.current = false;
  }
  async function runAllowed(right: Permit["right"], work: (permit: Permit) => Promise<KeptSale>) {
    const permit = await authorize(right);
    if (permit) await run(() => work(permit));
  }
  const isDone = sale.data.status === "completed";
  const hasReturns = (sale.returns ?? []).length > 0;
  const hasLeft = [...leftOf(sale).values()].some((left) => left > 0);
  const mayInvoice = isDone && !hasReturns && sale.data.document_kind === "pos" && business.nit !== null;
  return (
    <Dialog title={`Venta ${sale.number}`} onClose={onClose} wide>
      {asking === "return" ? (
        <ReturnForm
          sale={sale}
          onReturn={(wanted, method, reason) =>
            void runAllowed("return", (permit) => counter.takeBack(sale, wanted, method, reason, permit))
          }
          onClose={() => setAsking(undefined)}
        />
      ) : asking === "invoice" ? (
        <div className="stack">
          <p>Se anula el documento POS con su nota y se emite la factura a nombre de quien elija.</p>
          <CustomerPicker onChoose={(id) => id && void run(() => counter.toInvoice(sale, id))} />
        </div>
      ) : (
        <SalePaper sale={sale} />
      )}
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {asking === "mail" && <MailForm sale={sale} />}
      {asking === "cancel" && (
        <div className="stack">
          <p>
            Se anula la venta completa, vuelven las existencias y {pesos(sale.data.total)} salen de las cuentas del
            turno.
          </p>
          <div className="buttons">
            <button type="button" onClick={() => setAsking(undefined)}>
              No anular
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => void runAllowed("cancel", (permit) => counter.cancel(sale, permit))}
            >
              Sí, anular
            </button>
          </div>
        </div>
      )}
      {asking === undefined && (
        <div className="buttons">
          {isDone && !hasReturns && sale.shift_id === shift?.id && (
            <button type="button" className="danger" onClick={() => setAsking("cancel")}>
              Anular
            </button>
          )}
          {isDone && hasLeft && shift && (
            <button type="button" onClick={() => setAsking("return")}>
              Devolver
            </button>
          )}
          {mayInvoice && (
            <button type="button" onClick={() => setAsking("invoice")}>
              Pasar a factura
            </button>
          )}
          {isDone && <MailButton onClick={() => setAsking("mail")} />}
          <PrintButtons sale={sale} />
        </div>
      )}
    </Dialog>
  );
}
