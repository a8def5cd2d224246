import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { type StartedService, startMostrador } from "../support/process.ts";
import { receiverHost } from "../support/receiver.ts";
import type { Business } from "../support/service.ts";
import { sharedHooks } from "../support/webhooks.ts";

let env: Record<string, string>;
const running = new Set<StartedService>();
const hooks = sharedHooks();
beforeAll(async () => {
  await hooks.stopWorker();
  env = {
    DATABASE_URL: hooks.service.databaseUrl,
    SECRET_KEY: hooks.service.deps.config.secretKey,
    RATE_LIMIT_PER_SECOND: "0",
    DRAIN_SECONDS: "1",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${hooks.receiver.port}`,
    WEBHOOK_CA_FILE: hooks.receiver.caFile,
  };
});
afterAll(async () => {
  await Promise.all([...running].map((process) => process.kill()));
});

async function startPart(part: "api" | "workers"): Promise<StartedService> {
  const process = await startMostrador(env, ["--only", part]);
  running.add(process);
  return process;
}

async function stop(process: StartedService): Promise<void> {
  expect(await process.stop()).toBe(0);
  running.delete(process);
}

interface Target {
  process: StartedService;
  api: ApiClient;
  isReady: boolean;
}

/** A minimal load balancer: round robin among the processes that report ready. */
function balancer(shop: Business) {
  const targets: Target[] = [];
  let next = 0;
  let isOn = true;
  const looking = (async () => {
    for (; isOn; await delay(50)) {
      for (const target of [...targets]) {
        const answer = await fetch(`${target.process.adminUrl}/readyz`).catch(() => undefined);
        await answer?.arrayBuffer();
        target.isReady = answer?.status === 200;
      }
    }
  })();
  return {
    async add(process: StartedService) {
      const target = { process, api: apiClient(process.url, { authorization: `Bearer ${shop.key}` }), isReady: false };
      targets.push(target);
      await eventually(() => target.isReady);
    },
    remove: (process: StartedService) =>
      void targets.splice(
        targets.findIndex((target) => target.process === process),
        1,
      ),
    next(): ApiClient {
      const ready = targets.filter(({ isReady }) => isReady);
      return ready[next++ % ready.length]!.api;
    },
    async off() {
      isOn = false;
      await looking;
    },
  };
}

test("two API processes and two workers are replaced one by one under load: nothing fails, is lost or is duplicated", async () => {
  const shop = await hooks.service.business();
  const endpoint = await hooks.endpoint(shop, { types: ["customer.created"] });
  const [oldApis, oldWorkers] = await Promise.all([
    Promise.all([startPart("api"), startPart("api")]),
    Promise.all([startPart("workers"), startPart("workers")]),
  ]);
  const balance = balancer(shop);
  for (const process of oldApis) await balance.add(process);

  const created: string[] = [];
  const failures: string[] = [];
  let isLoaded = true;
  /** A client that retries temporary refusals with the same key, and gives up on anything else. */
  async function client(number: number): Promise<void> {
    for (let i = 0; isLoaded; i++) {
      const name = `${number}-${i}`;
      for (let status = 503; status === 503; ) {
        const answer = await balance
          .next()
          .post("/customers", { name }, { "idempotency-key": name })
          .catch((error: Error) => `${name}: ${error.message} ${String(error.cause)}`);
        if (typeof answer === "string") {
          failures.push(answer);
          break;
        }
        ({ status } = answer);
        if (status === 201) created.push(answer.body.id);
        else if (status !== 503 || !answer.headers.get("retry-after")) failures.push(`${name}: ${answer.text}`);
      }
      const list = await balance
        .next()
        .get("/customers?limit=5")
        .catch((error: Error) => error);
      if (list instanceof Error || (list.status !== 200 && !list.headers.get("retry-after")))
        failures.push(list instanceof Error ? `list: ${list.message} ${String(list.cause)}` : list.text);
      // Requests are under way all the time, without taking both cores from the processes that start.
      await delay(20);
      // About a hundred deliveries stay under way, on any machine.
      while (isLoaded && created.length - hooks.receiver.on(endpoint.path).length > 300) await delay(5);
    }
  }
  const clients = Array.from({ length: 6 }, (_, number) => client(number));
  await eventually(() => created.length > 100);

  const newApis = await Promise.all([startPart("api"), startPart("api")]);
  for (const [i, old] of oldApis.entries()) {
    const before = created.length;
    await balance.add(newApis[i]!);
    await stop(old);
    balance.remove(old);
    expect(created.length).toBeGreaterThan(before);
  }
  for (const old of oldWorkers) await Promise.all([stop(old), startPart("workers")]);
  isLoaded = false;
  await Promise.all(clients);
  await balance.off();
  expect(failures).toEqual([]);
  await hooks.receiver.arrivals(endpoint.path, created.length);
  await eventually(async () => {
    const { rows } = await hooks.service.deps.pool.query("select count(*) from webhook_queue");
    return rows[0].count === 0;
  });

  const delivered = hooks.receiver.on(endpoint.path).map(({ body }) => body.data.object.id as string);
  expect(delivered.length).toBe(new Set(delivered).size);
  expect(delivered.toSorted()).toEqual(created.toSorted());
  await Promise.all([...running].map(stop));
}, 300_000);
