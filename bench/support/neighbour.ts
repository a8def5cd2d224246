import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// An ordinary integrator that reads a list, writes a customer and reads it back, over and over, and measures each request.
// It runs in its own thread, so that the work of producing the load does not affect its figures.
const { url, key } = workerData as { url: string; key: string };
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const everyMs = 25;
let timesMs: number[] = [];
let failed = 0;

parentPort!.on("message", () => {
  parentPort!.postMessage({ timesMs, failed });
  timesMs = [];
  failed = 0;
});

async function timed(path: string, init: RequestInit = {}): Promise<string> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/public/v1${path}`, { headers, ...init });
  const text = await response.text();
  timesMs.push(performance.now() - startedAt);
  if (!response.ok) failed += 1;
  await delay(everyMs);
  return text;
}

for (;;) {
  await timed("/customers");
  const init = { method: "POST", headers: { ...headers, "idempotency-key": randomUUID() } };
  const created = JSON.parse(await timed("/customers", { ...init, body: JSON.stringify({ name: "Ana" }) }));
  await timed(`/customers/${created.id}`);
}
