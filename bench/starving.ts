import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createEnrolmentCode } from "../src/access/devices/create-enrolment-code.ts";
import { startMostrador } from "../test/support/process.ts";
import type { BenchOptions } from "./options.ts";
import { type Bench, type BenchShop, benchSecretKey, newShop, startBench } from "./support/dataset.ts";
import { type AttackOptions, type HostileRegister, largeSales, push } from "./support/hostile-requests.ts";
import type { Figure } from "./support/measure.ts";
import { allowed, type Latencies, p99, signIn, watchNeighbour } from "./support/watched-neighbour.ts";

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
    const cookie = await signIn(service.url, "tienda2@example.com");
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
      allowed("neighbour alone, p99", "ms", alone, allowedRiseMs),
      allowed(
        "neighbour beside a hostile business, rise of its p99",
        "ms",
        Math.max(0, p99(beside) - alone),
        allowedRiseMs,
      ),
      allowed("neighbour's requests that failed", "requests", failed, 1),
      allowed("memory of the service, at most", "MB", peakMb, allowedMb),
    ];
  } finally {
    clearInterval(memory);
    attacker?.kill();
    await watched.stop();
    await service.stop();
    await bench.stop();
  }
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
