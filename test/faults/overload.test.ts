import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Client } from "../../src/db/pool.ts";
import { newMetrics } from "../../src/lib/metrics.ts";
import { observePool } from "../../src/operations/start/observe-process.ts";
import { alertsProblem, hasPromtool, scraped } from "../support/alerts.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";

const metrics = newMetrics();
const service = sharedService({}, { metrics });
const shop = sharedShop(service);
const till = shared(() => enrol(service, shop.accountId));

const asked = {
  export: () => shop.api.get("/exports/customers"),
  list: () => shop.api.get("/customers"),
  write: () => shop.api.post("/customers", { name: "Ana" }),
  push: () => till.send("POST", "/push", { sent_at: new Date().toISOString(), records: [] }),
};
type Kind = keyof typeof asked;

/** Takes every connection of the pool, as a crowd of slow statements would. */
async function occupyPool(): Promise<Client[]> {
  const { pool } = service.deps;
  return Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
}

test("under load exports are refused first, then lists, then writes, and pushes last; afterwards all work again", async () => {
  const order: Kind[] = [];
  const refusals = new Map<Kind, { status: number; retryAfter: string | null; code: string }>();
  const kinds = Object.keys(asked) as Kind[];
  observePool(metrics, { name: "api", pool: service.deps.pool });
  const before = scraped(await metrics.render());
  const occupied = await occupyPool();
  const pending: Promise<void>[] = [];
  try {
    while (refusals.size < kinds.length) {
      for (const kind of kinds.filter((one) => !refusals.has(one))) {
        const answer = asked[kind]().then(({ status, headers, body }) => {
          if (status === 200 || status === 201 || refusals.has(kind)) return;
          order.push(kind);
          refusals.set(kind, { status, retryAfter: headers.get("retry-after"), code: body.error.code });
        });
        pending.push(answer);
      }
      await delay(50);
    }
    const page = await fetch(`${service.baseUrl}/docs`);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await page.json()).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
    const alerts = ["MostradorConexionesAgotadas", "MostradorRechazaPorCarga"];
    if (hasPromtool) expect(alertsProblem(before, scraped(await metrics.render()), alerts, alerts)).toBe("");
  } finally {
    for (const client of occupied) client.release();
  }
  expect(order).toEqual(["export", "list", "write", "push"]);
  for (const kind of kinds) expect(refusals.get(kind)).toMatchObject({ status: 503, code: "INTERNAL_ERROR" });
  expect(kinds.map((kind) => refusals.get(kind)!.retryAfter)).toEqual(["30", "5", "2", "2"]);
  await Promise.all(pending);
  for (const kind of kinds) await eventually(async () => (await asked[kind]()).status < 300);
});
