import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";

export interface Certificate {
  /** PEM. Being self-signed, it is also what WEBHOOK_CA_FILE must hold. */
  cert: string;
  key: string;
}

/** A certificate for the given names, for receivers in demos and tests. */
export async function selfSigned(names: readonly string[], validDays = 365): Promise<Certificate> {
  // Loaded on demand: the service itself never needs it, and it takes 22 MB.
  const { generate } = await import("selfsigned");
  const now = Date.now();
  const made = await generate([{ name: "commonName", value: must(names[0], "A certificate has at least one name") }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now + Math.min(0, validDays - 1) * day - day),
    notAfterDate: new Date(now + validDays * day),
    extensions: [{ name: "subjectAltName", altNames: names.map((value) => ({ type: 2 as const, value })) }],
  });
  return { cert: made.cert, key: made.private };
}
