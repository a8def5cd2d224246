import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findAlerts } from "../../src/alerts/find-alerts.ts";
import { mailNotices } from "../../src/alerts/mail-notices.ts";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { insertActs } from "../../src/business/counter/counter-acts.ts";
import { sql } from "../../src/db/sql.ts";
import { day, hour } from "../../src/lib/clock.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { recordNotices } from "../../src/notices/record-notices.ts";
import { eventually } from "../support/eventually.ts";
import { advance } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import { enterAs } from "../support/people.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { cashSessionBody, store } from "../support/records.ts";
import { enrol } from "../support/register.ts";
import { type Service, startService } from "../support/service.ts";
import { type SmtpReceiver, startSmtp } from "../support/smtp.ts";

const smtp: SmtpReceiver = perTest(() => startSmtp());
const service: Service = perTest(() => startService({ SMTP_URL: smtp.url }));

async function openBusiness(): Promise<Portal> {
  const { accountId, email } = await newborn(service);
  return openAgain(service, { accountId, ...(await service.key(accountId)) }, email);
}

/** What has arrived after everybody looked once more, as one text. */
async function told(count: number): Promise<string> {
  await findAlerts(service.deps);
  await mailNotices(service.deps);
  const worker = startMailWorker(service.deps);
  await eventually(async () => {
    const { rows } = await service.deps.pool.query("select 1 from mails where next_attempt_at is not null");
    return rows.length === 0;
  });
  await worker.stop();
  expect(smtp.received).toHaveLength(count);
  return smtp.received
    .map(({ raw }) =>
      raw
        .replaceAll("=\r\n", "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    .join("\n");
}

test("nobody is told of what he did not ask for", async () => {
  const owner = await openBusiness();
  await shortShift(owner, 20_000);
  await told(0);
  const { data } = (await owner.get("/alerts")).body;
  expect(data.map(({ kind, active }: { kind: string; active: boolean }) => [kind, active])).toEqual([
    ["document_rejected", true],
    ["range_ending", true],
    ["webhook_failing", true],
    ["orders_waiting", true],
    ["stock_low", false],
    ["shift_short", false],
    ["register_silent", false],
    ["unauthorized_act", false],
  ]);
});

async function shortShift(owner: Portal, pesos: number, location_id = owner.accountId): Promise<void> {
  await store(service.deps, owner.accountId, cashSessions, (at) => [
    {
      body: cashSessionBody(at, { status: "closed", difference: -pesos, register_name: "Caja de atrás", location_id }),
    },
  ]);
}

test("stock, a short shift, a silent register and an act without a right are told once each, in one mail", async () => {
  const owner = await openBusiness();
  for (const kind of ["stock_low", "shift_short", "register_silent", "unauthorized_act"])
    expect((await owner.put(`/alerts/${kind}`, { active: true })).status).toBe(200);
  await owner.put("/alerts/shift_short", { active: true, amount: 15_000 });
  await owner.put("/alerts/register_silent", { active: true, from_hour: 0, to_hour: 24 });
  const make = (name: string, initial_stock: number) =>
    owner.business.api.post(
      "/products",
      { name, base_price: 1000, initial_stock },
      { "idempotency-key": randomUUID() },
    );
  const { body: sugar } = await make("Azúcar morena", 3);
  await make("Arroz blanco", 300);
  await shortShift(owner, 14_999);
  await shortShift(owner, 15_000);
  const till = await enrol(service, owner.accountId, { name: "Caja del patio" });
  // In the middle of the day, two hours after it was last heard.
  advance(service, day - ((service.deps.clock.now().getTime() - 17 * hour) % day));
  const now = service.deps.clock.now();
  await service.deps.pool.query(sql`
    update devices set last_seen_at = ${new Date(now.getTime() - 2 * hour)} where id = ${till.deviceId}`);
  const act = { id: randomUUID(), kind: "drawer_opened" as const, occurred_at: now.toISOString(), label: "Cajón" };
  const nobody = { cashier_id: null, authorized_by: null, shift_id: null, sale_id: null, amount: null, cause: null };
  await service.deps.pool.query(
    insertActs(owner.accountId, till.deviceId, now, [{ ...act, ...nobody, detail: "sin permiso", is_allowed: false }]),
  );
  const mail = await told(1);
  for (const words of ["morena: quedan 3", "Caja de atr", "15.000", "Caja del patio no se comunica", "sin permiso"])
    expect(mail).toContain(words);
  expect(mail).not.toContain("14.999");
  expect(mail).not.toContain("Arroz");
  // However often it is looked for, and whatever the hour: it is the same sugar and the same shift.
  advance(service, 90 * 60_000);
  await told(1);
  // It was bought, and runs out again another day: that is news.
  const move = (type: string, quantity: number) =>
    owner.business.api.post(
      "/inventory/movements",
      { product_id: sugar.id, type, quantity },
      { "idempotency-key": randomUUID() },
    );
  await move("in", 50);
  await told(1);
  await move("out", 51);
  advance(service, day);
  expect(await told(2)).toContain("morena: quedan 2");
});

test("what an owner switched off is not mailed, and what the law wants is", async () => {
  const owner = await openBusiness();
  await owner.put("/alerts/document_rejected", { active: false });
  const now = service.deps.clock.now();
  await service.deps.pool.query(
    recordNotices(owner.accountId, now, now.toISOString().slice(0, 10), [
      { kind: "document_rejected", subject: "a", message: "EPOS1 rechazado" },
      { kind: "numbering_unavailable", subject: "b", message: "Sin rango" },
    ]),
  );
  const mail = await told(1);
  expect(mail).toContain("Sin rango");
  expect(mail).not.toContain("EPOS1");
});

test("each person asks for what her role shows her, and is told of that alone", async () => {
  const owner = await openBusiness();
  const { rows } = await service.deps.pool.query<{ id: string }>(
    sql`select id from locations where account_id = ${owner.accountId}`,
  );
  const here = rows[0]!.id;
  const there = (await owner.post("/locations", { name: "Segunda" })).body.id;
  const shop = { accountId: owner.accountId, ...(await service.key(owner.accountId)) };
  const contador = await enterAs(service, shop, "accountant", { email: "contadora@example.com" });
  const near = await enterAs(service, shop, "manager", { email: "encargada@example.com", locationIds: [here] });
  const far = await enterAs(service, shop, "manager", { email: "lejana@example.com", locationIds: [there] });
  const developer = await enterAs(service, shop, "developer", { email: "programadora@example.com" });
  const kinds = async (portal: Portal) =>
    (await portal.get("/alerts")).body.data.map(({ kind }: { kind: string }) => kind);
  expect(await kinds(developer)).toEqual(["webhook_failing"]);
  expect(await kinds(near)).toEqual(["orders_waiting", "shift_short", "register_silent", "unauthorized_act"]);
  expect(await kinds(contador)).not.toContain("webhook_failing");
  expect((await contador.get("/alerts")).body.data.some(({ active }: { active: boolean }) => active)).toBe(false);
  expect((await developer.put("/alerts/stock_low", { active: true })).status).toBe(403);
  expect((await near.put("/alerts/document_rejected", { active: true })).status).toBe(403);

  expect((await contador.put("/alerts/shift_short", { active: true, amount: 50_000 })).status).toBe(200);
  for (const portal of [near, far])
    expect((await portal.put("/alerts/shift_short", { active: true, amount: 15_000 })).status).toBe(200);
  await shortShift(owner, 20_000, here);
  await told(1);
  expect(smtp.received.map(({ to }) => to)).toEqual(["encargada@example.com"]);
  advance(service, 90 * 60_000);
  await shortShift(owner, 60_000, there);
  await told(3);
  expect(
    smtp.received
      .slice(1)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(["contadora@example.com", "lejana@example.com"]);

  // The owners are told of what is no alert, and of the usual ones, each as she chose.
  advance(service, 90 * 60_000);
  const second = await enterAs(service, shop, "owner", { email: "socia@example.com" });
  await owner.put("/alerts/document_rejected", { active: false });
  await second.put("/alerts/shift_short", { active: true });
  expect((await owner.delete(`/people/${contador.personId}`)).status).toBe(204);
  const now = service.deps.clock.now();
  await service.deps.pool.query(
    recordNotices(owner.accountId, now, now.toISOString().slice(0, 10), [
      { kind: "document_rejected", subject: "a", message: "EPOS1 rechazado" },
    ]),
  );
  await told(6);
  // That the contadora was removed is told to both owners.
  const last = smtp.received.slice(3).filter(({ raw }) => /EPOS1/.test(raw));
  expect(last.map(({ to }) => to)).toEqual(["socia@example.com"]);
  const left = await service.deps.pool.query(
    sql`select 1 from alert_choices where account_id = ${owner.accountId} and person_id = ${contador.personId}`,
  );
  expect(left.rowCount).toBe(0);
});

test("the bell of whoever sees one sede has the notices of that one alone", async () => {
  const owner = await openBusiness();
  const there = (await owner.post("/locations", { name: "Segunda" })).body.id;
  const shop = { accountId: owner.accountId, ...(await service.key(owner.accountId)) };
  const far = await enterAs(service, shop, "manager", { locationIds: [there] });
  const now = service.deps.clock.now();
  await service.deps.pool.query(
    recordNotices(owner.accountId, now, now.toISOString().slice(0, 10), [
      { kind: "document_rejected", subject: "a", message: "EPOS1 rechazado" },
      { kind: "shift_short", subject: "b", message: "Faltaron $ 20.000", location_id: there, amount: 20_000 },
    ]),
  );
  const titles = async (portal: Portal) =>
    (await portal.get("/notices")).body.data.map(({ title }: { title: string }) => title).toSorted();
  expect(await titles(far)).toEqual(["Faltaron $ 20.000"]);
  expect(await titles(owner)).toEqual(["EPOS1 rechazado", "Faltaron $ 20.000"]);
});

test("an alert of an unknown kind, or that closes before it opens, is refused", async () => {
  const owner = await openBusiness();
  expect((await owner.put("/alerts/luna_llena", { active: true })).body.error.param).toBe("kind");
  const late = await owner.put("/alerts/register_silent", { active: true, from_hour: 20, to_hour: 8 });
  expect(late.body.error.param).toBe("to_hour");
});
