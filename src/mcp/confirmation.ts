import { randomBytes } from "node:crypto";
import type { Access } from "../access/api-keys/access-cache.ts";
import { minute } from "../lib/clock.ts";
import { ApiError, validationError } from "../lib/errors.ts";
import { canonicalJson } from "../lib/json.ts";
import { acceptedKeys, currentKey, hmac, isMacOfAny, type SecretKeys } from "../lib/secret-keys.ts";

/** What a person was shown before agreeing: this call, with this input, by this key, on records in this state. */
export interface Shown {
  keys: SecretKeys;
  access: Pick<Access, "accountId" | "keyId">;
  tool: string;
  input: object;
}

export const confirmationMinutes = 10;
const [nonceBytes, stateBytes, macBytes] = [9, 6, 12];

/**
 * A short text that stands for what was shown: nothing of it is kept here. With it the same call makes the change, and no other call.
 */
export function confirmationOf(shown: Shown, state: unknown, now: Date): string {
  const expires = Math.floor((now.getTime() + confirmationMinutes * minute) / 1000).toString(36);
  const nonce = randomBytes(nonceBytes).toString("base64url");
  const content = `${expires}.${nonce}.${digestOf(shown, state, currentKey(shown.keys))}`;
  return `${content}.${macOf(shown, content, currentKey(shown.keys)).toString("base64url")}`;
}

export interface Confirmed {
  /** The same however often the confirmation is sent. */
  idempotencyKey: string;
  /** Whether the records are still as they were shown. */
  isOf(state: unknown): boolean;
}

/** Throws unless it was given for exactly this call, a few minutes ago. */
export function readConfirmation(shown: Shown, text: string, now: Date): Confirmed {
  const [expires = "", nonce = "", digest = "", mac = "", ...rest] = text.trim().split(".");
  const given = Buffer.from(mac, "base64url");
  const content = `${expires}.${nonce}.${digest}`;
  const isOurs = isMacOfAny(given, acceptedKeys(shown.keys), (key) => macOf(shown, content, key));
  if (rest.length > 0 || !isOurs)
    throw validationError([
      {
        param: "confirmation",
        message:
          "`confirmation` no es de esta llamada: los demás datos deben ser los mismos que se mostraron. Llame sin `confirmation` para ver el cambio de nuevo.",
      },
    ]);
  if (Number.parseInt(expires, 36) * 1000 < now.getTime())
    throw validationError([
      {
        param: "confirmation",
        message: `\`confirmation\` vale ${confirmationMinutes} minutos y ya pasaron. Llame sin él para ver el cambio de nuevo.`,
      },
    ]);
  return {
    idempotencyKey: `mcp:${nonce}`,
    isOf: (state) => acceptedKeys(shown.keys).some((key) => digestOf(shown, state, key) === digest),
  };
}

export function changedSince(): ApiError {
  return new ApiError("CONFLICT", {
    message:
      "El registro cambió desde la vista previa y no se hizo nada. Llame sin `confirmation` y muestre el cambio de nuevo.",
  });
}

function digestOf({ access }: Shown, state: unknown, key: string): string {
  return hmac(key, `assistant state\n${access.accountId}\n`, canonicalJson(state ?? null))
    .subarray(0, stateBytes)
    .toString("base64url");
}

function macOf({ access, tool, input }: Shown, content: string, key: string): Buffer {
  const said = `${access.accountId}\n${access.keyId}\n${tool}\n${canonicalJson(input)}\n`;
  return hmac(key, `assistant confirmation\n${said}`, content).subarray(0, macBytes);
}
