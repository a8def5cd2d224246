import { changeTexts } from "../../../register/change-texts.ts";
import { pesos, quantity } from "../../../register/format.ts";
import type { Ticket } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { Panel } from "../ui/panel.tsx";
import { useCounter, useDevice, useOpen } from "../use-device.ts";
import { useTicketTotals } from "./use-ticket-totals.ts";

const paidIn = ({ parts = [] }: Ticket) => parts.reduce((sum, { amount }) => sum + amount, 0);

/** Whether throwing it away is a pity: several lines were rung up, or a terminal has taken money for it. */
export const isAskedBeforeDrop = (ticket: Ticket) => ticket.lines.length > 1 || paidIn(ticket) > 0;

/** Throws the ticket away; what was on hold takes a right. `onDone` is called when it is gone. */
export function useDrop(): (onDone: () => void) => Promise<void> {
  const { counter } = useOpen();
  const device = useDevice();
  const authorize = useAuthorization();
  return async (onDone) => {
    const { current } = counter.state();
    const what = () => changeTexts("remove_kept", current, { ...current, lines: [] }, counter.totals);
    const permit = current.kept ? await authorize("remove_kept", what()) : undefined;
    if (current.kept && !permit) return;
    counter.drop(current.id, permit);
    device.wake();
    onDone();
  };
}

/** Asks before a ticket goes. The answer that keeps it has the focus, and a scan is one: there is a customer. */
export function DropPanel({ onClose }: { onClose: () => void }) {
  const { current } = useCounter();
  const { totals } = useTicketTotals();
  const drop = useDrop();
  const count = current.lines.length;
  const lines = count === 1 ? "1 línea" : `${quantity(count)} líneas`;
  const paid = paidIn(current);
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title="¿Botar el tiquete?" onClose={onClose}>
      <div className="stack">
        <p>
          Tiene {lines}
          {totals && ` por ${pesos(totals.total)}`}. No se puede recuperar; si el cliente vuelve, póngalo mejor en
          espera.
        </p>
        {paid > 0 && (
          <p className="problem">Ya se recibieron {pesos(paid)} por otro medio: devuélvalos antes en el datáfono.</p>
        )}
        <button type="button" className="primary big" onClick={onClose} data-autofocus>
          No, seguir con el tiquete
        </button>
        <button type="button" className="danger" onClick={() => void drop(onClose)}>
          Sí, botar {lines}
        </button>
      </div>
    </Panel>
  );
}
