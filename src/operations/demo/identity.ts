import { createHmac } from "node:crypto";
import { newToken } from "../../lib/token.ts";

export const demoEmail = "demo@tienda.example";
export const demoName = "Tienda La Esquina";

/**
 * The demo's key, password and link are derived from the installation's secret: every start can print them, nothing is stored
 * in plain text, and no two installations share them.
 */
export function demoKey(secretKey: string): string {
  const pick = picker(secretKey, "demo key");
  return newToken("mst_test_", pick);
}

export function demoPassword(secretKey: string): string {
  const pick = picker(secretKey, "demo password");
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return `demo-${Array.from({ length: 8 }, () => letters[pick(letters.length)]).join("")}`;
}

/** The secret in the address that links a register to the demo shop. */
export function demoLink(secretKey: string): string {
  return createHmac("sha256", secretKey).update("demo register").digest("base64url");
}

function picker(secretKey: string, purpose: string): (below: number) => number {
  let counter = 0;
  return (below) => {
    counter += 1;
    return createHmac("sha256", secretKey).update(`${purpose} ${counter}`).digest().readUInt32BE(0) % below;
  };
}
