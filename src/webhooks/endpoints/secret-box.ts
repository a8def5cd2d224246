import { must } from "../../lib/must.ts";
import { keyIdOf, openWith, sealWith } from "../../lib/secret-box.ts";
import { acceptedKeys, derivedKey, type SecretKeys } from "../../lib/secret-keys.ts";

/** Encrypts endpoint secrets for storage, each bound to its endpoint: copied to another row, it does not open. */
export interface SecretBox {
  seal(secret: string, endpointId: string): Buffer;
  open(sealed: Buffer, endpointId: string): string;
}

/** Derives the keys once, not for each delivery. */
export function secretBox(secretKeys: SecretKeys): SecretBox {
  const keys = acceptedKeys(secretKeys).map((secretKey) => ({
    id: keyIdOf(secretKey),
    key: derivedKey(secretKey, "webhook endpoint secrets"),
  }));
  const current = must(keys[0], "There is always a current key");
  return {
    seal: (secret, endpointId) => sealWith(current, secret, endpointId),
    open: (sealed, endpointId) => openWith(keys, sealed, endpointId),
  };
}
