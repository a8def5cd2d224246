import { type FormEvent, useState } from "react";
import { pesos } from "../../../register/format.ts";
import type { TicketLine } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";

/** A product whose price the catalogue does not say. */
export function UnpricedPanel(props: { line: TicketLine; onPrice: (price: number) => void; onClose: () => void }) {
  const { line, onPrice, onClose } = props;
  const [price, setPrice] = useState<number>();
  const [isFreeAsked, setFreeAsked] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (price === undefined) return;
    if (price === 0 && !isFreeAsked) setFreeAsked(true);
    else onPrice(price);
  }
  useScan({
    take() {
      if (price) onPrice(price);
      else onClose();
      return "pass";
    },
  });
  return (
    <Panel title={line.description} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="notice">No tiene precio en el catálogo. Escriba a cuánto se vende, o póngaselo en el portal.</p>
        <NumberField label="Precio de cada uno" value={price} onChange={setPrice} meaning="price" autoFocus />
        <button type="submit" className="primary big" disabled={price === undefined}>
          {isFreeAsked && price === 0
            ? "Sí, no vale nada"
            : `Agregar${price ? ` · ${pesos(Math.round(price * line.quantity))}` : ""}`}
        </button>
      </form>
    </Panel>
  );
}
