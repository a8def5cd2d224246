import type { Answer } from "./client.ts";

/** The status, error code and field of a refused request. A success has no code. */
export function refusal({ status, body }: Answer): [status: number, code?: string, param?: string] {
  return [status, body?.error?.code, body?.error?.param];
}

/** The refusal of an input field. */
export const refused = (param: string) => [400, "VALIDATION_ERROR", param];
