import { pesos } from "../../../register/format.ts";
import { ticketNames } from "../../../register/ticket-name.ts";
import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";
import { useCounter, useOpen } from "../use-device.ts";

/** Tickets that wait: tables, or customers who went for something else. */
export function WaitingPanel({ onClose }: { onClose: () => void }) {
  const { counter } = useOpen();
  const { tickets } = useCounter();
  const names = ticketNames(tickets);
  useScan({
    take() {
      onClose();
      return "pass";
    },
  });
  return (
    <Panel title="En espera" onClose={onClose}>
      <div className="choices">
        {tickets.map((ticket, i) => (
          <button
            key={ticket.id}
            type="button"
            className="big"
            onClick={() => {
              counter.select(ticket.id);
              onClose();
            }}
            {...(i === tickets.length - 1 && { "data-autofocus": true })}
          >
            {names[i]} · {sumOf(() => pesos(counter.totals(ticket).total))}
          </button>
        ))}
      </div>
    </Panel>
  );
}

function sumOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "—";
  }
}
