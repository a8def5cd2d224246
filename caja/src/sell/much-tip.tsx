import { pesos } from "../../../register/format.ts";
import { muchTip } from "./limits.ts";

/** Of the totals with it. */
export const isMuchTip = ({ total }: { total: number }, tip: number) => tip > muchTip * (total - tip);

/** Said once: the next press takes it. */
export function MuchTip({ tip }: { tip: number }) {
  return (
    <p role="alert" className="notice">
      {pesos(tip)} de propina es más de la mitad de lo vendido. Si es lo que dejó el cliente, confírmelo.
    </p>
  );
}
