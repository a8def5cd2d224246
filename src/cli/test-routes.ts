import { UsageError } from "./command.ts";
import type { Connection } from "./integrator.ts";

/** Asks a route that only a test installation has. */
export async function callTestRoute<T>(
  { url, key }: Connection,
  path: string,
  request: { method: string; body?: string },
): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url + path, { ...request, headers }).catch(() => {
    throw new UsageError(`No hay respuesta de ${url}. Revise --url y que el servicio esté encendido.`);
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: { code: string; message: string } };
  if (response.ok) return answer as T;
  if (response.status === 404 && answer.error?.code !== "NOT_FOUND")
    throw new UsageError(`En ${url} no se puede: solo lo hace una instalación de pruebas. Revise --url.`);
  throw new UsageError(`${answer.error?.code ?? response.status}: ${answer.error?.message ?? "Repita el comando."}`);
}
