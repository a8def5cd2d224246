import { type FormEvent, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos } from "../../../register/format.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { heavy } from "./limits.ts";

/** How much of it: kilos, metres, litres. */
export function WeightPanel(props: {
  product: CatalogProduct;
  onWeight: (quantity: number) => void;
  /** Something else is scanned before its weight is known. */
  onDropped: () => void;
  onClose: () => void;
}) {
  const { product, onWeight, onDropped, onClose } = props;
  const [weight, setWeight] = useState<number>();
  const [asked, setAsked] = useState<number>();
  const isAsked = weight !== undefined && weight > heavy && asked === weight;
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!weight) return;
    if (weight > heavy && !isAsked) setAsked(weight);
    else onWeight(weight);
  }
  useScan({
    take() {
      if (weight && weight <= heavy) onWeight(weight);
      else {
        onDropped();
        onClose();
      }
      return "pass";
    },
  });
  const name = ["g", "kg", "lb", "oz"].includes(product.base_unit) ? "Peso" : "Cantidad";
  return (
    <Panel title={product.name} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <NumberField
          label={`${name} en ${product.base_unit}`}
          value={weight}
          onChange={setWeight}
          meaning="quantity"
          decimals={3}
          autoFocus
          hint={`${pesos(product.final_price)} por ${product.base_unit}`}
        />
        <button type="submit" className="primary big" disabled={!weight}>
          {isAsked
            ? `Sí, son ${weight.toLocaleString("es-CO")} ${product.base_unit}`
            : `Agregar${weight ? ` · ${pesos(Math.round(weight * product.final_price))}` : ""}`}
        </button>
      </form>
    </Panel>
  );
}
