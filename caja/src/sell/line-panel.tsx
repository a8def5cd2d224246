import { type FormEvent, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos } from "../../../register/format.ts";
import { type Ticket, type TicketLine, withLineChange, withQuantity } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { useOpen } from "../use-device.ts";
import { manyUnits } from "./limits.ts";
import { useEdit } from "./use-edit.ts";

/** What its price is for; undefined for pieces. */
function useUnit({ product_id, sold_by_weight }: TicketLine): string | undefined {
  const { catalog } = useOpen().register;
  if (!sold_by_weight || product_id === null) return undefined;
  return (catalog.get("product", product_id) as CatalogProduct | undefined)?.base_unit;
}

/** One line of the ticket: how many, its price and its discount. */
export function LinePanel({ line, onClose }: { line: TicketLine; onClose: () => void }) {
  const { edit, isFree } = useEdit();
  const unit = useUnit(line);
  const [amount, setAmount] = useState<number | undefined>(line.quantity);
  const [price, setPrice] = useState<number | undefined>(line.price);
  const [discount, setDiscount] = useState<number | undefined>(line.discount_percent);
  const [asked, setAsked] = useState<string>();
  const isValid = amount !== undefined && amount > 0 && price !== undefined && discount !== undefined;
  const question = !isValid
    ? undefined
    : amount > manyUnits && amount !== line.quantity
      ? `Sí, son ${amount.toLocaleString("es-CO")}`
      : price === 0 && line.price !== 0
        ? "Sí, no vale nada"
        : undefined;
  const change = (ticket: Ticket) =>
    withLineChange(withQuantity(ticket, line.id, amount!), line.id, { price: price!, discount_percent: discount! });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    if (question !== asked) setAsked(question);
    else edit(change, onClose);
  }
  const remove = () => edit((ticket) => withQuantity(ticket, line.id, 0), onClose);
  useScan({
    take() {
      if (isValid && !question && isFree(change)) edit(change);
      onClose();
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
          meaning="quantity"
          decimals={line.sold_by_weight ? 3 : 0}
          autoFocus
          hasSteps={!line.sold_by_weight}
          example={line.sold_by_weight ? "1,250" : "3"}
          hint={`${pesos(line.price)} ${unit ? `por ${unit}` : "cada uno"}`}
        />
        {amount === 0 && <p className="problem">Para quitar la línea, toque «Quitar».</p>}
        <PriceField unit={unit} value={price} onChange={setPrice} />
        <NumberField
          label="Descuento en %"
          value={discount}
          onChange={setDiscount}
          decimals={2}
          most={100}
          hint="De 0 a 100"
        />
        <div className="buttons">
          <button type="button" className="danger" onClick={remove}>
            Quitar
          </button>
          <button type="submit" className="primary" disabled={!isValid}>
            {question !== undefined && asked === question ? question : "Guardar"}
          </button>
        </div>
      </form>
    </Panel>
  );
}

interface PriceProps {
  unit: string | undefined;
  value: number | undefined;
  onChange: (price: number | undefined) => void;
}

function PriceField({ unit, ...field }: PriceProps) {
  return <NumberField label={unit ? `Precio por ${unit}` : "Precio de cada uno"} meaning="price" {...field} />;
}
