import { type FormEvent, useState } from "react";
import { may } from "../../../register/cashiers.ts";
import { freeLine, type TicketLine } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { useCounter } from "../use-device.ts";

/** The taxes of what is typed at the counter. */
export const counterClasses = [
  ["standard", "Con el impuesto general"],
  ["reduced_5", "IVA 5 %"],
  ["exempt", "Exento"],
  ["excluded", "Excluido"],
] as const;

/** Something that has no product: its name, its price, its tax. */
export function FreeLinePanel(props: { onAdd: (line: TicketLine, onDone: () => void) => void; onClose: () => void }) {
  const { onAdd, onClose } = props;
  const { cashier } = useCounter();
  const [description, setDescription] = useState("");
  const [price, setPrice] = useState<number>();
  const [taxClass, setTaxClass] = useState<string>("standard");
  const [isFreeAsked, setFreeAsked] = useState(false);
  const isComplete = description.trim() !== "" && price !== undefined;
  function keep(): void {
    onAdd(freeLine(crypto.randomUUID(), description.trim(), price!, taxClass), onClose);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isComplete) return;
    if (price === 0 && !isFreeAsked) setFreeAsked(true);
    else keep();
  }
  // An incomplete one stays open: nothing that was typed is lost.
  useScan({
    take() {
      if (isComplete && price > 0 && may(cashier, "free_line")) keep();
      return "pass";
    },
  });
  return (
    <Panel title="Línea libre" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>Qué se vende</span>
          <input
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={200}
            data-autofocus
          />
        </label>
        <NumberField label="Precio" value={price} onChange={setPrice} meaning="price" />
        <label className="field">
          <span>Impuesto</span>
          <select value={taxClass} onChange={(event) => setTaxClass(event.currentTarget.value)}>
            {counterClasses.map(([key, title]) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="primary big" disabled={!isComplete}>
          {isFreeAsked && price === 0 ? "Sí, no vale nada" : "Agregar"}
        </button>
      </form>
    </Panel>
  );
}
