import type { Client, Pool } from "../../src/db/pool.ts";

type Held = Set<"audit" | "accounts" | "clock">;

const locks = {
  audit: /insert into audit_heads\b/,
  accounts: /^\s*update accounts\b|\bfrom accounts\b(?!_)[^;]*\bfor (no key )?update/,
  clock: /\bupdate account_clock\b|\baccount_clock\b[^;]*\bfor update/,
} as const;

/**
 * Whoever has written an entry of the audit log holds the end of its account's chain, and must not wait for a lock on the account then:
 * somebody who holds that lock may be waiting for the chain. Every test with a service checks the statements of each transaction.
 */
export function watchLockOrder(pool: Pool): void {
  pool.on("connect", (client) => {
    const send = client.query as (...parts: unknown[]) => unknown;
    const held: Held = new Set();
    let isOpen = false;
    const watched = (first: unknown, ...rest: unknown[]) => {
      for (const text of textsOf(first)) {
        if (/^\s*begin\b/i.test(text)) isOpen = true;
        if (/^\s*(begin|commit|rollback)\b/i.test(text)) held.clear();
        if (/^\s*(commit|rollback)\b/i.test(text)) isOpen = false;
        if (isOpen) note(held, text);
      }
      return send.call(client, first, ...rest);
    };
    client.query = watched as Client["query"];
  });
}

function note(held: Held, text: string): void {
  for (const lock of ["accounts", "clock", "audit"] as const) {
    if (!locks[lock].test(text)) continue;
    // What skips a locked account waits for nobody, and has the lock of any other.
    const waits = !/\bskip locked\b/.test(text);
    if (lock !== "audit" && waits && held.has("audit") && !held.has(lock))
      throw new Error(`A transaction waits for the account after its entry in the audit log: ${text}`);
    held.add(lock);
  }
}

function textsOf(first: unknown): readonly string[] {
  if (typeof first === "string") return [first];
  const { text, texts } = first as { text?: unknown; texts?: readonly string[] };
  if (texts) return texts;
  return typeof text === "string" ? [text] : [];
}
