import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Endpoint secrets at rest: AES-256-GCM under a key derived from SECRET_KEY for this use alone. The endpoint's id is
 * authenticated with it, so that a row's secret cannot be put into another row.
 */
export interface SecretBox {
  seal(secret: string, endpointId: string): Buffer;
  open(sealed: Buffer, endpointId: string): string;
}

const formatVersion = 1;
const ivBytes = 12;
const tagBytes = 16;

export function secretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "mostrador webhook endpoint secrets", 32));
  return {
    seal(secret, endpointId) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(endpointId));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), text]);
    },
    open(sealed, endpointId) {
      if (sealed[0] !== formatVersion) throw new Error("The endpoint's secret was sealed in an unknown format");
      const iv = sealed.subarray(1, 1 + ivBytes);
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(endpointId)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString();
    },
  };
}
