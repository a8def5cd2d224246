import { type FormEvent, type ReactNode, useState } from "react";
import type { Permit } from "../../../register/cashiers.ts";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { quantity } from "../../../register/format.ts";
import type { StockView } from "../../../register/stock.ts";
import { type Warehouse, warehousesIn } from "../../../register/warehouses.ts";
import { isCountedUnit } from "../../../src/taxes/units.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useDevice, useOpen } from "../use-device.ts";

interface Props {
  product: CatalogProduct;
  view: StockView;
  onMoved: () => Promise<void>;
  onClose: () => void;
}

type Asking = "count" | "receive" | "transfer";
type Work = (permit: Permit) => Promise<string>;

/** A product's stock in each warehouse, and what may be done about it. */
export function StockDialog({ product, view, onMoved, onClose }: Props) {
  const { register } = useOpen();
  const device = useDevice();
  const [asking, setAsking] = useState<Asking>();
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState<string>();
  const warehouses = warehousesIn(register.catalog);
  const authorize = useAuthorization();
  async function run(what: string, work: Work) {
    setProblem(undefined);
    const permit = await authorize("stock", [`${product.name}: ${what}`]);
    if (!permit) return;
    try {
      setSaid(await work(permit));
      setAsking(undefined);
      device.wake();
      await onMoved();
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  const form = { product, warehouses, view, onRun: (what: string, work: Work) => void run(what, work) };
  return (
    <Dialog title={product.name} onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          {warehouses.map(({ id, name }) => (
            <Place key={id} name={name} amount={view.in(product.id, id)} unit={product.base_unit} />
          ))}
          {view.in(product.id, null) !== 0 && (
            <Place name="Sin bodega" amount={view.in(product.id, null)} unit={product.base_unit} />
          )}
          {warehouses.length > 1 && <Place name="Total" amount={view.total(product.id)} unit={product.base_unit} />}
        </dl>
        {said && <p role="status">{said}</p>}
        {problem && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        {view.at === null && <p className="notice">Para contar hacen falta las existencias del servicio.</p>}
        {asking === "count" && <CountForm {...form} />}
        {asking === "receive" && <ReceiveForm {...form} />}
        {asking === "transfer" && <TransferForm {...form} />}
        {asking === undefined && (
          <div className="buttons">
            <button type="button" disabled={view.at === null} onClick={() => setAsking("count")}>
              Contar
            </button>
            <button type="button" onClick={() => setAsking("receive")}>
              Recibir
            </button>
            {warehouses.length > 1 && (
              <button type="button" onClick={() => setAsking("transfer")}>
                Trasladar
              </button>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Place({ name, amount, unit }: { name: string; amount: number; unit: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {quantity(amount)} {unit}
      </dd>
    </>
  );
}

interface FormProps {
  product: CatalogProduct;
  warehouses: Warehouse[];
  view: StockView;
  /** What is done, in words, and the doing of it. */
  onRun: (what: string, work: Work) => void;
}

function CountForm({ product, warehouses, view, onRun }: FormProps) {
  const { stock } = useOpen();
  const [place, setPlace] = useState(warehouses[0]?.id ?? null);
  const [counted, setCounted] = useState<number>();
  const count: Work = async (permit) => {
    const difference = await stock.count(product.id, place, counted!, permit);
    if (difference === 0) return "Cuadra: no hay nada que ajustar.";
    return `Ajustado: ${difference > 0 ? "sobraban" : "faltaban"} ${quantity(Math.abs(difference))}.`;
  };
  const believed = quantity(view.in(product.id, place));
  const what = () => `se contaron ${quantity(counted!)} ${product.base_unit}, y la caja cree que hay ${believed}`;
  return (
    <MovementForm action="Registrar el conteo" isValid={counted !== undefined} onSubmit={() => onRun(what(), count)}>
      <PlaceField label="Dónde contó" warehouses={warehouses} value={place} onChange={setPlace} />
      <QuantityField
        question="Cuánto hay"
        product={product}
        value={counted}
        onChange={setCounted}
        hint={`La caja cree que hay ${believed}`}
      />
    </MovementForm>
  );
}

function ReceiveForm({ product, warehouses, onRun }: FormProps) {
  const { stock } = useOpen();
  const [place, setPlace] = useState(warehouses[0]?.id ?? null);
  const [amount, setAmount] = useState<number>();
  const [cost, setCost] = useState<number>();
  const [reference, setReference] = useState("");
  const receive: Work = async (permit) => {
    const paid = { unitCost: cost ?? null, reference: reference.trim() || null };
    await stock.receive({ productId: product.id, warehouseId: place, quantity: amount!, ...paid }, permit);
    return `Entraron ${quantity(amount!)} ${product.base_unit}.`;
  };
  const what = () => `entran ${quantity(amount!)} ${product.base_unit}`;
  return (
    <MovementForm action="Registrar la entrada" isValid={Boolean(amount)} onSubmit={() => onRun(what(), receive)}>
      <PlaceField label="Dónde entra" warehouses={warehouses} value={place} onChange={setPlace} />
      <QuantityField question="Cuánto llegó" product={product} value={amount} onChange={setAmount} />
      <NumberField label="Costo de cada uno (opcional)" value={cost} onChange={setCost} />
      <label className="field">
        <span>Factura del proveedor (opcional)</span>
        <input value={reference} onChange={(event) => setReference(event.currentTarget.value)} maxLength={100} />
      </label>
    </MovementForm>
  );
}

function TransferForm({ product, warehouses, onRun }: FormProps) {
  const { stock } = useOpen();
  const [from, setFrom] = useState<string | null>(warehouses[0]!.id);
  const [to, setTo] = useState<string | null>(warehouses[1]!.id);
  const [amount, setAmount] = useState<number>();
  const transfer: Work = async (permit) => {
    await stock.transfer(product.id, from!, to!, amount!, permit);
    return `Trasladados ${quantity(amount!)} ${product.base_unit}.`;
  };
  const isValid = Boolean(amount) && from !== to;
  const nameOf = (wanted: string | null) => warehouses.find(({ id }) => id === wanted)?.name ?? "";
  const what = () => `pasan ${quantity(amount!)} ${product.base_unit} de ${nameOf(from)} a ${nameOf(to)}`;
  return (
    <MovementForm action="Registrar el traslado" isValid={isValid} onSubmit={() => onRun(what(), transfer)}>
      <PlaceField label="Sale de" warehouses={warehouses} value={from} onChange={setFrom} />
      <PlaceField label="Entra a" warehouses={warehouses} value={to} onChange={setTo} />
      <QuantityField question="Cuánto se lleva" product={product} value={amount} onChange={setAmount} />
      {from === to && <p className="problem">Elija dos bodegas distintas.</p>}
    </MovementForm>
  );
}

function MovementForm(props: { action: string; isValid: boolean; onSubmit: () => void; children: ReactNode }) {
  const { action, isValid, onSubmit, children } = props;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValid) onSubmit();
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <button type="submit" className="primary big" disabled={!isValid}>
        {action}
      </button>
    </form>
  );
}

/** In the product's own unit; pieces are whole. */
function QuantityField(props: {
  question: string;
  product: CatalogProduct;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  hint?: string;
}) {
  const { question, product, ...field } = props;
  const unit = product.base_unit;
  return (
    <NumberField label={`${question} (${unit})`} meaning="quantity" decimals={isCountedUnit(unit) ? 0 : 3} {...field} />
  );
}

/** With one warehouse there is nothing to choose. */
function PlaceField(props: {
  label: string;
  warehouses: readonly Warehouse[];
  value: string | null;
  onChange: (id: string) => void;
}) {
  const { label, warehouses, value, onChange } = props;
  if (warehouses.length < 2) return null;
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value)}>
        {warehouses.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
