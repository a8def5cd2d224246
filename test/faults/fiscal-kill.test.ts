import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, expect, test, vi } from "vitest";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { minute } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { acceptOnce, type Reply, startApidian } from "../support/apidian.ts";
import { advance, documentsOf, fiscalBusiness, ringUp } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { projectDir } from "../support/process.ts";
import { saleBody } from "../support/records.ts";
import { startService } from "../support/service.ts";

const service = perTest(() => startService());
const shop = perTest(() => fiscalBusiness(service));
const apidian = perTest(() => startApidian());
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) await kill(child);
});

/** A shop in a separate process; resolves when it has printed its first line. */
async function open(mode: "hold" | "work" | "both"): Promise<{ child: ChildProcess; said: string[] }> {
  const child = spawn(process.execPath, [`${projectDir}test/faults/fiscal-shop.ts`, mode, shop.accountId], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: service.databaseUrl,
      SECRET_KEY: service.deps.config.secretKey,
      FISCAL_AUTHORITY: "apidian",
      APIDIAN_URL: apidian.url,
      APIDIAN_TOKEN: "secreto",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout! });
  lines.on("line", (line) => said.push(line));
  await Promise.race([once(lines, "line"), once(child, "exit").then(() => Promise.reject(new Error("it ended")))]);
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** A healthy worker takes over and works until no document is pending. */
async function workToTheEnd(): Promise<void> {
  const worker = fiscalWorker(service.deps, apidianAuthority({ url: apidian.url, token: "secreto" }));
  await vi.waitFor(
    async () => {
      await worker.workOff();
      advance(service, minute);
      const { rows } = await service.deps.pool.query("select count(*) from invoices where status = 'pending'");
      expect(rows[0].count).toBe(0);
    },
    { timeout: 150_000, interval: 100 },
  );
}

/** What must hold whatever was killed: in the authority's records, in ours and in the event log. */
async function expectOneOfEach(): Promise<void> {
  expect((await verify(service.deps.pool)).problems).toEqual([]);
  const { rows } = await service.deps.pool.query<{ body: string }>("select body from invoices");
  const documents = rows.map((row) => JSON.parse(row.body) as Invoice);
  const { rows: made } = await service.deps.pool.query("select count(*) from sales");
  expect(documents).toHaveLength(made[0].count);
  expect(documents.every(({ status }) => status === "issued")).toBe(true);
  // The authority has each of our documents, and nothing else.
  expect([...apidian.accepted.keys()].sort()).toEqual(documents.map(({ cufe }) => cufe!).sort());
  const { rows: events } = await service.deps.pool.query("select count(*) from events where type = 'invoice.issued'");
  expect(events[0].count).toBe(documents.length);
}

/** Numbers that were sent although the authority already had them. */
function sentTwice(): string[] {
  return apidian.sends
    .filter(({ number }, i) => {
      const earlier = apidian.sends.slice(0, i).filter((one) => one.number === number);
      return earlier.some((one) => apidian.accepted.get(one.cufe) === one);
    })
    .map(({ number }) => number);
}

test("killed between taking the number and the commit: the number is free again", async () => {
  const { child } = await open("hold");
  await kill(child);
  const [sale] = await ringUp(service, shop.accountId, (at) => [saleBody(at)]);
  expect(sale!.invoices[0]!.number).toBe(1);
  await workToTheEnd();
  await expectOneOfEach();
});

test.each([
  ["before the authority has it", false],
  ["after the authority has it", true],
])("killed while it sends, %s: one document, one event", async (_name, takes) => {
  await ringUp(service, shop.accountId, (at) => [saleBody(at), saleBody(at)]);
  const usual = apidian.onSend;
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  apidian.onSend = (received): Reply => {
    if (takes) acceptOnce(apidian, received);
    arrived();
    return "hang";
  };
  const { child } = await open("work");
  await arrival;
  await kill(child);
  apidian.onSend = usual;
  await workToTheEnd();
  await expectOneOfEach();
  expect(sentTwice()).toEqual([]);
});

test("killed between receiving the authority's decision and storing it: one document, one event, not sent again", async () => {
  const [sale] = await ringUp(service, shop.accountId, (at) => [saleBody(at)]);
  const clock = await holdClock(service.deps, shop.accountId);
  const { child } = await open("work");
  await vi.waitFor(async () => expect(await waitingSessions(service.deps)).toBeGreaterThan(0), { timeout: 60_000 });
  expect(apidian.accepted.size).toBe(1);
  await kill(child);
  await clock.release();
  expect((await documentsOf(service, shop.accountId, sale!.id))[0]!.status).toBe("pending");
  await workToTheEnd();
  await expectOneOfEach();
  expect(apidian.sends).toHaveLength(1);
});

test("killed again and again while it sells and sends: each sale it reported is stored once", {
  timeout: 300_000,
}, async () => {
  const sold: string[] = [];
  const usual = apidian.onSend;
  for (let round = 1; round <= 5; round++) {
    let left = round * 3;
    let child: ChildProcess | undefined;
    // Killed during a call to the authority, sometimes before it accepts the document and sometimes after.
    apidian.onSend = (received) => {
      if (--left <= 0) child?.kill("SIGKILL");
      return left <= 0 && round % 2 === 0 ? "cut" : usual(received);
    };
    const shopkeeper = await open("both");
    child = shopkeeper.child;
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    sold.push(...shopkeeper.said.filter((line) => line !== "working"));
  }
  apidian.onSend = usual;
  await workToTheEnd();
  await expectOneOfEach();
  expect(sentTwice()).toEqual([]);
  const { rows } = await service.deps.pool.query<{ id: string }>("select id from sales");
  const stored = new Set(rows.map(({ id }) => id));
  expect(sold.length).toBeGreaterThan(15);
  expect(sold.filter((id) => !stored.has(id))).toEqual([]);
});
