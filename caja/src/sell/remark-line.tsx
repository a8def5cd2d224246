import type { Scanned } from "../../../register/scanned.ts";
import { keys } from "../ui/keys.ts";

/** What a scan could not do. */
export type Remark =
  | { kind: "unknown"; code: string; isPast?: true }
  | { kind: "unweighed"; found: Scanned }
  | { kind: "taking_off" }
  | { kind: "many" | "part"; units: number };

/** What of it is still to be said when something else was added: that something is unpaid on the counter, or was not weighed. */
export function afterAdded(before: Remark | undefined, productId: string): Remark | undefined {
  if (before?.kind === "unknown") return { ...before, isPast: true };
  return before?.kind === "unweighed" && before.found.product.id !== productId ? before : undefined;
}

export function RemarkLine(props: {
  remark: Remark;
  onSearch: (text: string) => void;
  onCreate: (code: string) => void;
  onWeigh: (found: Scanned) => void;
  onDismiss: () => void;
}) {
  const { remark, onSearch, onCreate, onWeigh, onDismiss } = props;
  if (remark.kind === "taking_off")
    return (
      <p role="alert" className="problem">
        Antes del * va cuántas se agregan, desde 1. Para quitar, toque la línea en el tiquete, o márquela y oprima{" "}
        {keys.quantity.key}.
      </p>
    );
  if (remark.kind === "unweighed")
    return (
      <div role="alert" className="problem remark">
        <span>No se agregó {remark.found.product.name}: faltó el peso.</span>
        <button type="button" onClick={() => onWeigh(remark.found)}>
          Pesar
        </button>
        <button type="button" onClick={onDismiss}>
          Entendido
        </button>
      </div>
    );
  if (remark.kind !== "unknown") {
    const units = remark.units.toLocaleString("es-CO");
    return (
      <p role="alert" className="problem">
        {remark.kind === "many"
          ? `¿${units} unidades? Si es así, agregue una y cambie la cantidad con F5.`
          : `Se vende por unidades completas: ${units} no se puede.`}
      </p>
    );
  }
  return (
    <div role="alert" className={remark.isPast ? "notice remark past" : "problem remark"}>
      <span>
        {remark.isPast && "Antes: "}
        Ningún producto tiene el código {remark.code}.
      </span>
      <button type="button" onClick={() => onCreate(remark.code)}>
        Crear producto
      </button>
      <button type="button" onClick={() => onSearch(remark.code)}>
        Buscar
      </button>
      <button type="button" onClick={onDismiss}>
        Entendido
      </button>
    </div>
  );
}
