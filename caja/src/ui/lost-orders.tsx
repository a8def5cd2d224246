import { useEffect } from "react";
import { useCounterPart, useOpen } from "../use-device.ts";
import { play } from "./sounds.ts";

interface Props {
  /** Shows the counter, if a shift is open. */
  onSell: (() => void) | undefined;
  onOrders: () => void;
}

/** What was done about an order here and came too late, or what its end took off a ticket: it stays until somebody has read it. */
export function LostOrders({ onSell, onOrders }: Props) {
  const { counter } = useOpen();
  const lost = useCounterPart((state) => state.lostOrders);
  useEffect(() => {
    if (lost.length > 0) play("unknown");
  }, [lost.length]);
  if (lost.length === 0) return null;
  return (
    <div role="alert" className="notice remark stray">
      <span>
        {lost.map(({ id, text }) => (
          <span key={id}>{text} </span>
        ))}
      </span>
      {onSell &&
        lost.flatMap(({ id, number, canSell }) =>
          canSell ? (
            <button
              key={id}
              type="button"
              onClick={() => {
                counter.sellAnyway(id);
                onSell();
              }}
            >
              Vender el pedido {number} de todos modos
            </button>
          ) : (
            []
          ),
        )}
      <button type="button" onClick={onOrders}>
        Ver pedidos
      </button>
      <button type="button" onClick={counter.dismissLost}>
        Entendido
      </button>
    </div>
  );
}
