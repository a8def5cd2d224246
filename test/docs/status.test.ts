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
