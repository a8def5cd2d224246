import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findAlerts } from "../../src/alerts/find-alerts.ts";
import { mailNotices } from "../../src/alerts/mail-notices.ts";
import { minute } from "../../src/lib/clock.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { eventually } from "../support/eventually.ts";
import { advance } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import { enterAs } from "../support/people.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { type Service, startService } from "../support/service.ts";
import { type SmtpReceiver, startSmtp } from "../support/smtp.ts";

const smtp: SmtpReceiver = perTest(() => startSmtp());
const service: Service = perTest(() => startService({ SMTP_URL: smtp.url }));

async function openBusiness(): Promise<Portal> {
  const { accountId, email } = await newborn(service);
  return openAgain(service, { accountId, ...(await service.key(accountId)) }, email);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as integrators would, without types
type Json = any;

async function place(owner: Portal, fields: object = {}): Promise<Json> {
  const { api } = owner.business;
  const once = () => ({ "idempotency-key": randomUUID() });
  const found = (await api.get("/products?limit=1")).body.data[0];
  const product = found ?? (await api.post("/products", { name: "Empanada", base_price: 3000 }, once())).body;
  const order = { source: "Domicilios", items: [{ product_id: product.id, quantity: 2 }], ...fields };
  const answer = await api.post("/orders", order, once());
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

/** The subjects and receivers of the mails, once everybody has looked. */
async function mailsAfterLooking(): Promise<string[]> {
  await findAlerts(service.deps);
  await mailNotices(service.deps);
  const worker = startMailWorker(service.deps);
  await eventually(async () => {
    const { rows } = await service.deps.pool.query("select 1 from mails where next_attempt_at is not null");
    return rows.length === 0;
  });
  await worker.stop();
  return smtp.received.map(({ to }) => to);
}

async function inBell(portal: Portal): Promise<string[]> {
  return (await portal.get("/notices")).body.data.map(({ title }: { title: string }) => title);
}

const onHoy = async (portal: Portal): Promise<Json[]> =>
  (await portal.get("/attention")).body.data.filter(({ kind }: Json) => kind === "orders_waiting");

test("an order that nobody takes in ten minutes is told once, by mail and in the bell, until somebody takes it", async () => {
  const owner = await openBusiness();
  const order = await place(owner);
  advance(service, 9 * minute);
  expect(await mailsAfterLooking()).toEqual([]);
  expect(await onHoy(owner)).toEqual([]);
  advance(service, 2 * minute);
  for (const _ of [1, 2]) {
    expect(await mailsAfterLooking()).toHaveLength(1);
    expect(await inBell(owner)).toEqual([
      expect.stringMatching(`El pedido ${order.number} \\(Domicilios\\) espera desde las`),
    ]);
    expect(await onHoy(owner)).toEqual([expect.objectContaining({ orders: 1, sede: null })]);
    advance(service, 90 * minute);
  }
  const mail = smtp.received[0]!.raw.replaceAll("=\r\n", "");
  for (const words of [`El pedido ${order.number}`, "/pedidos?estado"]) expect(mail).toContain(words);
  expect((await owner.post(`/orders/${order.id}/accept`, { minutes: 15 })).status).toBe(200);
  expect(await mailsAfterLooking()).toHaveLength(1);
  expect([await inBell(owner), await onHoy(owner)]).toEqual([[], []]);
  // The next one is a wait of its own, which does not stay behind in the hourly mail.
  await place(owner);
  advance(service, 11 * minute);
  expect(await mailsAfterLooking()).toHaveLength(2);
});

test("what was taken before its mail was written is not mailed", async () => {
  const owner = await openBusiness();
  const order = await place(owner);
  advance(service, 11 * minute);
  await findAlerts(service.deps);
  expect(await inBell(owner)).toHaveLength(1);
  await owner.post(`/orders/${order.id}/reject`, { reason: "Sin gas" });
  expect(await mailsAfterLooking()).toEqual([]);
  expect(await inBell(owner)).toEqual([]);
});

test("the business says how long is too long, and each person whether she is mailed", async () => {
  const owner = await openBusiness();
  expect((await owner.put("/order-settings", { wait_minutes: 3 })).status).toBe(204);
  const { data } = (await owner.get("/alerts")).body;
  expect(data.find(({ kind }: Json) => kind === "orders_waiting")).toMatchObject({ active: true, wait_minutes: 3 });
  for (const wait_minutes of [0, 1441]) {
    const refused = await owner.put("/order-settings", { wait_minutes });
    expect([refused.status, refused.body.error.param]).toEqual([400, "wait_minutes"]);
  }
  await owner.put("/alerts/orders_waiting", { active: false });
  await place(owner);
  advance(service, 4 * minute);
  expect(await mailsAfterLooking()).toEqual([]);
  expect(await inBell(owner)).toHaveLength(1);
});

test("a wait is told to those of its sede who see orders", async () => {
  const owner = await openBusiness();
  const there = (await owner.post("/locations", { name: "Chapinero" })).body.id;
  const shop = { accountId: owner.accountId, ...(await service.key(owner.accountId)) };
  const [{ id: here }] = (await owner.get("/locations")).body.data.filter(({ id }: Json) => id !== there);
  const far = await enterAs(service, shop, "manager", { email: "lejana@example.com", locationIds: [there] });
  const near = await enterAs(service, shop, "manager", { email: "cercana@example.com", locationIds: [here] });
  const developer = await enterAs(service, shop, "developer", { email: "programadora@example.com" });
  for (const person of [far, near])
    expect((await person.put("/alerts/orders_waiting", { active: true })).status).toBe(200);
  expect((await developer.put("/alerts/orders_waiting", { active: true })).status).toBe(403);
  await owner.put("/alerts/orders_waiting", { active: false });
  await place(owner, { location_id: there });
  advance(service, 11 * minute);
  expect(await mailsAfterLooking()).toEqual(["lejana@example.com"]);
  for (const [portal, count] of [
    [owner, 1],
    [far, 1],
    [near, 0],
    [developer, 0],
  ] as const)
    expect(await inBell(portal)).toHaveLength(count);
  expect(await inBell(far)).toEqual([expect.stringContaining("(Domicilios, Chapinero)")]);
  expect(await onHoy(far)).toEqual([expect.objectContaining({ orders: 1, sede: "Chapinero" })]);
  expect(await onHoy(near)).toEqual([]);
});
