import { pesos, quantity } from "../../../register/format.ts";
import { useArticles, useTicketTotals } from "./use-ticket-totals.ts";

/** On a phone the sum is always in sight; the bar opens the ticket. */
export function TicketBar(props: { onOpen: () => void; onCharge: () => void; isCharging: boolean }) {
  const { onOpen, onCharge, isCharging } = props;
  const { totals } = useTicketTotals();
  const articles = useArticles();
  const isEmpty = articles === 0;
  // The charge has the total and its button there, and after the sale its own buttons.
  if (isCharging) return null;
  return (
    <div className="ticket-bar">
      <button type="button" onClick={onOpen}>
        <span className="hidden-text">Ver el tiquete:</span>
        <span>{articles === 1 ? "1 artículo" : `${quantity(articles)} artículos`}</span>
        <strong>{totals ? pesos(totals.total) : "—"}</strong>
      </button>
      <button type="button" className="primary big" disabled={isEmpty || !totals} onClick={onCharge}>
        Cobrar
      </button>
    </div>
  );
}
