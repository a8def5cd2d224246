import { type FormEvent, useState } from "react";
import { may } from "../../../register/cashiers.ts";
import type { CatalogProduct, CatalogVariant } from "../../../register/catalog.ts";
import { pesos } from "../../../register/format.ts";
import { freeLine, type TicketLine, withLine, withLineChange, withQuantity } from "../../../register/ticket.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { useCounter, useOpen } from "../use-device.ts";

export function WeightDialog(props: {
  product: CatalogProduct;
  onWeight: (quantity: number) => void;
  onClose: () => void;
}) {
  const { product, onWeight, onClose } = props;
  const [weight, setWeight] = useState<number>();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (weight) onWeight(weight);
  }
  return (
    <Dialog title={product.name} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <NumberField
          label={`Peso en ${product.base_unit}`}
          value={weight}
          onChange={setWeight}
          decimals={3}
          autoFocus
          hint={`${pesos(product.final_price)} por ${product.base_unit}`}
        />
        <button type="submit" className="primary big" disabled={!weight}>
          Agregar{weight ? ` · ${pesos(Math.round(weight * product.final_price))}` : ""}
        </button>
      </form>
    </Dialog>
  );
}

export function VariantDialog(props: {
  product: CatalogProduct;
  onChoose: (variant: CatalogVariant) => void;
  onClose: () => void;
}) {
  const { product, onChoose, onClose } = props;
  return (
    <Dialog title={product.name} onClose={onClose}>
      <div className="choices">
        {product.variants
          .filter(({ active }) => active !== false)
          .map((variant) => (
            <button key={variant.id} type="button" className="big" onClick={() => onChoose(variant)}>
              {variant.label} · {pesos(variant.final_price || product.final_price)}
            </button>
          ))}
      </div>
    </Dialog>
  );
}

const freeClasses = [
  ["standard", "Con el impuesto general"],
  ["reduced_5", "IVA 5 %"],
  ["exempt", "Exento"],
  ["excluded", "Excluido"],
] as const;

export function FreeLineDialog({ onClose }: { onClose: () => void }) {
  const { counter } = useOpen();
  const [description, setDescription] = useState("");
  const [price, setPrice] = useState<number>();
  const [taxClass, setTaxClass] = useState<string>("standard");
  function submit(event: FormEvent) {
    event.preventDefault();
    const line = freeLine(crypto.randomUUID(), description.trim(), price!, taxClass);
    counter.edit((ticket) => withLine(ticket, line));
    onClose();
  }
  return (
    <Dialog title="Línea libre" onClose={onClose}>
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
        <NumberField label="Precio" value={price} onChange={setPrice} />
        <label className="field">
          <span>Impuesto</span>
          <select value={taxClass} onChange={(event) => setTaxClass(event.currentTarget.value)}>
            {freeClasses.map(([key, title]) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="primary big" disabled={description.trim() === "" || price === undefined}>
          Agregar
        </button>
      </form>
    </Dialog>
  );
}

export function LineDialog({ line, onClose }: { line: TicketLine; onClose: () => void }) {
  const { counter } = useOpen();
  const { cashier } = useCounter();
  const [amount, setAmount] = useState<number | undefined>(line.quantity);
  const [discount, setDiscount] = useState<number | undefined>(line.discount_percent);
  const mayDiscount = may(cashier, "discount");
  const isValid = amount !== undefined && amount > 0 && discount !== undefined && discount <= 100;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid) return;
    counter.edit((ticket) =>
      withLineChange(withQuantity(ticket, line.id, amount), line.id, { discount_percent: discount }),
    );
    onClose();
  }
  function remove() {
    counter.edit((ticket) => withQuantity(ticket, line.id, 0));
    onClose();
  }
  return (
    <Dialog title={line.description} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <NumberField
          label={line.sold_by_weight ? "Peso" : "Cantidad"}
          value={amount}
          onChange={setAmount}
          decimals={line.sold_by_weight ? 3 : 0}
          autoFocus
        />
        {mayDiscount && (
          <NumberField label="Descuento en %" value={discount} onChange={setDiscount} decimals={2} hint="De 0 a 100" />
        )}
        <div className="buttons">
          <button type="button" className="danger" onClick={remove}>
            Quitar
          </button>
          <button type="submit" className="primary" disabled={!isValid}>
            Guardar
          </button>
        </div>
      </form>
    </Dialog>
  );
}
