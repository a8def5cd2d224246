import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { now, registerPerTest } from "../support/registered-shop.ts";
import { startService } from "../support/service.ts";

const { service, shop, till } = registerPerTest();

test("a waiting register receives an API write at once", async () => {
  const { cursor } = (await till.pull()).body;
  const waiting = till.pull(`?cursor=${cursor}&wait=25`);
  const made = (await shop.api.post("/customers", { name: "Ana" })).body;
  expect((await waiting).body.changes).toMatchObject([{ id: made.id }]);
});

test("a waiting register receives what another process wrote", async () => {
  const sibling = await service.sibling();
  const { cursor } = (await till.pull()).body;
  const waiting = till.pull(`?cursor=${cursor}&wait=25`);
  const response = await fetch(`${sibling.baseUrl}/public/v1/customers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${shop.key}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ name: "Ana" }),
  });
  const { id } = (await response.json()) as { id: string };
  expect((await waiting).body.changes).toMatchObject([{ id }]);
  await sibling[Symbol.asyncDispose]();
});

test("a sale wakes no waiting register, and a wait times out", async () => {
  const { cursor } = (await till.pull()).body;
  const started = performance.now();
  const waiting = till.pull(`?cursor=${cursor}&wait=1`);
  const other = await enrol(service, shop.accountId);
  await other.put("sale", upload(saleBody(now())));
  const { body } = await waiting;
  expect(body.changes).toEqual([]);
  expect(performance.now() - started).toBeGreaterThan(450);
});

test("a service that stops answers its waiting registers at once", async () => {
  const closing = await startService();
  const business = await closing.business();
  const one = await enrol(closing, business.accountId);
  const { cursor } = (await one.pull()).body;
  const waiting = one.pull(`?cursor=${cursor}&wait=25`);
  await one.pull(`?cursor=${cursor}`);
  const started = performance.now();
  await closing[Symbol.asyncDispose]();
  expect((await waiting).status).toBe(200);
  // Long before the 25 s that it asked for.
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a register that waits again after an empty wait receives every change, from this process or another", async () => {
  const sibling = await service.sibling();
  const again = async () => {
    const { cursor } = (await till.pull()).body;
    return (await till.pull(`?cursor=${cursor}&wait=1`)).body.cursor;
  };
  const create = async (baseUrl: string) => {
    const response = await fetch(`${baseUrl}/public/v1/customers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${shop.key}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({ name: "Ana" }),
    });
    return ((await response.json()) as { id: string }).id;
  };
  for (const baseUrl of [service.baseUrl, sibling.baseUrl]) {
    for (const isBefore of [true, false]) {
      const cursor = await again();
      const early = isBefore ? await create(baseUrl) : undefined;
      const waiting = till.pull(`?cursor=${cursor}&wait=25`);
      const id = early ?? (await create(baseUrl));
      expect((await waiting).body.changes).toMatchObject([{ id }]);
    }
  }
  await sibling[Symbol.asyncDispose]();
});
