import { hkdfSync } from "node:crypto";
import { openWith, sealWith } from "../../lib/secret-box.ts";

/** Encrypts endpoint secrets for storage, each bound to its endpoint: copied to another row, it does not open. */
export interface SecretBox {
  seal(secret: string, endpointId: string): Buffer;
  open(sealed: Buffer, endpointId: string): string;
}

/** Derives the key once, not for each delivery. */
export function secretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "mostrador webhook endpoint secrets", 32));
  return {
    seal: (secret, endpointId) => sealWith(key, secret, endpointId),
    open: (sealed, endpointId) => openWith(key, sealed, endpointId),
  };
}
