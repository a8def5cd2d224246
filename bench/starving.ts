import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createEnrolmentCode } from "../src/access/devices/create-enrolment-code.ts";
import { startMostrador } from "../test/support/process.ts";
import type { BenchOptions } from "./options.ts";
import { type Bench, type BenchShop, benchSecretKey, newShop, startBench } from "./support/dataset.ts";
import { type AttackOrders, largeSales, push, type Till } from "./support/hostile-requests.ts";
import type { Figure } from "./support/measure.ts";

const allowedRiseMs = 100;
const allowedMb = 600;

/** One business that does everything it can to take the service for itself, and what its neighbour notices of it. */
export async function run({ seconds, rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const [neighbour, hostile] = [await newShop(bench), await newShop(bench)];
  const service = await startMostrador({ DATABASE_URL: bench.url, SECRET_KEY: benchSecretKey });
  const watched = watchNeighbour(service.url, neighbour);
  let attacker: ReturnType<typeof hireAttacker> | undefined;
  let mostMb = 0;
  const memory = setInterval(() => (mostMb = Math.max(mostMb, residentMb(service.process.pid!))), 50);
  try {
    note("starving: the hostile business fills its shop");
    const tills = await enrolTills(bench, service.url, hostile);
    for (let i = 0; i < 12; i++) while ((await push(service.url, tills[0]!, () => largeSales(4))) !== 200);
    const cookie = await signIn(service.url);
    attacker = hireAttacker({ url: service.url, key: hostile.key, tills, cookie });
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
      attacker.start();
      await delay(2 * seconds * 1_000);
      beside.push(await watched.take());
      note(`starving: ${await attacker.stop()}`);
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
    attacker?.dismiss();
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

/** A process of its own that gives way to all others: on its own machine, an attacker would take none of this one's time. */
function hireAttacker(orders: AttackOrders) {
  const attacker = fork(new URL("./support/hostile.ts", import.meta.url), { serialization: "advanced" });
  setPriority(attacker.pid!, 19);
  attacker.send(orders);
  return {
    start: () => attacker.send("start"),
    /** What became of it all. */
    async stop(): Promise<string> {
      const told = once(attacker, "message");
      attacker.send("stop");
      return (await told)[0] as string;
    },
    dismiss: () => attacker.kill(),
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
