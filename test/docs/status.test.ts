import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { day, minute } from "../../src/lib/clock.ts";
import { forgetIncidents, latestIncidents, noteIncidents } from "../../src/sites/status/incidents.ts";
import { statusPage } from "../../src/sites/status/page.ts";
import { type PartState, readParts } from "../../src/sites/status/parts.ts";
import { faults } from "../support/axe.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const shop = sharedShop(service);
const browser = sharedBrowser();
const reader = shared(() => visit(browser, service, { width: 375 }));
const nowhere = shared(() => createPool({ url: "postgres://127.0.0.1:1/none" }));
afterAll(() => nowhere.end());

const read = async (path: string) => (await fetch(service.baseUrl + path)).text();
const well = (part: PartState["part"]): PartState => ({ part, isWell: true, waitingMs: 0 });

test("the page says how each part does, to anybody, and nothing of a business", async () => {
  const page = await read("/estado");
  for (const text of ["Todo funciona", "Webhooks", "Documentos electrónicos", "Correo", "Sin incidentes"])
    expect(page).toContain(text);
  const status = JSON.parse(await read("/estado.json"));
  expect(status).toMatchObject({ is_well: true, incidents: [] });
  expect(status.parts.map(({ part }: { part: string }) => part)).toEqual(["database", "webhooks", "documents", "mail"]);
  expect(page + JSON.stringify(status)).not.toContain(shop.accountId);
});

test("however often it is asked for, the database is asked once in fifteen seconds", async () => {
  const { at } = JSON.parse(await read("/estado.json"));
  const asked: unknown[] = [];
  const { pool } = service.deps;
  const query = pool.query.bind(pool);
  pool.query = ((...args: Parameters<typeof query>) => {
    asked.push(args[0]);
    return query(...args);
  }) as typeof query;
  try {
    const answers = await Promise.all(Array.from({ length: 50 }, () => read("/estado.json")));
    expect(new Set(answers.map((one) => JSON.parse(one).at))).toEqual(new Set([at]));
    expect(asked).toEqual([]);
  } finally {
    pool.query = query;
  }
});

test("a mail that waits too long is an incident, which ends when it has gone", async () => {
  const { pool, clock } = service.deps;
  const now = clock.now();
  const due = new Date(now.getTime() - 20 * minute);
  await service.deps.partitions.ensure(now);
  await pool.query(
    `insert into mails (account_id, created_at, id, kind, recipient, subject, body_text, body_html, next_attempt_at)
     values ($1, $2, gen_random_uuid(), 'code', 'a@example.com', 's', 't', 'h', $3)`,
    [shop.accountId, now, due],
  );
  const late = await readParts(service.deps);
  expect(late.find(({ part }) => part === "mail")).toEqual({
    part: "mail",
    isWell: false,
    waitingMs: expect.any(Number),
  });
  await noteIncidents(pool, late, now);
  await noteIncidents(pool, late, new Date(now.getTime() + minute));
  expect(await latestIncidents(pool, now)).toEqual([{ part: "mail", startedAt: now, endedAt: null }]);
  const endedAt = new Date(now.getTime() + 5 * minute);
  await noteIncidents(pool, [well("database"), well("mail")], endedAt);
  const incidents = await latestIncidents(pool, endedAt);
  expect(incidents).toEqual([{ part: "mail", startedAt: now, endedAt }]);
  const page = statusPage({ at: endedAt, parts: late, incidents });
  for (const text of ["Hay demoras o fallas", "espera desde hace 20 min", "duró 5 min"]) expect(page).toContain(text);
  expect(await forgetIncidents(pool, new Date(now.getTime() + 100 * day))).toBe(1);
  await pool.query("delete from mails where account_id = $1", [shop.accountId]);
});

test("a receiver that fails, is slow or wants a pace does not make webhooks ill, and one that nobody tries does", async () => {
  const { pool, clock } = service.deps;
  const now = clock.now();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute);
  const [failing, slow, paced, healthy] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  for (const id of [failing, slow, paced, healthy])
    await pool.query(
      `insert into webhook_endpoints (account_id, id, url, event_types, status, secret, created_at, updated_at)
       values ($1, $2, $3, '{sale.created}', 'active', 'x', now(), now())`,
      [shop.accountId, id, `https://${id}.example.com`],
    );
  const wait = (id: string, minutes: number) =>
    pool.query(
      `insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
       values ($1, $2, $3, gen_random_uuid(), $3, gen_random_uuid(), 'sale.created')`,
      [shop.accountId, id, ago(minutes)],
    );
  for (const id of [failing, slow, paced]) await wait(id, 60);
  await wait(healthy, 1);
  const webhooks = async () => {
    const { isWell, waitingMs } = (await readParts(service.deps)).find(({ part }) => part === "webhooks")!;
    return { isWell, minutes: Math.round(waitingMs / minute) };
  };
  expect(await webhooks()).toMatchObject({ isWell: false });
  const turn = (id: string, column: "last_failure_at" | "paced_until", at: Date) =>
    pool.query(`update webhook_endpoints set ${column} = $3 where account_id = $1 and id = $2`, [
      shop.accountId,
      id,
      at,
    ]);
  await turn(failing, "last_failure_at", ago(0.5));
  await turn(paced, "paced_until", ago(-1));
  await pool.query(
    "update webhook_queue set leased_until = now() + interval '1 hour' where account_id = $1 and endpoint_id = $2",
    [shop.accountId, slow],
  );
  expect(await webhooks()).toMatchObject({ isWell: true, minutes: 1 });
  // The service stops trying: then nobody has had a turn for long, and the one that works waits like the others.
  await turn(failing, "last_failure_at", ago(6));
  expect(await webhooks()).toMatchObject({ isWell: false, minutes: 6 });
  await turn(failing, "last_failure_at", ago(0.5));
  await wait(healthy, 10);
  expect(await webhooks()).toMatchObject({ isWell: false, minutes: 10 });
  for (const table of ["webhook_queue", "webhook_endpoints"])
    await pool.query(`delete from ${table} where account_id = $1`, [shop.accountId]);
  expect(await webhooks()).toMatchObject({ isWell: true, minutes: 0 });
});

test("without a database it says so", async () => {
  const parts = await readParts({ pool: nowhere, clock: service.deps.clock });
  expect(parts).toEqual([{ part: "database", isWell: false, waitingMs: 0 }]);
  expect(statusPage({ at: new Date(), parts, incidents: [] })).toContain("No responde");
});

test("it can be read on a phone, light and dark", async () => {
  await reader.goto("/estado");
  for (const scheme of ["light", "dark"] as const) expect(await faults(reader.page, scheme, "html")).toEqual([]);
  expect(await reader.page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  expect(reader.complaints).toEqual([]);
});
