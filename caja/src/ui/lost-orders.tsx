import { useCounterPart, useOpen } from "../use-device.ts";

/** What was done about an order here and came too late: it stays until somebody has read it. */
export function LostOrders() {
  const { counter } = useOpen();
  const lost = useCounterPart((state) => state.lostOrders);
  if (lost.length === 0) return null;
  return (
    <div role="alert" className="notice remark stray">
      <span>
        {lost.map(({ id, text }) => (
          <span key={id}>{text} </span>
        ))}
      </span>
      <button type="button" onClick={counter.dismissLost}>
        Entendido
      </button>
    </div>
  );
}
