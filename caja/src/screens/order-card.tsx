import { useState } from "react";
import { pesos, quantity } from "../../../register/format.ts";
import { buyerOf, endsAt, isPaid, type OrderView, paidPart, wantedAt } from "../../../register/order.ts";
import { atTime, fulfilmentWords, lengthText, paymentText } from "../../../register/order-paper.ts";

interface Props {
  order: OrderView;
  now: Date;
  /** Without one, nothing is sold. */
  hasShift: boolean;
  onAccept: (minutes: number | null) => void;
  onReady: () => void;
  /** It is paid already. */
  onHandOver: () => void;
  onSell: () => void;
  onReject: () => void;
  onPaper: () => void;
}

/** One order: who, when, what, and what is done next. */
export function OrderCard(props: Props) {
  const { order, now } = props;
  const { fulfilment, contact, items, notes, source, number } = order;
  return (
    <li>
      <article className="order-card" aria-label={`Pedido ${number}`} data-late={isLate(order, now) || undefined}>
        <header>
          <strong className="order-number">{number}</strong>
          <div>
            <strong>{buyerOf(order)}</strong>
            <span className="dim">
              {source} · hace {lengthText(now.getTime() - Date.parse(order.created_at))}
            </span>
          </div>
          <span className="order-due">{dueText(order, now)}</span>
        </header>
        <p>
          <b>{fulfilmentWords[fulfilment.type]}</b>
          {fulfilment.table && contact ? ` · ${fulfilment.table}` : ""}
          {fulfilment.address ? ` · ${fulfilment.address}` : ""}
          {contact?.phone && <span className="dim"> · {contact.phone}</span>}
          {fulfilment.notes && <span className="dim"> · {fulfilment.notes}</span>}
        </p>
        <ul className="order-lines">
          {items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order keep their places
            <li key={i}>
              <b>{quantity(item.quantity)}</b>
              <span>
                {item.description}
                {item.notes && <em>{item.notes}</em>}
              </span>
              <span>{pesos(item.subtotal)}</span>
            </li>
          ))}
          {order.delivery_fee > 0 && (
            <li>
              <b />
              <span>Domicilio</span>
              <span>{pesos(order.delivery_fee)}</span>
            </li>
          )}
        </ul>
        {notes && <p className="order-notes">{notes}</p>}
        <p className="order-sum">
          <span className={isPaid(order) ? "paid" : undefined}>{paymentText(order)}</span>
          <strong>{pesos(order.total)}</strong>
        </p>
        {order.isProvisional && (
          <p className="dim" role="status">
            Hecho aquí. Falta que el servicio lo confirme: otra caja pudo ser primero.
          </p>
        )}
        <Steps {...props} />
      </article>
    </li>
  );
}

function Steps(props: Props) {
  const { order, hasShift, onAccept, onReady, onHandOver, onSell, onReject, onPaper } = props;
  const [isAccepting, setAccepting] = useState(false);
  const rest = order.total - (paidPart(order)?.amount ?? 0);
  const [step, title] = isPaid(order) ? [onHandOver, "Entregar"] : [onSell, `Cobrar ${pesos(rest)}`];
  const charge = (isNext: boolean) => (
    <button type="button" className={isNext ? "primary big" : "big"} disabled={!hasShift} onClick={step}>
      {title}
    </button>
  );
  const noShift = !hasShift && <p className="dim">Para {isPaid(order) ? "entregar" : "cobrar"}, abra el turno.</p>;
  if (order.isOver)
    return (
      <>
        <p className="problem">Venció. Si el cliente está aquí, puede venderlo: queda como una venta más.</p>
        <div className="buttons">
          <button type="button" className="big" disabled={!hasShift} onClick={onSell}>
            Vender de todos modos
          </button>
        </div>
        {noShift}
      </>
    );
  if (order.status === "placed")
    return isAccepting ? (
      <Minutes onChoose={onAccept} onBack={() => setAccepting(false)} />
    ) : (
      <div className="buttons">
        <button type="button" className="primary big" onClick={() => setAccepting(true)}>
          Aceptar
        </button>
        <button type="button" className="big" onClick={onPaper}>
          Papel
        </button>
        <button type="button" className="big quiet" onClick={onReject}>
          Rechazar
        </button>
      </div>
    );
  return (
    <>
      <div className="buttons">
        {order.status === "accepted" && (
          <button type="button" className="primary big" onClick={onReady}>
            Está listo
          </button>
        )}
        {charge(order.status === "ready")}
        <button type="button" className="big" onClick={onPaper}>
          Papel
        </button>
        <button type="button" className="big quiet" onClick={onReject}>
          Cancelar
        </button>
      </div>
      {noShift}
    </>
  );
}

const offeredMinutes = [10, 20, 30, 45, 60];

function Minutes({ onChoose, onBack }: { onChoose: (minutes: number | null) => void; onBack: () => void }) {
  return (
    <fieldset className="bare stack" aria-label="En cuántos minutos">
      <p>¿En cuántos minutos está listo?</p>
      <div className="choices minutes">
        {offeredMinutes.map((minutes) => (
          <button key={minutes} type="button" className="big" onClick={() => onChoose(minutes)}>
            {minutes}
          </button>
        ))}
        <button type="button" className="big" onClick={() => onChoose(null)}>
          Sin hora
        </button>
        <button type="button" className="big quiet" onClick={onBack}>
          Volver
        </button>
      </div>
    </fieldset>
  );
}

/** When it should be there, or when it ends by itself, whichever somebody must know. */
function dueText(order: OrderView, now: Date): string {
  if (order.isOver) return "Venció";
  const left = (iso: string) => Date.parse(iso) - now.getTime();
  const wanted = wantedAt(order);
  const ends = endsAt(order);
  if (order.status === "placed" && ends && left(ends) < 3_600_000) return `Vence en ${lengthText(left(ends))}`;
  if (!wanted) return "Lo antes posible";
  const ms = left(wanted);
  if (ms > 3 * 3_600_000) return `Para ${atTime(wanted, now)}`;
  return ms > 0 ? `Faltan ${lengthText(ms)}` : `Va tarde ${lengthText(ms)}`;
}

function isLate(order: OrderView, now: Date): boolean {
  const wanted = wantedAt(order);
  return order.isOver || (wanted !== null && Date.parse(wanted) < now.getTime() && order.status !== "ready");
}
