import { type FormEvent, useState } from "react";
import { may } from "../../../register/cashiers.ts";
import { pesos } from "../../../register/format.ts";
import { type TicketLine, withLineChange, withQuantity } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { useCounter, useOpen } from "../use-device.ts";
import { manyUnits } from "./limits.ts";

/** One line of the ticket: how many, and its discount. */
export function LinePanel({ line, onClose }: { line: TicketLine; onClose: () => void }) {
  const { counter } = useOpen();
  const { cashier } = useCounter();
  const [amount, setAmount] = useState<number | undefined>(line.quantity);
  const [discount, setDiscount] = useState<number | undefined>(line.discount_percent);
  const [asked, setAsked] = useState<number>();
  const isValid = amount !== undefined && amount > 0 && discount !== undefined && discount <= 100;
  const isMany = amount !== undefined && amount > manyUnits && amount !== line.quantity;
  function keep(): void {
    counter.edit((ticket) =>
      withLineChange(withQuantity(ticket, line.id, amount!), line.id, { discount_percent: discount! }),
    );
    onClose();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    if (isMany && asked !== amount) setAsked(amount);
    else keep();
  }
  function remove() {
    counter.edit((ticket) => withQuantity(ticket, line.id, 0));
    onClose();
  }
  useScan({
    take() {
      if (isValid && !isMany) keep();
      else onClose();
      return "pass";
    },
  });
  return (
    <Panel title={line.description} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <NumberField
          label={line.sold_by_weight ? "Peso" : "Cantidad"}
          value={amount}
          onChange={setAmount}
          decimals={line.sold_by_weight ? 3 : 0}
          autoFocus
          hint={`${pesos(line.price)} cada uno`}
        />
        {may(cashier, "discount") && (
          <NumberField label="Descuento en %" value={discount} onChange={setDiscount} decimals={2} hint="De 0 a 100" />
        )}
        <div className="buttons">
          <button type="button" className="danger" onClick={remove}>
            Quitar
          </button>
          <button type="submit" className="primary" disabled={!isValid}>
            {isMany && asked === amount ? `Sí, son ${amount.toLocaleString("es-CO")}` : "Guardar"}
          </button>
        </div>
      </form>
    </Panel>
  );
}
