import { FiscalError } from "../../../src/taxes/fiscal-error.ts";

/** Why something could not be stored. Nothing was sold: the cashier may try again. */
export function storeProblem(error: unknown): string {
  if (error instanceof FiscalError) return `No se puede vender así: ${error.message.replace(/^[^:]*: /, "")}.`;
  if (error instanceof Error && error.name === "QuotaExceededError")
    return "No hay espacio en este equipo y la venta no quedó registrada. Libere espacio y vuelva a cobrar.";
  return "El navegador no pudo guardarlo, así que no quedó registrado. Pruebe de nuevo; si sigue, recargue la página.";
}
