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
import { type AttackOptions, type HostileRegister, largeSales, push } from "./support/hostile-requests.ts";
import type { Figure } from "./support/measure.ts";

const allowedRiseMs = 100;
const allowedMb = 600;

/** One business overloads the service as much as it can; measures how that affects another business. */
export async function run({ seconds, rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const [neighbour, hostile] = [await newShop(bench), await newShop(bench)];
  const service = await startMostrador({ DATABASE_URL: bench.url, SECRET_KEY: benchSecretKey });
  const watched = watchNeighbour(service.url, neighbour);
  let attacker: ReturnType<typeof startAttacker> | undefined;
  let peakMb = 0;
  const memory = setInterval(() => (peakMb = Math.max(peakMb, residentMb(service.process.pid!))), 50);
  try {
    note("starving: the hostile business fills its shop");
    const registers = await enrolRegisters(bench, service.url, hostile);
    for (let i = 0; i < 12; i++) while ((await push(service.url, registers[0]!, () => largeSales(4))) !== 200);
    const cookie = await signIn(service.url);
    attacker = startAttacker({ url: service.url, key: hostile.key, registers, cookie });
    const quiet: Latencies[] = [];
    const beside: Latencies[] = [];
    // In turns, because a shared machine can be slow for some seconds.
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
      figure("memory of the service, at most", "MB", peakMb, allowedMb),
    ];
  } finally {
    clearInterval(memory);
    attacker?.kill();
    await watched.stop();
    await service.stop();
    await bench.stop();
  }
}

interface Latencies {
  timesMs: number[];
  failed: number;
}

function watchNeighbour(url: string, { key }: BenchShop) {
  const worker = new Worker(new URL("./support/neighbour.ts", import.meta.url), { workerData: { url, key } });
  return {
    /** The measurements since the last call. */
    take: () =>
      new Promise<Latencies>((resolve) => {
        worker.once("message", resolve);
        worker.postMessage("take");
      }),
    stop: () => worker.terminate(),
  };
}

async function enrolRegisters(bench: Bench, url: string, { accountId }: BenchShop): Promise<HostileRegister[]> {
  const registers: HostileRegister[] = [];
  for (let i = 0; i < 40; i++) {
    const { code } = await createEnrolmentCode(bench, { accountId, name: `Caja ${i}` });
    const response = await fetch(`${url}/sync/v1/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    registers.push({ token: ((await response.json()) as { token: string }).token, next: 1 });
  }
  return registers;
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/portal/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "tienda2@example.com", password: "sin importancia" }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** A separate process with the lowest priority: a real attacker would not use this machine's CPU time. */
function startAttacker(options: AttackOptions) {
  const attacker = fork(new URL("./support/hostile.ts", import.meta.url), { serialization: "advanced" });
  setPriority(attacker.pid!, 19);
  attacker.send(options);
  return {
    start: () => attacker.send("start"),
    /** Returns how many requests ended with each status. */
    async stop(): Promise<string> {
      const summary = once(attacker, "message");
      attacker.send("stop");
      return (await summary)[0] as string;
    },
    kill: () => attacker.kill(),
  };
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** The median of the rounds' p99. */
function p99(rounds: readonly Latencies[]): number {
  return quantile(
    rounds.map(({ timesMs }) => quantile(timesMs, 0.99)),
    0.5,
  );
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}

function figure(name: string, unit: string, ours: number, limit: number): Figure {
  return { name, unit, ours: Math.round(ours * 10) / 10, limit, ratio: Math.round((ours / limit) * 1000) / 1000 };
}
