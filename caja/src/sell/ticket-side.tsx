import { useState } from "react";
import { pesos, quantity } from "../../../register/format.ts";
import { numberOf, type Quote } from "../../../register/quote.ts";
import { type Ticket, type TicketLine, type Totals, withQuantity } from "../../../register/ticket.ts";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { LineDialog } from "./line-dialogs.tsx";
import { TicketDialog } from "./ticket-dialog.tsx";

export function TicketPanel({ onCharge, onQuote }: { onCharge: () => void; onQuote: () => void }) {
  const { counter, register } = useOpen();
  const { current, tickets } = useCounter();
  const quote = current.quote_id ? (register.catalog.get("quote", current.quote_id) as Quote | undefined) : undefined;
  const [line, setLine] = useState<TicketLine>();
  const [isEditing, setEditing] = useState(false);
  const { totals, problem } = totalsOrProblem(counter.totals, current);
  const isEmpty = current.lines.length === 0;
  return (
    <section className="ticket" aria-label="Tiquete">
      {tickets.length > (isEmpty ? 0 : 1) && <OpenTickets />}
      {isEmpty ? (
        <p className="empty">Escanee o toque un producto para empezar.</p>
      ) : (
        <ol className="lines">
          {current.lines.map((one, i) => (
            <LineRow key={one.id} line={one} value={totals?.lines[i]?.subtotal} onEdit={() => setLine(one)} />
          ))}
        </ol>
      )}
      {quote && <p className="dim">De la cotización {numberOf(quote)}</p>}
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {totals && !isEmpty && <Sums totals={totals} />}
      <div className="buttons">
        <button type="button" disabled={isEmpty} onClick={() => setEditing(true)}>
          Descuento y notas
        </button>
        <button type="button" disabled={isEmpty} onClick={counter.beginTicket}>
          En espera
        </button>
        <button type="button" disabled={isEmpty || !totals} onClick={onQuote}>
          Cotizar
        </button>
      </div>
      <button type="button" className="primary big" disabled={isEmpty || !totals} onClick={onCharge}>
        Cobrar {totals && !isEmpty ? pesos(totals.total) : ""}
      </button>
      {line && <LineDialog line={line} onClose={() => setLine(undefined)} />}
      {isEditing && <TicketDialog onClose={() => setEditing(false)} />}
    </section>
  );
}

function totalsOrProblem(read: (ticket: Ticket) => Totals, ticket: Ticket): { totals?: Totals; problem?: string } {
  try {
    return { totals: read(ticket) };
  } catch (error) {
    return { problem: storeProblem(error) };
  }
}

function LineRow({ line, value, onEdit }: { line: TicketLine; value: number | undefined; onEdit: () => void }) {
  const { counter } = useOpen();
  const change = (by: number) => counter.edit((ticket) => withQuantity(ticket, line.id, line.quantity + by));
  return (
    <li>
      <button type="button" className="line" onClick={onEdit}>
        <span>{line.description}</span>
        <small>
          {quantity(line.quantity)} × {pesos(line.price)}
          {line.discount_percent > 0 ? ` − ${quantity(line.discount_percent)} %` : ""}
        </small>
      </button>
      <strong>{value === undefined ? "" : pesos(value)}</strong>
      {!line.sold_by_weight && (
        <span className="steps">
          <button type="button" aria-label={`Uno menos de ${line.description}`} onClick={() => change(-1)}>
            −
          </button>
          <button type="button" aria-label={`Uno más de ${line.description}`} onClick={() => change(1)}>
            +
          </button>
        </span>
      )}
    </li>
  );
}

function Sums({ totals }: { totals: Totals }) {
  return (
    <dl className="sums">
      {totals.discount > 0 && (
        <div>
          <dt>Descuento</dt>
          <dd>{pesos(-totals.discount)}</dd>
        </div>
      )}
      {totals.tip_amount > 0 && (
        <div>
          <dt>Propina</dt>
          <dd>{pesos(totals.tip_amount)}</dd>
        </div>
      )}
      <div>
        <dt>Impuestos incluidos</dt>
        <dd>{pesos(totals.tax)}</dd>
      </div>
      <div className="total">
        <dt>Total</dt>
        <dd>{pesos(totals.total)}</dd>
      </div>
    </dl>
  );
}

/** Tickets that wait: tables, or customers who went for something else. */
function OpenTickets() {
  const { counter } = useOpen();
  const { tickets, current } = useCounter();
  return (
    <fieldset className="bare chips" aria-label="Tiquetes abiertos">
      {tickets.map((ticket, i) => (
        <button
          key={ticket.id}
          type="button"
          aria-pressed={ticket.id === current.id}
          onClick={() => counter.select(ticket.id)}
        >
          {ticket.table_label ?? `Tiquete ${i + 1}`}
        </button>
      ))}
    </fieldset>
  );
}
