import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "./eventually.ts";
import type { StartedService } from "./process.ts";

export interface RollingProxy extends AsyncDisposable {
  url: string;
  /** Connections that came while no process was ready. */
  turnedAway: number;
  /** Resolves once it is ready for a proxy. */
  add(service: StartedService): Promise<void>;
  remove(service: StartedService): void;
}

const lookEveryMs = 50;

/** What stands before the processes: new connections go in turns to those that /readyz?exclude=database calls ready. */
export async function rollingProxy(): Promise<RollingProxy> {
  const ready = new Map<StartedService, boolean>();
  const open = new Set<Socket>();
  let turns = 0;
  let isOn = true;
  const looking = (async () => {
    for (; isOn; await delay(lookEveryMs)) {
      for (const service of ready.keys()) {
        const answer = await fetch(`${service.adminUrl}/readyz?exclude=database`).catch(() => undefined);
        await answer?.arrayBuffer();
        if (ready.has(service)) ready.set(service, answer?.status === 200);
      }
    }
  })();
  const server = createServer({ noDelay: true }, (client) => {
    const targets = [...ready].filter(([, isReady]) => isReady).map(([service]) => service);
    const target = targets[turns++ % targets.length];
    if (!target) {
      proxy.turnedAway += 1;
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(target.url);
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.end();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: RollingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnedAway: 0,
    async add(service) {
      ready.set(service, false);
      await eventually(() => ready.get(service));
    },
    remove: (service) => void ready.delete(service),
    async [Symbol.asyncDispose]() {
      isOn = false;
      await looking;
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
