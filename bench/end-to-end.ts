import { fileURLToPath } from "node:url";
import { measureCalls, measureLatency, measurePushes, type Throughput } from "./end-to-end/measure.ts";
import { type Receiver, startReceiver } from "./end-to-end/receiver.ts";
import { type Shops, type Side, startBareSide, startSide } from "./end-to-end/side.ts";
import type { BenchOptions } from "./options.ts";
import { type Figure, median, percentile, share, warmUps } from "./support/measure.ts";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const perSecond = 100;
const accountCounts = [1, 24];
/** What a process may take after the load. */
const maxMegabytes = 350;

const created = { path: "/all", types: ["customer.created"] };

/**
 * A call that ends in a delivered webhook, compared with another checkout of this project (`--against <folder>`), each by its own
 * `npm start` and with its own PostgreSQL, in turns; without one, with a bare handler that stores the same rows.
 */
export async function run(options: BenchOptions): Promise<Figure[]> {
  const { against, note, chart } = options;
  const other: Start =
    against === undefined ? startBareSide.bind(undefined, checkout) : startSide.bind(undefined, against);
  const figures: Figure[] = [];
  const parts: [ours: Throughput, other: Throughput][] = [];
  for (const accounts of accountCounts) {
    const name = `${accounts} account${accounts > 1 ? "s" : ""}`;
    note(`end to end: calls, ${name}`);
    const taken = await inTurns(other, { ...created, accounts }, options, measureCalls);
    figures.push(...throughputFigures("calls", name, taken.results));
    if (accounts === 1)
      figures.push(share("memory of the service after them, of what is allowed", "MB", [taken.memory, maxMegabytes]));
    parts.push(taken.results.map(middle) as [Throughput, Throughput]);
  }
  // The bare handler has no push of its own; `sync` compares pushes with bare INSERTs.
  if (against !== undefined) {
    note("end to end: pushes");
    const shops = { path: "/all", types: ["sale.completed"], accounts: 4, registers: true };
    figures.push(
      ...throughputFigures("pushed sales", "4 accounts", (await inTurns(other, shops, options, measurePushes)).results),
    );
  }
  note("end to end: latency");
  figures.push(...(await latency(other, options)));
  const limit = against === undefined ? "bare" : "before";
  chart({
    file: "end-to-end",
    title: "Processor for each call and its webhook with 1 and 24 accounts",
    unit: "µs",
    along: "accounts",
    at: accountCounts,
    series: [
      { name: "service", values: parts.map(([ours]) => Math.round(ours.service)) },
      { name: "PostgreSQL", values: parts.map(([ours]) => Math.round(ours.database)) },
      { name: `service, ${limit}`, values: parts.map(([, theirs]) => Math.round(theirs.service)) },
      { name: `PostgreSQL, ${limit}`, values: parts.map(([, theirs]) => Math.round(theirs.database)) },
    ],
  });
  return figures;
}

type Start = (receiver: Receiver, shops: Shops) => Promise<Side>;
type Both<T> = [ours: T[], other: T[]];

function throughputFigures(what: string, name: string, results: Both<Throughput>): Figure[] {
  const [ours, other] = results.map(middle) as [Throughput, Throughput];
  return [
    share(`${what} delivered, ${name}`, "1/s", [ours.rate, other.rate]),
    share(`processor for each, ${what}, ${name}`, "µs", [ours.service + ours.database, other.service + other.database]),
  ];
}

function middle(all: readonly Throughput[]): Throughput {
  return {
    rate: median(all.map(({ rate }) => rate)),
    service: median(all.map(({ service }) => service)),
    database: median(all.map(({ database }) => database)),
  };
}

async function latency(other: Start, options: BenchOptions): Promise<Figure[]> {
  const shops = { ...created, path: "/timed", accounts: 1 };
  const { results } = await inTurns(other, shops, options, (side, receiver, seconds) =>
    measureLatency(side, receiver, { perSecond, seconds }),
  );
  const [ours, theirs] = results.map((rounds) => rounds.flat()) as [number[], number[]];
  return [0.5, 0.99].map((part) =>
    share(`answer → receipt at ${perSecond}/s, p${part * 100}`, "ms", [
      percentile(ours, part),
      percentile(theirs, part),
    ]),
  );
}

async function inTurns<T>(
  startOther: Start,
  shops: Shops,
  { seconds, rounds }: BenchOptions,
  measure: (side: Side, receiver: Receiver, seconds: number) => Promise<T>,
): Promise<{ results: Both<T>; memory: number }> {
  const receiver = await startReceiver();
  const sides: Side[] = [];
  const results: Both<T> = [[], []];
  try {
    sides.push(await startSide(checkout, receiver, shops), await startOther(receiver, shops));
    for (let i = 0; i < warmUps + rounds; i++) {
      for (const [n, side] of sides.entries()) {
        const result = await measure(side, receiver, seconds);
        if (i >= warmUps) results[n]!.push(result);
      }
    }
    return { results, memory: await sides[0]!.memoryMegabytes() };
  } finally {
    for (const side of sides) await side.stop();
    await receiver.stop();
  }
}
