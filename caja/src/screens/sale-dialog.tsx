import { type RefObject, useEffect, useRef, useState } from "react";
import type { Permit } from "../../../register/cashiers.ts";
import { pesos, quantity } from "../../../register/format.ts";
import { leftOf, planOf } from "../../../register/returning.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { WantedLine } from "../../../src/fiscal/returns/plan-return.ts";
import { paymentName } from "../../../src/taxes/means.ts";
import { PrintButton } from "../paper/print-button.tsx";
import { SalePaper, type SaleTicket, useSaleTicket } from "../paper/sale-paper.tsx";
import { CustomerPicker } from "../sell/buyer.tsx";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { storeProblem } from "../ui/problems.ts";
import { UnusedScan } from "../ui/unused-scan.tsx";
import { useFirstField } from "../ui/use-first-field.ts";
import { useAccepts, useCounter, useDevice, useOpen } from "../use-device.ts";
import { MailButton, MailForm, MailSent } from "./mail-form.tsx";
import { MeansForm } from "./means-form.tsx";
import { ReturnForm } from "./return-form.tsx";
import { ShareButton } from "./share-button.tsx";

type Asking = "cancel" | "return" | "invoice" | "mail" | "means";

/** A sale of this register or of another: its ticket again, and what may still be done about it. */
export function SaleDialog(props: { sale: KeptSale; onChange: (sale: KeptSale) => void; onClose: () => void }) {
  const { sale, onChange, onClose } = props;
  const { counter, register } = useOpen();
  const device = useDevice();
  const authorize = useAuthorization();
  const [asking, setAsking] = useState<Asking>();
  const [sentTo, setSentTo] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const ticket = useSaleTicket(sale);
  const isRunning = useRef(false);
  const buttons = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone: what comes next is its paper, or the key that closes.
  useEffect(() => {
    if (asking === undefined && document.activeElement === document.body)
      buttons.current?.querySelector<HTMLElement>("button:last-of-type")?.focus();
  }, [asking]);
  function ask(what: Asking): void {
    setSentTo(undefined);
    setProblem(undefined);
    setAsking(what);
  }
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
  async function runAllowed(right: Permit["right"], what: string, work: (permit: Permit) => Promise<KeptSale>) {
    const permit = await authorize(right, [`${titleOf(sale)}, ${pesos(sale.data.total)}`, what]);
    if (permit) await run(() => work(permit));
  }
  function invoice(customerId: string) {
    const hasNumber = Boolean(register.catalog.get("customer", customerId)?.document_number);
    if (hasNumber) void run(() => counter.toInvoice(sale, customerId));
    else setProblem("Ese cliente no tiene número de documento, y una factura lo exige. Elija otro o haga uno nuevo.");
  }
  return (
    <Dialog title={titleOf(sale)} onClose={onClose} wide>
      {/* Above the paper, which grows when its verdict comes. */}
      {asking === "mail" && (
        <MailForm
          sale={sale}
          onSent={(email) => {
            setSentTo(email);
            setAsking(undefined);
          }}
        />
      )}
      {asking === undefined && sentTo !== undefined && <MailSent to={sentTo} />}
      {asking === "return" ? (
        <ReturnForm
          sale={sale}
          onReturn={(wanted, method, reason) =>
            void runAllowed("return", returnText(sale, wanted, method, reason), (permit) =>
              counter.takeBack(sale, wanted, method, reason, permit),
            )
          }
          onClose={() => setAsking(undefined)}
        />
      ) : asking === "invoice" ? (
        <InvoiceForm sale={sale} onChoose={invoice} />
      ) : asking === "means" ? (
        <MeansForm
          sale={sale}
          onCorrect={(part, means) =>
            void runAllowed("correct_payment", meansText(sale, part, means.payment_method), (permit) =>
              counter.correctMeans(sale, part, means, permit),
            )
          }
          onClose={() => setAsking(undefined)}
        />
      ) : (
        <SalePaper ticket={ticket} />
      )}
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {/* A return takes its scans itself. */}
      {asking && asking !== "return" && <UnusedScan />}
      {asking === "cancel" && (
        <CancelForm
          sale={sale}
          onCancel={() => void runAllowed("cancel", "Se anula completa", (permit) => counter.cancel(sale, permit))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === undefined && <SaleButtons ref={buttons} sale={sale} ticket={ticket} onAsk={ask} />}
    </Dialog>
  );
}

function InvoiceForm({ sale, onChoose }: { sale: KeptSale; onChoose: (customerId: string) => void }) {
  const form = useFirstField<HTMLDivElement>();
  return (
    <div ref={form} className="stack">
      <p>Se anula el documento POS con su nota y se emite la factura a nombre de quien elija.</p>
      <CustomerPicker draftOf={sale.id} onChoose={(id) => id && onChoose(id)} />
    </div>
  );
}

function CancelForm({ sale, onCancel, onClose }: { sale: KeptSale; onCancel: () => void; onClose: () => void }) {
  const form = useFirstField<HTMLDivElement>();
  return (
    <div ref={form} className="stack">
      <p>
        Se anula la venta completa, vuelven las existencias y {pesos(sale.data.total)} salen de las cuentas del turno.
      </p>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          No anular
        </button>
        <button type="button" className="danger" onClick={onCancel}>
          Sí, anular
        </button>
      </div>
    </div>
  );
}

function returnText(sale: KeptSale, wanted: readonly WantedLine[], method: string, reason: string): string {
  const back = wanted.map(({ item_id, quantity: units }) => {
    const item = sale.data.items.find(({ id }) => id === item_id);
    return `${quantity(units)} × ${item?.description ?? "Producto"}`;
  });
  return `Vuelven ${back.join(", ")}; se devuelven ${pesos(planOf(sale, wanted).total)} en ${paymentName(method)}. ${reason}`;
}

function meansText({ charge }: KeptSale, part: number, to: string): string {
  const { payment_method, amount } = charge.payments[part]!;
  return `${pesos(amount)}: de ${paymentName(payment_method)} a ${paymentName(to)}`;
}

/** What may be done about it, here and now. */
function SaleButtons(props: {
  ref: RefObject<HTMLDivElement | null>;
  sale: KeptSale;
  onAsk: (what: Asking) => void;
  ticket: SaleTicket;
}) {
  const { ref, sale, onAsk, ticket } = props;
  const { business, shift } = useCounter();
  const isDone = sale.data.status === "completed";
  const hasReturns = (sale.returns ?? []).length > 0;
  const hasLeft = [...leftOf(sale).values()].some((left) => left > 0);
  const takesWish = useAccepts("sale_invoice.1");
  const canInvoice = sale.elsewhere ? sale.elsewhere.can_invoice && takesWish : business.nit !== null;
  const mayInvoice = isDone && !hasReturns && sale.data.document_kind === "pos" && canInvoice;
  const isOfShift = shift !== undefined && sale.shift_id === shift.id;
  return (
    <div ref={ref} className="buttons">
      {isDone && !hasReturns && isOfShift && (
        <button type="button" className="danger" onClick={() => onAsk("cancel")}>
          Anular
        </button>
      )}
      {isDone && hasLeft && shift && (
        <button type="button" onClick={() => onAsk("return")}>
          Devolver
        </button>
      )}
      {isDone && isOfShift && sale.data.total > 0 && (
        <button type="button" onClick={() => onAsk("means")}>
          Corregir el medio
        </button>
      )}
      {mayInvoice && (
        <button type="button" onClick={() => onAsk("invoice")}>
          Pasar a factura
        </button>
      )}
      {isDone && <MailButton onClick={() => onAsk("mail")} />}
      <ShareButton sale={sale} link={ticket.link} />
      <PrintButton onPrint={ticket.print} />
    </div>
  );
}

function titleOf({ number, elsewhere }: KeptSale): string {
  const name = number > 0 ? `Venta ${number}` : "Venta";
  return elsewhere ? `${name} de ${elsewhere.register ?? "otra caja"}` : name;
}
