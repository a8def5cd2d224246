import { hkdfSync } from "node:crypto";
import { openWith, sealWith } from "../../lib/secret-box.ts";

/** Endpoint secrets at rest, each bound to its endpoint: a row's secret cannot be put into another row. */
export interface SecretBox {
  seal(secret: string, endpointId: string): Buffer;
  open(sealed: Buffer, endpointId: string): string;
}

/** The key is derived once, not for each of the deliveries that a secret signs. */
export function secretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "mostrador webhook endpoint secrets", 32));
  return {
    seal: (secret, endpointId) => sealWith(key, secret, endpointId),
    open: (sealed, endpointId) => openWith(key, sealed, endpointId),
  };
}
