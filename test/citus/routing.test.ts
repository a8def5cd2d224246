import { describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import type { SaleFilters } from "../../src/api/portal/sales/conditions.ts";
import { readSaleChoices, readSales } from "../../src/api/portal/sales/read-sales.ts";
import { readSaleTotals } from "../../src/api/portal/sales/sale-totals.ts";
import { createPool } from "../../src/db/create-pool.ts";
import type { Pool } from "../../src/db/pool.ts";
import { dropPending } from "../../src/engine/deliveries/drop-pending.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { taxBases } from "../../src/fiscal/closing/tax-days.ts";
import { readTaxReport } from "../../src/fiscal/closing/tax-report.ts";
import { foldNotes } from "../../src/operations/fills/notes.ts";
import { readSalesReportKeeping, saleGroupings } from "../../src/reports/sales-report.ts";
import { readToday } from "../../src/reports/today.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { resultOf } from "../../src/webhooks/queue/attempt.ts";
import { claimDeliveries } from "../../src/webhooks/queue/claim.ts";
import { recordResults, releaseUnsent } from "../../src/webhooks/queue/record-results.ts";
import { requeue } from "../../src/webhooks/queue/resend-delivery.ts";
import type { Outcome } from "../../src/webhooks/sending/failure-classes.ts";
import { enrol } from "../support/register.ts";
import { sale } from "../support/registered-shop.ts";
import { freshDatabase, refuseSecond, serve } from "../support/service.ts";

/** A statement as the driver sent it: its text, and the values of its first use. */
type Sent = Map<string, unknown[]>;

interface DriverConnection {
  parse(query: { text: string; name?: string }): void;
  bind(config: { statement?: string; values?: unknown[] }): void;
}

/** Notes every statement that the pool's connections send. */
function noteStatements(pool: Pool, sent: Sent): void {
  pool.on("connect", (client) => {
    const { connection } = client as unknown as { connection: DriverConnection };
    const texts = new Map<string, string>();
    const parse = connection.parse.bind(connection);
    const bind = connection.bind.bind(connection);
    connection.parse = (query) => {
      texts.set(query.name ?? "", query.text);
      parse(query);
    };
    connection.bind = (config) => {
      const text = texts.get(config.statement ?? "");
      if (text !== undefined && !sent.has(text)) sent.set(text, config.values ?? []);
      bind(config);
    };
  });
}

/** What is planned over all shards, or pulled through the coordinator, or undefined if one shard answers. */
async function whyNotRouted(pool: Pool, text: string, values: unknown[]): Promise<string | undefined> {
  const { rows } = await pool.query(`explain (costs off) ${text}`, values);
  const plan = rows.map((row) => row["QUERY PLAN"] as string).join("\n");
  if (!plan.includes("Citus")) return undefined;
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
  return counts.length === 1 && counts[0] === "1" ? undefined : plan;
}

/** Every other attempt fails, and is to be tried again. */
const outcomes: Outcome[] = [
  { delivered: true, status: 200 },
  { delivered: false, status: 500, failure: "status" },
];
const sending = { outcome: undefined, durationMs: 5, remoteAddress: null };

/** Lists of sales, each with sums of its own. Those of a register look into a directory, which is not sharded. */
const saleLists: SaleFilters[] = [
  {},
  { payment_method: "cash" },
  { state: "returned", number: "A1" },
  { status: "completed", movement: "sales" },
  { status: "cancelled", movement: "returns" },
];

/** Of all accounts at once, by design: the log of requests, gathered for a second. */
const ofAllAccounts = [/insert into request_log/, /with stale as/];

describe.skipIf(!process.env.CITUS_URL)("on Citus", () => {
  test("every statement of a request, a delivery and a report goes to one shard", async () => {
    const database = await freshDatabase();
    const sent: Sent = new Map();
    const pool = createPool({ url: database.url, max: 8, onNestedConnection: refuseSecond });
    noteStatements(pool, sent);
    const service = await serve(database.url, { SECRET_KEY: "k".repeat(32) }, database.drop, { pool });
    try {
      const { accountId, api } = await service.business();
      const till = await enrol(service, accountId);
      const { id: endpointId } = await withAccountLock(service.deps, accountId, (client) =>
        createEndpoint(
          client,
          secretBox(service.deps.config.secretKey),
          accountId,
          { url: "https://hooks.example.com/", event_types: [...eventTypes] },
          service.deps.clock.now(),
        ),
      );
      sent.clear();
      const { body: customer } = await api.post("/customers", { name: "Ana" }, { "idempotency-key": "a".repeat(20) });
      await api.patch(`/customers/${customer.id}`, { name: "Ana María" });
      await Promise.all(["Eva", "Luz", "Sol"].map((name) => api.post("/customers", { name })));
      for (const path of [
        "/customers",
        `/customers/${customer.id}`,
        "/customers?q=ana",
        "/products",
        "/sales",
        "/events",
      ])
        expect((await api.get(path)).status).toBe(200);
      const pushed = await till.push([sale(), sale()].map(({ id, ...data }) => ({ type: "sale", id, data })));
      expect(pushed.body).toMatchObject({ results: [{ status: "applied" }, { status: "applied" }] });
      expect((await till.pull()).status).toBe(200);
      const claims = [{ accountId, endpointId, size: 5, perRecord: 8, passed: [] }];
      const { deliveries: claimed } = await claimDeliveries(pool, claims, service.deps.clock.now());
      expect(claimed).toHaveLength(5);
      await releaseUnsent(pool, claimed);
      const now = service.deps.clock.now();
      await recordResults(
        pool,
        claimed.map((delivery, i) => resultOf(delivery, { at: now, signedAt: now }, outcomes[i % 2]!, sending)),
        now,
      );
      await withAccountLock(service.deps, accountId, async (client) => {
        expect(await dropPending(client, accountId, { endpointId, now })).toBeGreaterThan(0);
        expect(await requeue(client, accountId, endpointId, [claimed[0]!.id], now)).toBe(1);
      });
      const reads = { ...service.deps, reads: pool };
      const year = { from: "2026-01-01", to: "2026-12-31" };
      await readToday(reads, accountId, now);
      for (const by of saleGroupings) await readSalesReportKeeping(reads, accountId, { by, ...year });
      for (const filters of saleLists) {
        await readSales(pool, accountId, filters, 25, { after: undefined, now: new Date() });
        await readSaleTotals(pool, accountId, filters);
      }
      await readSaleChoices(pool, accountId);
      for (const by of taxBases) await readTaxReport(pool, accountId, { by, ...year }, now);
      await withAccountLock(service.deps, accountId, async (client) => {
        await foldNotes(client, accountId);
      });

      const stray: string[] = [];
      for (const [text, values] of sent) {
        if (!/^\s*(with|select|insert|update|delete)\b/i.test(text) || ofAllAccounts.some((one) => one.test(text)))
          continue;
        const plan = await whyNotRouted(pool, text, values);
        if (plan) stray.push(`${text}\n${plan}`);
      }
      expect(sent.size).toBeGreaterThan(20);
      expect(stray).toEqual([]);
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });
});
