import { Refusal } from "../../../register/protocol.ts";

export class OtherBusinessError extends Error {}

/** What a refused link means, in words for whoever typed the code. */
export function linkProblem(error: unknown): string {
  if (error instanceof OtherBusinessError)
    return "Ese código es de otro negocio, y aquí hay ventas del anterior que no han subido. Vincúlela primero con un código del mismo negocio.";
  if (error instanceof Refusal && error.code === "ENROLMENT_CODE_INVALID")
    return "El código no sirve: se escribió mal, ya se usó o venció. Pida otro en el portal, en Cajas.";
  if (error instanceof Refusal && error.code === "RATE_LIMITED")
    return "Hubo demasiados intentos. Espere un minuto y pruebe de nuevo.";
  return "No se pudo hablar con el servicio. Revise la conexión y pruebe de nuevo.";
}
