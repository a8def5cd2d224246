import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createEnrolmentCode } from "../src/devices/create-enrolment-code.ts";
import { startMostrador } from "../test/support/process.ts";
import type { BenchOptions } from "./main.ts";
import { type Bench, type BenchShop, benchSecretKey, newShop, startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";

const allowedRiseMs = 100;
const allowedMb = 600;

/** One business that does everything it can to take the service for itself, and what its neighbour notices of it. */
export async function run({ seconds, rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const [neighbour, hostile] = [await newShop(bench), await newShop(bench)];
  const service = await startMostrador({ DATABASE_URL: bench.url, SECRET_KEY: benchSecretKey });
  const watched = watchNeighbour(service.url, neighbour);
  let mostMb = 0;
  const memory = setInterval(() => (mostMb = Math.max(mostMb, residentMb(service.process.pid!))), 50);
  try {
    note("starving: the hostile business fills its shop");
    const tills = await enrolTills(bench, service.url, hostile);
    for (let i = 0; i < 25; i++) await push(service.url, tills[0]!, largeSales(4));
    const cookie = await signIn(service.url);
    const quiet: Taken[] = [];
    const beside: Taken[] = [];
    // In turn, because a machine that others use too is slow for some seconds at a time.
    for (let round = 1; round <= rounds; round++) {
      note(`starving: round ${round}, a quiet neighbour`);
      await delay(1_000);
      await watched.take();
      await delay(2 * seconds * 1_000);
      quiet.push(await watched.take());
      note(`starving: round ${round}, the same beside a hostile business`);
      const attack = startAttack(service.url, hostile, tills, cookie);
      await delay(2 * seconds * 1_000);
      beside.push(await watched.take());
      note(`starving: ${await attack.stop()}`);
    }
    const alone = p99(quiet);
    const failed = [...quiet, ...beside].reduce((sum, round) => sum + round.failed, 0);
    return [
      figure("neighbour alone, p99", "ms", alone, allowedRiseMs),
      figure(
        "neighbour beside a hostile business, rise of its p99",
        "ms",
        Math.max(0, p99(beside) - alone),
        allowedRiseMs,
      ),
      figure("neighbour's requests that failed", "requests", failed, 1),
      figure("memory of the service, at most", "MB", mostMb, allowedMb),
    ];
  } finally {
    clearInterval(memory);
    await watched.stop();
    await service.stop();
    await bench.stop();
  }
}

interface Taken {
  taken: number[];
  failed: number;
}

function watchNeighbour(url: string, { key }: BenchShop) {
  const worker = new Worker(new URL("./support/neighbour.ts", import.meta.url), { workerData: { url, key } });
  return {
    /** What it measured since the last call. */
    take: () =>
      new Promise<Taken>((resolve) => {
        worker.once("message", resolve);
        worker.postMessage("take");
      }),
    stop: () => worker.terminate(),
  };
}

interface Till {
  token: string;
  next: number;
}

async function enrolTills(bench: Bench, url: string, { accountId }: BenchShop): Promise<Till[]> {
  const tills: Till[] = [];
  for (let i = 0; i < 40; i++) {
    const { code } = await createEnrolmentCode(bench, { accountId, name: `Caja ${i}` });
    const answer = await fetch(`${url}/sync/v1/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    tills.push({ token: ((await answer.json()) as { token: string }).token, next: 1 });
  }
  return tills;
}

/** As large as the service still takes. */
function largeSales(count: number): object[] {
  const line = () => ({ id: randomUUID(), quantity: 1, unit_price: 1, subtotal: 1, description: "x".repeat(4_900) });
  return Array.from({ length: count }, () => ({
    type: "sale",
    id: randomUUID(),
    op: "upsert",
    data: {
      status: "completed",
      total: 50,
      occurred_at: new Date().toISOString(),
      items: Array.from({ length: 50 }, line),
    },
  }));
}

/** One record of a mebibyte, as before there was a limit. */
function hugeSale(): object[] {
  return largeSales(1).map((sale) => ({
    ...sale,
    data: { ...(sale as { data: object }).data, notes: "x".repeat(780_000) },
  }));
}

async function push(url: string, till: Till, records: object[]): Promise<number> {
  const numbered = records.map((record, i) => ({ device_seq: till.next + i, ...record }));
  const answer = await fetch(`${url}/sync/v1/push`, {
    method: "POST",
    headers: { authorization: `Bearer ${till.token}`, "content-type": "application/json" },
    body: JSON.stringify({ sent_at: new Date().toISOString(), records: numbered }),
  });
  await answer.arrayBuffer();
  if (answer.status === 200) till.next += records.length;
  return answer.status;
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/portal/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "tienda2@example.com", password: "sin importancia" }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** 40 pushes, 25 unread lists, 60 unread exports and 80 portal calls at once, each begun anew as soon as it ends. */
function startAttack(url: string, { key }: BenchShop, tills: Till[], cookie: string) {
  let isOver = false;
  const statuses = new Map<string, number>();
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const sockets = new Set<Socket>();
  const again = async (times: number, act: (i: number) => Promise<string>) => {
    await Promise.all(
      Array.from({ length: times }, async (_, i) => {
        while (!isOver) count(await act(i).catch(() => "cut"));
      }),
    );
  };
  const unread = (path: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      sockets.add(socket);
      socket.write(`GET /public/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      // The first bytes say what it is; a success is then left where it lies.
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
    again(40, async (i) => {
      const status = await push(url, tills[i]!, i % 2 === 0 ? largeSales(4) : hugeSale());
      if (status !== 200) await delay(100);
      return `push ${status}`;
    }),
    again(25, () => unread("/sales?limit=100")),
    again(60, () => unread("/exports/sales")),
    again(80, async (i) => {
      const answer = await fetch(`${url}/portal/api${pages[i % pages.length]}`, { headers: { cookie } });
      await answer.arrayBuffer();
      if (answer.status !== 200) await delay(100);
      return `portal ${answer.status}`;
    }),
  ]);
  return {
    /** What became of it all. */
    async stop(): Promise<string> {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      await all;
      return [...statuses].map(([what, times]) => `${what}: ${times}`).join(", ");
    },
  };
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** The median of what the rounds had. */
function p99(rounds: readonly Taken[]): number {
  return quantile(
    rounds.map(({ taken }) => quantile(taken, 0.99)),
    0.5,
  );
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}

function figure(name: string, unit: string, ours: number, limit: number): Figure {
  return { name, unit, ours: Math.round(ours * 10) / 10, limit, ratio: Math.round((ours / limit) * 1000) / 1000 };
}
