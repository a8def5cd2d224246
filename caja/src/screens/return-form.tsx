import { type FormEvent, useEffect, useRef, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos, quantity } from "../../../register/format.ts";
import { leftOf, planOf } from "../../../register/returning.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { isMeasured, type Scanned, unitsOf } from "../../../register/scanned.ts";
import { meansOffered, paymentName } from "../../../src/taxes/means.ts";
import { isCountedUnit } from "../../../src/taxes/units.ts";
import { useScan } from "../scan/use-scan.ts";
import { NumberField } from "../ui/number-field.tsx";
import { play } from "../ui/sounds.ts";
import { useOpen } from "../use-device.ts";

interface Props {
  sale: KeptSale;
  onReturn: (wanted: { item_id: string; quantity: number }[], method: string, reason: string) => void;
  onClose: () => void;
}

/** Which lines come back, how many of each, and how the money is given back; the sum is the server's to the peso. */
export function ReturnForm({ sale, onReturn, onClose }: Props) {
  const { register, counter } = useOpen();
  const left = leftOf(sale);
  const [amounts, setAmounts] = useState<Record<string, number | undefined>>({});
  const [method, setMethod] = useState(sale.data.payment_method);
  const [reason, setReason] = useState("");
  // A register of others may have taken a means that this one does not offer.
  const offered = [...new Set([sale.data.payment_method, ...meansOffered("counter")])];
  const wanted = Object.entries(amounts).flatMap(([item_id, amount]) =>
    amount ? [{ item_id, quantity: amount }] : [],
  );
  const { total, problem } = refundOf(sale, wanted);
  /** Part of two kilos comes back; of a piece, never. */
  function isWhole({ product_id, quantity: sold }: KeptSale["data"]["items"][number]): boolean {
    const product = product_id && (register.catalog.get("product", product_id) as CatalogProduct | undefined);
    return product ? !product.sold_by_weight && isCountedUnit(product.base_unit) : Number.isInteger(sold);
  }
  /** The fields are drawn anew with all that is left. */
  const [filled, setFilled] = useState(0);
  function takeAll() {
    setAmounts(Object.fromEntries(left));
    setFilled(filled + 1);
  }
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fields that are drawn anew have lost the focus
  useEffect(() => {
    if (!form.current!.contains(document.activeElement)) form.current!.querySelector("input")?.focus();
  }, [filled]);
  const [remark, setRemark] = useState<string>();
  /** What comes back over the counter is scanned: one more of it, as long as the sale has that many. */
  useScan({
    isKnown: (code) => counter.find(code) !== undefined,
    take(code) {
      const found = counter.find(code);
      const more = found && !(found.product.sold_by_weight && !isMeasured(found)) ? unitsOf(found, 1) : 0;
      const fits = ({ id, product_id, variant_id }: KeptSale["data"]["items"][number]) =>
        product_id === found?.product.id &&
        variant_id === (found?.variant?.id ?? null) &&
        more > 0 &&
        (amounts[id] ?? 0) + more <= (left.get(id) ?? 0);
      const item = sale.data.items.find(fits);
      setRemark(item ? undefined : remarkOn(sale, code, found));
      play(item ? "added" : "unknown");
      if (!item) return undefined;
      setAmounts({ ...amounts, [item.id]: (amounts[item.id] ?? 0) + more });
      setFilled(filled + 1);
      return undefined;
    },
  });
  const missing =
    wanted.length === 0 ? "Escriba cuántos se devuelven." : reason.trim() === "" ? "Escriba el motivo." : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (total === undefined || missing) return;
    onReturn(wanted, method, reason.trim());
  }
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      {sale.data.items
        .filter(({ id }) => (left.get(id) ?? 0) > 0)
        .map((item) => (
          <NumberField
            key={`${item.id} ${filled}`}
            label={item.description}
            value={amounts[item.id] ?? 0}
            onChange={(amount) => setAmounts({ ...amounts, [item.id]: amount })}
            decimals={isWhole(item) ? 0 : 6}
            meaning="quantity"
            example={isWhole(item) ? "2" : "1,5"}
            hint={`Se pueden devolver ${quantity(left.get(item.id) ?? 0)}`}
          />
        ))}
      <button type="button" onClick={takeAll}>
        Devolver todo
      </button>
      <div className="pair">
        <label className="field">
          <span>El dinero se devuelve en</span>
          <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
            {offered.map((one) => (
              <option key={one} value={one}>
                {paymentName(one)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Motivo</span>
          <input value={reason} onChange={(event) => setReason(event.currentTarget.value)} maxLength={200} />
        </label>
      </div>
      {remark && (
        <p role="alert" className="problem">
          {remark}
        </p>
      )}
      {problem && wanted.length > 0 && <p className="problem">{problem}</p>}
      {total !== undefined && (
        <p className="due">
          <span>A devolver</span> <strong>{pesos(total)}</strong>
        </p>
      )}
      {missing && <p className="dim">{missing}</p>}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          No devolver
        </button>
        <button type="submit" className="primary" disabled={total === undefined || missing !== undefined}>
          Devolver
        </button>
      </div>
    </form>
  );
}

function remarkOn({ data }: KeptSale, code: string, found: Scanned | undefined): string {
  if (!found) return `Ningún producto tiene el código ${code}.`;
  const { product, variant } = found;
  const name = variant ? `${product.name} · ${variant.label}` : product.name;
  const isSold = data.items.some(
    ({ product_id, variant_id }) => product_id === product.id && variant_id === (variant?.id ?? null),
  );
  if (!isSold) return `${name} no está en esta venta: no se puede devolver aquí.`;
  return product.sold_by_weight && !isMeasured(found)
    ? `${name} se vende por peso: escriba cuánto se devuelve.`
    : `De ${name} no hay más que devolver en esta venta.`;
}

function refundOf(
  sale: KeptSale,
  wanted: { item_id: string; quantity: number }[],
): { total?: number; problem?: string } {
  try {
    return { total: planOf(sale, wanted).total };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
