import { fileURLToPath } from "node:url";
import { measureLatency, measureThroughput, type Throughput } from "./end-to-end/measure.ts";
import { startReceiver } from "./end-to-end/receiver.ts";
import { type Side, startSide } from "./end-to-end/side.ts";
import type { BenchOptions } from "./options.ts";
import { type Figure, median, share } from "./support/measure.ts";

const ours = fileURLToPath(new URL("..", import.meta.url));
const perSecond = 100;

/**
 * A call that ends in a delivered webhook, compared with another checkout of this project (`--against <folder>`), each with
 * its own service and PostgreSQL, in turns. Without another checkout it is compared with itself, which shows the noise.
 */
export async function run({ seconds, rounds, against, note }: BenchOptions): Promise<Figure[]> {
  const other = against ?? ours;
  return [
    ...(await throughput(other, 1, seconds, rounds, note)),
    ...(await throughput(other, 24, seconds, rounds, note)),
    ...(await latency(other, seconds, rounds, note)),
  ];
}

async function throughput(
  other: string,
  accounts: number,
  seconds: number,
  rounds: number,
  note: (text: string) => void,
): Promise<Figure[]> {
  const name = `${accounts} account${accounts > 1 ? "s" : ""}`;
  note(`end to end: ${name}`);
  const taken = await inTurns<Throughput>(other, { accounts, path: "/all" }, rounds, (side, receiver) =>
    measureThroughput(side, receiver, seconds),
  );
  const of = (read: (one: Throughput) => number): [number, number] => [
    median(taken.ours.map(read)),
    median(taken.other.map(read)),
  ];
  return [
    share(
      `calls delivered, ${name}`,
      "1/s",
      of(({ rate }) => rate),
    ),
    share(
      `processor per call, ${name}`,
      "ms",
      of(({ cpuMs }) => cpuMs),
    ),
  ];
}

async function latency(
  other: string,
  seconds: number,
  rounds: number,
  note: (text: string) => void,
): Promise<Figure[]> {
  note("end to end: latency");
  const taken = await inTurns(other, { accounts: 1, path: "/timed" }, rounds, (side, receiver) =>
    measureLatency(side, receiver, { perSecond, seconds }),
  );
  const sorted = [taken.ours.flat(), taken.other.flat()].map((all) => all.toSorted((a, b) => a - b));
  const at = (part: number) => sorted.map((all) => all[Math.floor(all.length * part)]!) as [number, number];
  return [
    share(`answer → receipt at ${perSecond}/s, p50`, "ms", at(0.5)),
    share(`answer → receipt at ${perSecond}/s, p99`, "ms", at(0.99)),
  ];
}

async function inTurns<T>(
  other: string,
  shops: { accounts: number; path: string },
  rounds: number,
  measure: (side: Side, receiver: Awaited<ReturnType<typeof startReceiver>>) => Promise<T>,
): Promise<{ ours: T[]; other: T[] }> {
  const receiver = await startReceiver();
  const sides: Side[] = [];
  const taken: [T[], T[]] = [[], []];
  try {
    for (const checkout of [ours, other]) sides.push(await startSide(checkout, receiver, shops));
    for (const side of sides) await measure(side, receiver);
    for (let i = 0; i < rounds; i++)
      for (const [n, side] of sides.entries()) taken[n]!.push(await measure(side, receiver));
  } finally {
    for (const side of sides) await side.stop();
    await receiver.stop();
  }
  return { ours: taken[0], other: taken[1] };
}
