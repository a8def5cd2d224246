import { pesos } from "../../../register/format.ts";
import { useCounterPart, useOpen } from "../use-device.ts";

/** What was given back here and elsewhere too: it stays until somebody has read it. */
export function DoubledNotice() {
  const { counter } = useOpen();
  const doubled = useCounterPart((state) => state.doubled);
  if (doubled.length === 0) return null;
  return (
    <div role="alert" className="notice remark stray">
      <span>
        {doubled.map(({ number, amount, returnId }) => (
          <span key={returnId}>
            La venta {number} se devolvió dos veces, aquí y en el portal o en otra caja: {pesos(amount)} salieron de
            más.{" "}
          </span>
        ))}
        Avise al dueño. Lo que salió del cajón ya está descontado del efectivo esperado.
      </span>
      <button type="button" onClick={counter.dismissDoubled}>
        Entendido
      </button>
    </div>
  );
}
