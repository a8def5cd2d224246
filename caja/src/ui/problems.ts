import { TakenOverError } from "../../../register/stores/indexed-db-store.ts";
import { FiscalError } from "../../../src/taxes/fiscal-error.ts";

/** No answer, or one that asks to come back later. */
export const awayService =
  "El servicio no responde. Siga vendiendo: lo que venda queda guardado aquí y sube solo cuando vuelva.";

/** The browser's answer to the wish that it keep the register's store. */
export const kept = "El navegador prometió conservar lo que esta caja guarda, aunque falte espacio.";
export const notKept =
  "El navegador no promete conservar lo que esta caja guarda si al equipo le falta espacio. Instálela desde el menú del navegador o agréguela a los marcadores, y no borre los datos del sitio.";

/** Somebody answers in the service's place. */
export const unreadableService =
  "Lo que responde no es el servicio: revise si la red pide ingresar, o avise a quien lo administra. Lo vendido está guardado aquí.";

/** A register may be this far off, as in the portal: the owner is shown the same ones. */
const tolerableMinutes = 5;
const day = 24 * 60;

/** What is wrong with this device's clock, which every sale takes its time from. */
export function clockProblem(minutesAhead: number): string | undefined {
  const minutes = Math.abs(minutesAhead);
  if (minutes <= tolerableMinutes) return undefined;
  const amount =
    minutes >= 2 * day
      ? `${Math.round(minutes / day).toLocaleString("es-CO")} días`
      : minutes >= 120
        ? `${Math.round(minutes / 60)} horas`
        : `${minutes} minutos`;
  return `El reloj de este equipo está ${minutesAhead > 0 ? "adelantado" : "atrasado"} ${amount}. Las ventas llevan su fecha y su hora: corríjalas en los ajustes del equipo.`;
}

/** Why something could not be stored. Nothing was sold: the cashier may try again. */
export function storeProblem(error: unknown, { isSale = false } = {}): string {
  if (error instanceof FiscalError) return `No se puede vender así: ${error.message.replace(/^[^:]*: /, "")}.`;
  if (error instanceof TakenOverError)
    return "La caja se abrió en otra pestaña, así que aquí no quedó registrado. Siga en la otra, o toque «Usarla aquí».";
  if (error instanceof Error && error.name === "QuotaExceededError")
    return isSale
      ? "No hay espacio en este equipo y la venta no quedó registrada. Libere espacio y vuelva a cobrar."
      : "No hay espacio en este equipo, así que no quedó registrado. Libere espacio y pruebe de nuevo.";
  return "El navegador no pudo guardarlo, así que no quedó registrado. Pruebe de nuevo; si sigue, recargue la página.";
}
