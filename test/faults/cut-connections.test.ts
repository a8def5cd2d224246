import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newChance } from "../../simulator/chance.ts";
import type { Pool } from "../../src/db/pool.ts";
import { prepared } from "../../src/db/sql.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { longRun, progress } from "../support/long-run.ts";
import { projectDir } from "../support/process.ts";
import type { Business } from "../support/service.ts";

const posts = longRun("FAULT_POSTS", 2_000);
const seed = longRun("FAULT_SEED", 1);
const connections = 32;
const businesses = 8;
/** The share of COMMITs and of requests that are cut. The everyday run is short, so it cuts more. */
const cutShare = posts.isLong ? 0.01 : 0.04;

const service = sharedService();
const proxy = shared(() => cuttingProxy(service.databaseUrl, { share: cutShare, seed: seed.value }));
let shops: Business[];
let server: ChildProcess;
let address: string;
beforeAll(async () => {
  shops = await Promise.all(Array.from({ length: businesses }, () => service.business()));
  server = spawn(process.execPath, [`${projectDir}test/support/serve.ts`, proxy.url, "cut"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  address = line.toString().trim();
});
afterAll(async () => {
  const exited = once(server, "exit");
  server.kill("SIGKILL");
  await exited;
});

/** Kept of each operation: eight bytes of its response's digest, and whether its connection was cut. */
const answers = Buffer.alloc(posts.value * 8);
const wasCut = new Uint8Array(posts.value);

const digestOf = (text: string) => createHash("sha1").update(text).digest().subarray(0, 8);
const answerOf = (index: number) => answers.subarray(index * 8, index * 8 + 8);
const shopOf = (index: number) => shops[index % businesses]!;
const keyOf = (index: number) => `post-${index}`;
const indexOf = (key: string) => Number(key.slice("post-".length));

interface Outcome {
  text: string;
  wasReplayed: boolean;
}

/** Sends an operation until it is answered, over a connection that breaks now and then. */
async function perform(client: Client, index: number, isCutOff: () => boolean, odd: string[]): Promise<Outcome> {
  for (;;) {
    const cutting = isCutOff() ? new AbortController() : undefined;
    if (cutting) setTimeout(() => cutting.abort(), index % 8);
    try {
      const answer = await client.request({
        method: "POST",
        path: "/public/v1/customers",
        headers: {
          authorization: `Bearer ${shopOf(index).key}`,
          "content-type": "application/json",
          "idempotency-key": keyOf(index),
        },
        body: JSON.stringify({ name: keyOf(index) }),
        signal: cutting?.signal ?? null,
      });
      const text = await answer.body.text();
      if (answer.statusCode === 201) return { text, wasReplayed: answer.headers["idempotent-replayed"] === "true" };
      const isPassing = answer.statusCode === 503 || answer.statusCode === 409;
      if (!isPassing || !(Number(answer.headers["retry-after"]) > 0)) odd.push(`${answer.statusCode} ${text}`);
    } catch (error) {
      if (!cutting?.signal.aborted) odd.push(`${keyOf(index)}: ${(error as Error).message}`);
    }
    wasCut[index] = 1;
    await delay(20);
  }
}

test(`${posts.value} POSTs while connections are cut around COMMIT: each is stored once, and its replay has the same bytes`, {
  timeout: 300_000 + posts.value * 3,
}, async () => {
  const odd: string[] = [];
  const different: string[] = [];
  const chance = newChance(seed.value + 1);
  let done = 0;
  let replayed = 0;
  const note = (index: number, { text, wasReplayed }: Outcome) => {
    if (wasReplayed) replayed += 1;
    digestOf(text).copy(answers, index * 8);
    done += 1;
  };
  const expectSame = (index: number, { text, wasReplayed }: Outcome) => {
    if (!wasReplayed || !digestOf(text).equals(answerOf(index))) different.push(keyOf(index));
  };
  /** Each connection takes the next operation until none is left. */
  async function throughAll(work: (client: Client, index: number) => Promise<void>): Promise<void> {
    let next = 0;
    const connect = async () => {
      const client = new Client(address);
      while (next < posts.value && odd.length === 0) await work(client, next++);
      await client.close();
    };
    await Promise.all(Array.from({ length: connections }, connect));
  }
  const stopTelling = progress(
    () => `${done} of ${posts.value} POSTs, ${proxy.commits} commits, cut ${JSON.stringify(proxy.cuts)}`,
  );
  await throughAll(async (client, index) => {
    note(index, await perform(client, index, () => chance.happens(cutShare), odd));
    if (chance.happens(0.01)) expectSame(index, await perform(client, index, () => false, odd));
  });
  proxy.calm();
  await throughAll(async (client, index) => {
    if (wasCut[index]) expectSame(index, await perform(client, index, () => false, odd));
  });
  stopTelling();

  expect(odd).toEqual([]);
  expect(different).toEqual([]);
  expect(replayed).toBeGreaterThan(0);
  expect(Math.min(...Object.values(proxy.cuts))).toBeGreaterThan(0);
  for (const kept of [records, events, storedAnswers]) expect(await problemsOf(kept)).toEqual([]);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

interface Kept {
  what: string;
  /** One page of a business in the order of `place`, from which the next page continues. */
  page: string;
  first: unknown[];
  place: (row: Row) => unknown[];
  /** The published text of the record. */
  textOf: (row: Row) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of three tables
type Row = any;

const zero = "00000000-0000-0000-0000-000000000000";

const records: Kept = {
  what: "record",
  page: "select id, body from customers where account_id = $1 and id > $2 order by id limit 5000",
  first: [zero],
  place: (row) => [row.id],
  textOf: (row) => row.body,
};
const events: Kept = {
  what: "event",
  page: `select created_at, id, body from events where account_id = $1 and (created_at, id) > ($2::timestamptz, $3::uuid)
    order by created_at, id limit 5000`,
  first: [new Date(0), zero],
  place: (row) => [row.created_at, row.id],
  textOf: (row) => row.body.slice(row.body.indexOf('"data":{"object":') + '"data":{"object":'.length, -2),
};
const storedAnswers: Kept = {
  what: "stored answer",
  page: "select key, body from idempotency_keys where account_id = $1 and key > $2 order by key limit 5000",
  first: [""],
  place: (row) => [row.key],
  textOf: (row) => row.body,
};

/** Reads a table page by page: every operation must be in it exactly once, with the text of its response. */
async function problemsOf({ what, page, first, place, textOf }: Kept): Promise<string[]> {
  const problems: string[] = [];
  const times = new Uint8Array(posts.value);
  for (const { accountId } of shops) {
    for (let from = first; ; ) {
      const { rows } = await (service.deps.pool as Pool).query<Row>(prepared(page, [accountId, ...from]));
      if (rows.length === 0) break;
      for (const row of rows) {
        const text = textOf(row);
        const index = indexOf(JSON.parse(text).name);
        times[index]! += 1;
        if (!digestOf(text).equals(answerOf(index)))
          problems.push(`${what} of ${keyOf(index)} is not what was answered`);
      }
      from = place(rows.at(-1));
    }
  }
  times.forEach((count, index) => {
    if (count !== 1) problems.push(`${keyOf(index)} has ${count} times its ${what}`);
  });
  return problems.slice(0, 20);
}
