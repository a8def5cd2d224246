import { type Dispatcher, request } from "undici";
import { type Clock, second } from "../../../lib/clock.ts";
import type { Operation, ParametersOf } from "./envelope/operations.ts";
import { soapRequest } from "./envelope/request.ts";
import type { Signer } from "./signature/signer.ts";

export interface CallSettings {
  endpoint: string;
  clock: Clock;
  /** The annex counts an answer after more than a minute as delayed. */
  timeoutMs?: number;
  /** Connections of its own, for tests. */
  dispatcher?: Dispatcher;
}

export type Called = { kind: "answered"; status: number; text: string } | { kind: "lost"; message: string };

/** Enough for a verdict, which includes the authority's own signed answer in base64. */
const largestAnswerBytes = 8 * 1024 * 1024;

/** A call that brings no answer may have been processed all the same. */
export async function call<O extends Operation>(
  { endpoint, clock, timeoutMs = 60 * second, dispatcher }: CallSettings,
  signer: Signer,
  operation: O,
  parameters: ParametersOf<O>,
): Promise<Called> {
  const { headers, body } = await soapRequest(operation, parameters, { endpoint, signer, now: clock.now() });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await request(endpoint, {
      method: "POST",
      headers,
      body,
      signal,
      ...(dispatcher && { dispatcher }),
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response.body) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > largestAnswerBytes) return { kind: "lost", message: "La respuesta de la DIAN es demasiado grande." };
    }
    return { kind: "answered", status: response.statusCode, text: Buffer.concat(parts).toString("utf8") };
  } catch (error) {
    return { kind: "lost", message: whyLost(error as Error) };
  }
}

function whyLost(error: Error): string {
  if (error.name === "TimeoutError") return "La DIAN no respondió a tiempo.";
  const { code, message } = error as { code?: string; message: string };
  return `La DIAN no respondió (${code ?? message}).`;
}
