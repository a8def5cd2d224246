import { FiscalError } from "../../../src/taxes/fiscal-error.ts";

/** Somebody answers in the service's place. */
export const unreadableService =
  "Lo que responde no es el servicio: revise si la red pide ingresar, o avise a quien lo administra. Lo vendido está guardado aquí.";

/** Why something could not be stored. Nothing was sold: the cashier may try again. */
export function storeProblem(error: unknown): string {
  if (error instanceof FiscalError) return `No se puede vender así: ${error.message.replace(/^[^:]*: /, "")}.`;
  if (error instanceof Error && error.name === "QuotaExceededError")
    return "No hay espacio en este equipo y la venta no quedó registrada. Libere espacio y vuelva a cobrar.";
  return "El navegador no pudo guardarlo, así que no quedó registrado. Pruebe de nuevo; si sigue, recargue la página.";
}
