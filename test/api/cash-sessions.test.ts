import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { cashMovementBody, cashSessionBody, change, store } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";

const service = sharedService();
const shop = sharedShop(service);
beforeAll(async () => {
  for (const status of ["open", "closed", "suspended", "closed"] as const) {
    await store(service.deps, shop.accountId, cashSessions, (at) => [{ body: cashSessionBody(at, { status }) }]);
  }
});

test("a closed session reads byte by byte as it was stored, with its totals and movements", async () => {
  const business = await service.business();
  const [stored] = await store(service.deps, business.accountId, cashSessions, (at) => {
    const id = randomUUID();
    const body = cashSessionBody(at, {
      id,
      status: "closed",
      register_id: null,
      closed_at: at,
      closed_by: "Ana",
      cash_sales: 250_000,
      cash_refunds: 10_000,
      cash_in: 5000,
      cash_out: 20_000,
      expected_amount: 325_000,
      counted_amount: 324_000,
      difference: -1000,
      sales_count: 14,
      sales_total: 310_000,
      payments: [
        { payment_method: "CASH", count: 10, amount: 250_000 },
        { payment_method: "CARD", count: 4, amount: 60_000 },
      ],
      notes: "Faltó un billete",
      movements: [cashMovementBody(at, id, { type: "in", amount: 5000, reason: null }), cashMovementBody(at, id)],
    });
    return [{ body }];
  });
  const { status, text } = await business.api.get(`/cash-sessions/${stored!.id}`);
  expect([status, text]).toEqual([200, JSON.stringify(stored)]);
  expect((await business.api.get("/cash-sessions")).text).toContain(JSON.stringify(stored));
});

test("all of a session's movements are returned, however many", async () => {
  const business = await service.business();
  const [stored] = await store(service.deps, business.accountId, cashSessions, (at) => {
    const id = randomUUID();
    const movements = Array.from({ length: 300 }, (_, i) => cashMovementBody(at, id, { amount: i + 1 }));
    return [{ body: cashSessionBody(at, { id, movements }) }];
  });
  expect((await business.api.get(`/cash-sessions/${stored!.id}`)).body.movements).toEqual(stored!.movements);
  expect((await business.api.get("/cash-sessions")).body.data[0].movements.length).toBe(300);
});

test.each([
  ["open", 1],
  ["closed", 2],
  ["suspended", 1],
])("status=%s finds %d", async (status, count) => {
  const { body } = await shop.api.get(`/cash-sessions?status=${status}`);
  expect(body.data.map((one: { status: string }) => one.status)).toEqual(Array(count).fill(status));
});

test("an unknown status or filter is refused", async () => {
  for (const [param, query] of [
    ["status", "status=abierta"],
    ["register_id", `register_id=${randomUUID()}`],
  ]) {
    expect(refusal(await shop.api.get(`/cash-sessions?${query}`))).toEqual([400, "VALIDATION_ERROR", param]);
  }
});

test("a cash movement changes its session's updated_at, and closing the session changes which filter finds it", async () => {
  const { deps } = service;
  const { accountId, api } = await service.business();
  const [opened] = await store(deps, accountId, cashSessions, (at) => [{ body: cashSessionBody(at) }]);
  const moved = await change(deps, accountId, cashSessions, opened!.id, ({ id }, at) => ({
    movements: [cashMovementBody(at, id)],
  }));
  expect((await api.get(`/cash-sessions?updated_since=${moved.updated_at}`)).body.data).toEqual([moved]);
  const closed = await change(deps, accountId, cashSessions, opened!.id, (_, at) => ({
    status: "closed" as const,
    closed_at: at,
  }));
  expect((await api.get("/cash-sessions?status=open")).body.data).toEqual([]);
  expect((await api.get("/cash-sessions?status=closed")).body.data).toEqual([closed]);
});

test("a session that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  const { body } = await shop.api.get("/cash-sessions");
  expect(refusal(await stranger.api.get(`/cash-sessions/${body.data[0].id}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get(`/cash-sessions/${randomUUID()}`))).toEqual([404, "NOT_FOUND", "id"]);
});
