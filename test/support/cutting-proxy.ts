import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Chance, newChance } from "../../simulator/chance.ts";

/** When a connection is cut, relative to its COMMIT. */
export type Cut =
  /** PostgreSQL never receives the COMMIT. */
  | "before"
  /** PostgreSQL receives it when the client is already gone. */
  | "during"
  /** PostgreSQL has committed, but its confirmation does not reach the client. */
  | "after";

export interface CuttingProxy extends AsyncDisposable {
  /** The same database through the proxy. */
  url: string;
  commits: number;
  cuts: Record<Cut, number>;
  /** From here on nothing is cut. */
  calm(): void;
  /** Drops everything without closing connections, as when a cable is pulled. What is sent meanwhile is lost. */
  silence(isSilent: boolean): void;
}

// COMMIT is a prepared statement named by its own text; its name follows the empty name of a portal, or its text the name. No
// text that PostgreSQL accepts contains a zero byte, so no statement parameter can look like these. A message that is split
// over two packets is not recognized and passes uncut.
const commitMessage = Buffer.from("\0commit\0");
const committedMessage = Buffer.from("C\0\0\0\x0bCOMMIT\0");

/** Between a service and its PostgreSQL: cuts this share of the connections that are about to commit. */
export async function cuttingProxy(
  databaseUrl: string,
  { share, seed }: { share: number; seed: number },
): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const chance = newChance(seed);
  const open = new Set<Socket>();
  let isCalm = false;
  let isSilent = false;

  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    let awaited: Cut | undefined;
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        // Data that were already passed on still arrive.
        other.end();
      });
    }
    client.on("data", (chunk: Buffer) => {
      if (isSilent) return;
      const at = awaited ? -1 : chunk.indexOf(commitMessage);
      if (at >= 0) proxy.commits += 1;
      const cut = at >= 0 && !isCalm ? chooseCut(chance, share) : undefined;
      if (!cut) return void database.write(chunk);
      awaited = cut;
      proxy.cuts[cut] += 1;
      database.write(cut === "before" ? chunk.subarray(0, at) : chunk);
      if (cut !== "after") client.destroy();
    });
    database.on("data", (chunk: Buffer) => {
      if (isSilent) return;
      if (awaited === undefined) client.write(chunk);
      else if (chunk.includes(committedMessage)) client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  const proxy: CuttingProxy = {
    url: url.href,
    commits: 0,
    cuts: { before: 0, during: 0, after: 0 },
    calm() {
      isCalm = true;
    },
    silence(silent) {
      isSilent = silent;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

function chooseCut(chance: Chance, share: number): Cut | undefined {
  return chance.happens(share) ? chance.pick(["before", "during", "after"] as const) : undefined;
}
