import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type AttackOptions, hugeSale, largeSales, push } from "./hostile-requests.ts";

/** 40 pushes, 25 unread lists, 60 unread exports and 80 portal calls at once, each repeated as soon as it ends. */
function startAttack({ url, key, registers, cookie }: AttackOptions) {
  let isOver = false;
  const statuses = new Map<string, number>();
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const sockets = new Set<Socket>();
  const repeat = async (times: number, send: (i: number) => Promise<string>) => {
    await Promise.all(
      Array.from({ length: times }, async (_, i) => {
        while (!isOver) count(await send(i).catch(() => "cut"));
      }),
    );
  };
  const unread = (path: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      sockets.add(socket);
      socket.write(`GET /public/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      // After the status of a success, the rest of the response is never read.
      socket.once("data", (chunk) => {
        const status = chunk.toString("latin1", 9, 12);
        if (status === "200") socket.pause();
        else socket.destroy();
      });
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        setTimeout(() => resolve(`unread ${path.split("?")[0]}`), 50);
      });
    });
  const pages = ["/overview", "/attention", "/events", "/devices", "/audit-log"];
  const all = Promise.all([
    repeat(40, async (i) => {
      const status = await push(url, registers[i]!, i % 2 === 0 ? () => largeSales(4) : hugeSale);
      if (status !== 200) await delay(100);
      return `push ${status}`;
    }),
    repeat(25, () => unread("/sales?limit=100")),
    repeat(60, () => unread("/exports/sales")),
    repeat(80, async (i) => {
      const response = await fetch(`${url}/portal/api${pages[i % pages.length]}`, { headers: { cookie } });
      await response.arrayBuffer();
      if (response.status !== 200) await delay(100);
      return `portal ${response.status}`;
    }),
  ]);
  return {
    /** Returns how many requests ended with each status. */
    async stop(): Promise<string> {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      await all;
      return [...statuses].map(([what, times]) => `${what}: ${times}`).join(", ");
    },
  };
}

let options: AttackOptions;
let attack: ReturnType<typeof startAttack>;
process.on("message", (message: AttackOptions | "start" | "stop") => {
  if (message === "start") attack = startAttack(options);
  else if (message === "stop") void attack.stop().then((summary) => process.send!(summary));
  else options = message;
});
