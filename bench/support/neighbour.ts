import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// An ordinary integrator beside the load, on a thread of its own so that the load's own work is not in its figures: it
// reads a list, writes a customer and reads it back, over and over, and says how long each took.
const { url, key } = workerData as { url: string; key: string };
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const everyMs = 25;
let taken: number[] = [];
let failed = 0;

parentPort!.on("message", () => {
  parentPort!.postMessage({ taken, failed });
  taken = [];
  failed = 0;
});

async function timed(path: string, init: RequestInit = {}): Promise<string> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/public/v1${path}`, { headers, ...init });
  const text = await answer.text();
  taken.push(performance.now() - startedAt);
  if (!answer.ok) failed += 1;
  await delay(everyMs);
  return text;
}

for (;;) {
  await timed("/customers");
  const init = { method: "POST", headers: { ...headers, "idempotency-key": randomUUID() } };
  const made = JSON.parse(await timed("/customers", { ...init, body: JSON.stringify({ name: "Ana" }) }));
  await timed(`/customers/${made.id}`);
}
