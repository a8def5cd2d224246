import { randomUUID } from "node:crypto";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createKey } from "../../src/access/api-keys/create-key.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { cpuMeter } from "../support/cpu.ts";
import type { Bench } from "../support/dataset.ts";
import type { Figure } from "../support/measure.ts";
import { startServer } from "../support/servers.ts";
import { type BenchDevice, makeDevices } from "./devices.ts";

const wakeLimitMs = 1000;
const idleLimitPercent = 5;

/** The p99 of the time from the start of an API write to its arrival at each of a hundred waiting registers. */
export async function measureWakeUps(bench: Bench, note: (text: string) => void): Promise<Figure> {
  const [waiting, writes] = [100, 40];
  const devices = await makeDevices(bench, 1, waiting);
  const accountId = devices[0]!.accountId;
  const { key } = await createKey({ ...bench, config: { environment: "test" } }, { accountId, name: "bench", scopes });
  const server = await startServer("ours", bench.url);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const timesMs: number[] = [];
  try {
    let cursors = await Promise.all(devices.map((device) => changes(agent, server.url, device, "", 0)));
    for (let i = 0; i < writes; i++) {
      const pulls = devices.map((device, d) => changes(agent, server.url, device, cursors[d]!, 25));
      // By then all of them are waiting.
      await delay(150);
      const started = performance.now();
      const timed = pulls.map((pull) =>
        pull.then((cursor) => {
          timesMs.push(performance.now() - started);
          return cursor;
        }),
      );
      await fetch(`${server.url}/public/v1/customers`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
        body: JSON.stringify({ name: "Ana" }),
      });
      cursors = await Promise.all(timed);
    }
  } finally {
    agent.destroy();
    await server.stop();
  }
  timesMs.sort((a, b) => a - b);
  const p99 = timesMs[Math.floor(timesMs.length * 0.99)]!;
  note(`wake-ups: median ${timesMs[timesMs.length >> 1]!.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  return figure("API write at 100 waiting registers, p99", "ms", p99, wakeLimitMs);
}

/** The CPU time that two thousand waiting registers cost the service and its database, in percent of one core. */
export async function measureIdle(bench: Bench, note: (text: string) => void): Promise<Figure> {
  const [accounts, perAccount, seconds] = [1000, 2, 30];
  const devices = await makeDevices(bench, accounts, perAccount);
  const server = await startServer("ours", bench.url);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  let isOver = false;
  try {
    // Spread over the length of one wait, like registers that started at different times.
    const all = devices.map(async (device, i) => {
      await delay((25_000 * i) / devices.length);
      let cursor = await changes(agent, server.url, device, "", 0);
      while (!isOver) cursor = await changes(agent, server.url, device, cursor, 25);
    });
    const ended = Promise.allSettled(all);
    await delay(27_000);
    const meter = await cpuMeter(bench.pool);
    const before = meter([server.pid]);
    const started = performance.now();
    await delay(seconds * 1000);
    const spent = meter([server.pid]) - before;
    const percent = (100 * spent * 1000) / (performance.now() - started);
    note(`idle: ${devices.length} registers waiting cost ${percent.toFixed(2)} % of one core`);
    isOver = true;
    agent.destroy();
    await ended;
    return figure("2000 idle waiting registers", "% of a core", percent, idleLimitPercent);
  } finally {
    isOver = true;
    agent.destroy();
    await server.stop();
  }
}

/** A figure with a limit that must not be exceeded. */
function figure(name: string, unit: string, ours: number, limit: number): Figure {
  return { name, unit, ours: Math.round(ours * 100) / 100, limit, ratio: Math.round((ours / limit) * 1000) / 1000 };
}

function changes(agent: Agent, baseUrl: string, { token }: BenchDevice, cursor: string, wait: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `${baseUrl}/sync/v1/changes?cursor=${cursor}&wait=${wait}`;
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        response.statusCode === 200 ? resolve(JSON.parse(text).cursor) : reject(new Error(text.slice(0, 300))),
      );
    }).on("error", reject);
  });
}
