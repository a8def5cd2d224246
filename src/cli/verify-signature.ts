import { readFileSync } from "node:fs";
import { verifySignature } from "../webhooks/endpoints/signature.ts";
import { type Command, required, UsageError } from "./command.ts";

export const verifySignatureCommand: Command = {
  name: "verify-signature",
  summary: "Comprueba la firma de un webhook guardado, y dice qué falla",
  usage: "--secret whsec_… --header 't=…,v1=…' --body cuerpo.json   (--body - lee de la entrada)",
  options: {
    secret: "Secreto del endpoint, completo, con whsec_",
    header: "La cabecera Service-Signature tal como llegó",
    body: "Archivo con el cuerpo, byte por byte como llegó; - para la entrada estándar",
    now: "Segundos Unix contra los que se compara la hora; por omisión, los de la firma",
  },
  async run(invocation) {
    const secret = required(invocation, "secret");
    const header = required(invocation, "header").replace(/^service-signature:\s*/i, "");
    const body = readBody(required(invocation, "body"));
    const now = invocation.options.now === undefined ? undefined : Number(invocation.options.now);
    const signedAt = timeOf(header);
    const reason = whyInvalid(body, header, secret, now ?? signedAt);
    const valid = reason === null;
    invocation.out.result(
      { valid, reason, signed_at: Number.isNaN(signedAt) ? null : new Date(signedAt * 1000).toISOString() },
      valid ? "La firma es válida." : `La firma no es válida: ${reason}`,
    );
    if (!valid) process.exitCode = 1;
  },
};

function readBody(file: string): Buffer {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new UsageError(`No se puede leer ${file}: ${(error as Error).message}.`);
  }
}

/** Null for a valid signature; otherwise the first common mistake that explains it. */
export function whyInvalid(body: Buffer, header: string, secret: string, now: number): string | null {
  const signedAt = timeOf(header);
  const isValid = (text: Buffer | string, at = signedAt) => verifySignature(text, header, secret, at);
  if (isValid(body, now)) return null;
  if (Number.isNaN(signedAt)) return "la cabecera no tiene t=<segundos>.";
  if (!/(^|,)v1=[0-9a-f]{64}(,|$)/.test(header)) return "la cabecera no tiene ningún v1 de 64 dígitos hexadecimales.";
  if (isValid(body)) {
    return `la firma es buena, pero su hora está a ${Math.abs(now - signedAt)} s del reloj; se toleran 300.`;
  }
  if (!secret.startsWith("whsec_")) return "el secreto no empieza por whsec_: use el secreto completo, con su prefijo.";
  if (isValid(body.toString("utf8").replace(/\r?\n$/, ""))) {
    return "al cuerpo le sobra un salto de línea al final: guárdelo tal como llegó.";
  }
  if (isValid(compact(body)))
    return "el cuerpo se volvió a escribir después de leerlo como JSON: use los bytes recibidos.";
  return "ningún v1 corresponde a este secreto y este cuerpo. Revise que el secreto sea el de este endpoint.";
}

function timeOf(header: string): number {
  return Number(/(?:^|,)t=(\d+)/.exec(header)?.[1] ?? Number.NaN);
}

function compact(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString("utf8")));
  } catch {
    return "";
  }
}
