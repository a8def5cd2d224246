import type { Purchase } from "../lib/buying-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

export type Decision = "ordered" | "closed" | "cancelled";

/** What somebody decides, as it is asked and as it is told. */
const decisions: Record<Decision, { action: string; verb: string; done: string; text: (of: Purchase) => string }> = {
  ordered: {
    ...{ action: "Pedir", verb: "Pedir", done: "pedida" },
    text: ({ supplier_name }) => `Queda pedida a ${supplier_name}. Todavía puede cambiarla hasta que llegue algo.`,
  },
  closed: {
    ...{ action: "Cerrar", verb: "Cerrar", done: "cerrada" },
    text: () => "No se espera nada más de ella. Lo recibido se queda, y todavía se puede devolver.",
  },
  cancelled: {
    ...{ action: "Cancelar la compra", verb: "Cancelar", done: "cancelada" },
    text: () => "No se compra. Si llega algo, haga otra con lo que llegó.",
  },
};

export function DecisionDialog({
  purchase,
  to,
  run,
  onClose,
}: {
  purchase: Purchase;
  to: Decision;
  run: (to: Decision, said: string) => Promise<void>;
  onClose: () => void;
}) {
  const { action, verb, done, text } = decisions[to];
  return (
    <ConfirmDialog
      title={`¿${verb} la compra ${purchase.number}?`}
      action={action}
      danger={to === "cancelled"}
      run={() => run(to, `Compra ${purchase.number} ${done}.`)}
      onClose={onClose}
    >
      {text(purchase)}
    </ConfirmDialog>
  );
}

export const isDecision = (word: string): word is Decision => word in decisions;
