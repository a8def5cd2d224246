import { fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createKey } from "../src/access/api-keys/create-key.ts";
import { transaction } from "../src/db/transaction.ts";
import { scopes } from "../src/engine/resources/scopes.ts";
import { startMostrador } from "../test/support/process.ts";
import type { Attack, NeighbourAttack } from "./neighbours/attacks.ts";
import { measureMail } from "./neighbours/mail.ts";
import type { BenchOptions } from "./options.ts";
import { type Bench, type BenchShop, benchSecretKey, newShop, startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";
import { allowed, type Latencies, p99, signIn, watchNeighbour } from "./support/watched-neighbour.ts";

const allowedRiseMs = 100;
/** What somebody does beside the neighbour, as the figures name it. */
const attacks: Record<Attack, string> = {
  repeats: "repeated writes whose keys are pending",
  files: "hostile spreadsheets",
  keys: "unknown API keys from its own address",
};

/** One business, or a stranger, does one thing over and over; measures what another business notices of it. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  return [...(await measureRequests(options)), ...(await measureMail(options))];
}

async function measureRequests({ seconds, rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const [neighbour, hostile] = [await newShop(bench), await newShop(bench)];
  const service = await startMostrador({ DATABASE_URL: bench.url, SECRET_KEY: benchSecretKey });
  const watched = watchNeighbour(service.url, neighbour);
  const attacker = startAttacker({
    url: service.url,
    keys: await moreKeys(bench, hostile),
    cookie: await signIn(service.url, "tienda2@example.com"),
  });
  try {
    await delay(2_000);
    const figures: Figure[] = [];
    let failed = 0;
    for (const attack of Object.keys(attacks) as Attack[]) {
      const quiet: Latencies[] = [];
      const beside: Latencies[] = [];
      // In turns, because a shared machine can be slow for some seconds.
      for (let round = 1; round <= rounds; round++) {
        await watched.take();
        await delay(2 * seconds * 1_000);
        quiet.push(await watched.take());
        const release = attack === "repeats" ? holdClockNowAndThen(bench, hostile) : async () => {};
        attacker.start(attack);
        await delay(2 * seconds * 1_000);
        beside.push(await watched.take());
        const summary = await attacker.stop();
        await release();
        note(`neighbours: ${attack}, round ${round}: ${summary}`);
        await delay(1_000);
      }
      failed += [...quiet, ...beside].reduce((sum, one) => sum + one.failed, 0);
      const rise = Math.max(0, p99(beside) - p99(quiet));
      note(`neighbours: ${attack}: p99 ${Math.round(p99(quiet))} ms alone, ${Math.round(p99(beside))} ms beside`);
      figures.push(allowed(`neighbour beside ${attacks[attack]}, rise of its p99`, "ms", rise, allowedRiseMs));
    }
    return [...figures, allowed("neighbour's requests that failed", "requests", failed, 1)];
  } finally {
    attacker.kill();
    await watched.stop();
    await service.stop();
    await bench.stop();
  }
}

/** As many as an account may have: together they may send a thousand requests a second. */
async function moreKeys(bench: Bench, { accountId, key }: BenchShop): Promise<string[]> {
  const keys = [key];
  for (let i = 1; i < 20; i++) keys.push((await createKey(bench, { accountId, name: `bench ${i}`, scopes })).key);
  return keys;
}

/** As a writer in another process that is slow: meanwhile the account's writes are pending. */
function holdClockNowAndThen({ pool }: Bench, { accountId }: BenchShop): () => Promise<void> {
  let isOver = false;
  const held = (async () => {
    while (!isOver) {
      await transaction(pool, async (client) => {
        await client.query("select 1 from account_clock where account_id = $1 for update", [accountId]);
        await delay(1_500);
      });
      await delay(100);
    }
  })();
  return () => {
    isOver = true;
    return held;
  };
}

/** A separate process with the lowest priority: a real attacker would not use this machine's CPU time. */
function startAttacker(options: NeighbourAttack) {
  const attacker = fork(new URL("./neighbours/attacks.ts", import.meta.url), { serialization: "advanced" });
  setPriority(attacker.pid!, 19);
  attacker.send(options);
  return {
    start: (attack: Attack) => attacker.send(attack),
    /** Returns how many requests ended with each status. */
    async stop(): Promise<string> {
      const summary = once(attacker, "message");
      attacker.send("stop");
      return (await summary)[0] as string;
    },
    kill: () => attacker.kill(),
  };
}
