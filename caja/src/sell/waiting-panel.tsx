import { pesos } from "../../../register/format.ts";
import type { Ticket } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";
import { useCounter, useOpen } from "../use-device.ts";

export function ticketName({ table_label }: Ticket, at: number): string {
  return table_label ?? `Tiquete ${at + 1}`;
}

/** Tickets that wait: tables, or customers who went for something else. */
export function WaitingPanel({ onClose }: { onClose: () => void }) {
  const { counter } = useOpen();
  const { tickets } = useCounter();
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
            {ticketName(ticket, i)} · {sumOf(() => pesos(counter.totals(ticket).total))}
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
