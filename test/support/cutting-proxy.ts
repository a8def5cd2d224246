import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Chance, newChance } from "../../simulator/chance.ts";

/** Where a connection is cut: what PostgreSQL knows then, and what its client knows. */
export type Cut =
  /** PostgreSQL never hears of the COMMIT. */
  | "before"
  /** PostgreSQL hears of it while the client is already gone. */
  | "during"
  /** PostgreSQL has committed and said so; the client does not hear it. */
  | "after";

export interface CuttingProxy extends AsyncDisposable {
  /** The same database, by way of the proxy. */
  url: string;
  commits: number;
  cuts: Record<Cut, number>;
  /** From here on nothing is cut. */
  calm(): void;
  /** Nothing passes any more, and nobody is told, as when a cable is pulled. Those who spoke meanwhile are never heard. */
  silence(isSilent: boolean): void;
}

// No text that PostgreSQL accepts holds a zero byte, so no parameter of a statement can look like these. A message that
// two packets share is not recognized, and passes uncut.
const commitMessage = Buffer.from("Q\0\0\0\x0bcommit\0");
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
        // What was passed on before still arrives.
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
