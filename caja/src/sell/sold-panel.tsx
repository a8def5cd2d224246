import { useEffect, useRef, useState } from "react";
import { pesos } from "../../../register/format.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { PrintButton } from "../paper/print-button.tsx";
import { SalePaper, useSaleTicket } from "../paper/sale-paper.tsx";
import { useScan } from "../scan/use-scan.ts";
import { MailButton, MailForm, MailSent } from "../screens/mail-form.tsx";
import { ShareButton } from "../screens/share-button.tsx";
import { Panel } from "../ui/panel.tsx";
import { secondEnterMs } from "./limits.ts";

/** The ticket. When it shows, the sale is on this device's disk. */
export function SoldPanel({ sale, onClose }: { sale: KeptSale; onClose: () => void }) {
  const ticket = useSaleTicket(sale);
  const [isMailing, setMailing] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const shownAt = useRef(performance.now());
  const next = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button or the form that had the focus is gone
  useEffect(() => {
    if (document.activeElement === document.body) next.current?.focus();
  }, [isMailing, sentTo]);
  // The next customer's first product.
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title={`Venta ${sale.number} registrada`} onClose={onClose}>
      {sale.charge.change > 0 && (
        <p className="due change">
          <span>Cambio</span> <strong>{pesos(sale.charge.change)}</strong>
        </p>
      )}
      {/* Above the paper, which grows when its verdict comes. */}
      {sentTo !== undefined ? <MailSent to={sentTo} /> : isMailing && <MailForm sale={sale} onSent={setSentTo} />}
      <SalePaper ticket={ticket} />
      <div className="buttons">
        <PrintButton onPrint={ticket.print} />
        {!isMailing && <MailButton onClick={() => setMailing(true)} />}
        <ShareButton sale={sale} link={ticket.link} />
        <button
          ref={next}
          type="button"
          className="primary"
          onClick={onClose}
          // An Enter that was on its way when the money was charged is not for what shows now.
          onKeyDown={(event) => {
            if (event.key === "Enter" && performance.now() - shownAt.current < secondEnterMs) event.preventDefault();
          }}
          data-autofocus
        >
          Nueva venta
        </button>
      </div>
    </Panel>
  );
}
