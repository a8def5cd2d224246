import { createHmac } from "node:crypto";
import { currentKey, type SecretKeys } from "../../lib/secret-keys.ts";
import { newToken } from "../../lib/token.ts";

export const demoEmail = "demo@tienda.example";
export const demoName = "Tienda La Esquina";

/**
 * The demo's key and password are derived from the installation's secret: every start can print them, nothing is stored
 * in plain text, and no two installations share them.
 */
export function demoKey(secretKey: SecretKeys): string {
  const pick = picker(secretKey, "demo key");
  return newToken("mst_test_", pick);
}

export function demoPassword(secretKey: SecretKeys): string {
  const pick = picker(secretKey, "demo password");
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return `demo-${Array.from({ length: 8 }, () => letters[pick(letters.length)]).join("")}`;
}

function picker(secretKey: SecretKeys, purpose: string): (below: number) => number {
  let counter = 0;
  return (below) => {
    counter += 1;
    return createHmac("sha256", currentKey(secretKey)).update(`${purpose} ${counter}`).digest().readUInt32BE(0) % below;
  };
}
