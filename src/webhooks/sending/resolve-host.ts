import { Resolver } from "node:dns/promises";

/** Every address of a name, both families. Rejects like node:dns when there is none. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Queries DNS directly. The system's getaddrinfo blocks a thread of a pool of four, so that one hanging name server would
 * stall every other endpoint, and it reads /etc/hosts, which has only internal names.
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 2_500, tries: 3 });
    if (servers) resolver.setServers([...servers]);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel);
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const found = [v4, v6].flatMap((result) => (result.status === "fulfilled" ? result.value : []));
      if (found.length === 0 && v4.status === "rejected") throw v4.reason;
      return found;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** Where a test installation connects for a name, like curl's --resolve. */
export interface FixedAddress {
  address: string;
  port: number;
}

/** WEBHOOK_RESOLVE: `hooks.example.com=127.0.0.1:8443,…`. Undefined when the text is malformed. */
export function parseFixedAddresses(text: string | undefined): ReadonlyMap<string, FixedAddress> | undefined {
  const entries = (text ?? "").split(",").filter((entry) => entry.trim() !== "");
  const parsed = entries.map((entry) =>
    /^\s*([a-z0-9.-]+)=(?:\[([0-9a-f:.]+)\]|(\d+\.\d+\.\d+\.\d+)):(\d{1,5})\s*$/i.exec(entry),
  );
  if (parsed.some((match) => match === null || Number(match[4]) > 65535)) return undefined;
  return new Map(
    parsed.map((match) => [match![1]!.toLowerCase(), { address: (match![2] ?? match![3])!, port: Number(match![4]) }]),
  );
}
