import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { sql } from "../../src/db/sql.ts";
import { type Answer, type ApiClient, apiClient } from "../support/client.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { sessionsEnded } from "../support/hold-clock.ts";
import { store, warehouseBody } from "../support/records.ts";

// Each round kills a service of its own under load. LONG=1 runs hundreds; SEED=… repeats one run's moments of death.
const rounds = process.env.LONG ? 200 : 4;
const clients = 8;

const service = sharedService();
const shop = sharedShop(service);
beforeAll(async () => {
  await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
});
afterAll(async () => {
  for (const { kill } of started) kill();
});

interface Operation {
  /** Both its idempotency key and its record's name. */
  name: string;
  path: string;
  body: object;
  /** The response, or undefined when the process died first. */
  answer: Answer | undefined;
}

test("a service killed mid-write leaves each operation complete or undone, and a retry completes it once", {
  timeout: 3_600_000,
}, async () => {
  const unheard: boolean[] = [];
  const death = fc.record({
    afterAnswers: fc.integer({ min: 1, max: 60 }),
    afterTurns: fc.integer({ min: 0, max: 40 }),
  });
  const deaths = fc.sample(death, { numRuns: rounds, ...(process.env.SEED && { seed: Number(process.env.SEED) }) });
  let victim = await startProcess("process-0");
  for (const [round, moment] of deaths.entries()) {
    const operations = await loadUntilDeath(victim, `${round}`, moment);
    await sessionsEnded(service.deps, victim.name);
    const before = await traces(operations);
    for (const operation of operations) {
      const { found, whole } = before(operation);
      expect(["nothing", "all of it"], `${operation.name} left ${found.join(", ")}`).toContain(
        found.length === 0 ? "nothing" : found.join() === whole.join() ? "all of it" : "a part",
      );
      if (operation.answer) expect([operation.name, found]).toEqual([operation.name, whole]);
      else unheard.push(found.length > 0);
    }

    const survivor = await startProcess(`process-${round + 1}`);
    for (const operation of operations) {
      const { status, text, body, headers } = await send(survivor.api, operation);
      expect([status, body.name]).toEqual([201, operation.name]);
      const wasThere = before(operation).found.length > 0;
      expect([operation.name, headers.get("idempotent-replayed")]).toEqual([operation.name, wasThere ? "true" : null]);
      if (operation.answer) expect(text).toBe(operation.answer.text);
    }
    const after = await traces(operations);
    for (const operation of operations) {
      const { found, whole } = after(operation);
      expect([operation.name, found]).toEqual([operation.name, whole]);
    }
    victim = survivor;
  }
  // A round in which every response arrived would prove nothing.
  expect(unheard.length).toBeGreaterThanOrEqual(rounds);
});

interface Process {
  name: string;
  api: ApiClient;
  kill: () => void;
}

const started: Process[] = [];

async function startProcess(name: string): Promise<Process> {
  const script = fileURLToPath(new URL("../support/serve.ts", import.meta.url));
  const child = spawn(process.execPath, [script, service.databaseUrl, name], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = (await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([code]) =>
      Promise.reject(new Error(`The service ended with ${code} before it listened`)),
    ),
  ])) as [Buffer];
  const api = apiClient(address.toString().trim(), { authorization: `Bearer ${shop.key}` });
  const running = { name, api, kill: () => void child.kill("SIGKILL") };
  started.push(running);
  return running;
}

/** Clients that send one operation after another until the service is killed. */
async function loadUntilDeath(
  victim: Process,
  round: string,
  { afterAnswers, afterTurns }: { afterAnswers: number; afterTurns: number },
): Promise<Operation[]> {
  const operations: Operation[] = [];
  let answers = 0;
  async function client(number: number): Promise<void> {
    for (let i = 0; ; i++) {
      const name = `${round}-${number}-${i}`;
      const operation: Operation =
        i % 2
          ? { name, path: "/customers", body: { name }, answer: undefined }
          : { name, path: "/products", body: { name, base_price: 1, initial_stock: 5 }, answer: undefined };
      operations.push(operation);
      const answer = await send(victim.api, operation).catch(() => undefined);
      if (!answer) return;
      expect(answer.status, answer.text).toBe(201);
      operation.answer = answer;
      answers += 1;
      // A few turns of the event loop later, the other clients' requests are at any stage.
      if (answers === afterAnswers) setTurns(afterTurns, victim.kill);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return operations;
}

function setTurns(turns: number, act: () => void): void {
  if (turns === 0) act();
  else setImmediate(() => setTurns(turns - 1, act));
}

function send(api: ApiClient, { name, path, body }: Operation): Promise<Answer> {
  return api.post(path, body, { "idempotency-key": name });
}

/** What the database holds of each operation. */
async function traces(operations: readonly Operation[]) {
  const names = operations.map((operation) => operation.name);
  const { rows } = await service.deps.pool.query<{ name: string; trace: string }>(sql`
    with made as materialized (
      select id, body->>'name' as name from customers where account_id = ${shop.accountId} and body->>'name' = any(${names}::text[])
      union all select id, body->>'name' from products where account_id = ${shop.accountId} and body->>'name' = any(${names}::text[])),
    told as materialized (
      select type, coalesce(body->'data'->'object'->>'product_id', body->'data'->'object'->>'id')::uuid as about
      from events where account_id = ${shop.accountId})
    select name, 'record' as trace from made
    union all select name, 'movement' from made join stock_movements m on m.account_id = ${shop.accountId} and m.product_id = made.id
    union all select name, type from made join told on told.about = made.id
    union all select key, 'key' from idempotency_keys where account_id = ${shop.accountId} and key = any(${names}::text[])`);
  const byName = Map.groupBy(rows, (row) => row.name);
  return (operation: Operation) => ({
    found: (byName.get(operation.name) ?? []).map((row) => row.trace).toSorted(),
    whole:
      operation.path === "/customers"
        ? ["customer.created", "key", "record"]
        : ["inventory.movement.created", "key", "movement", "product.created", "record"],
  });
}
