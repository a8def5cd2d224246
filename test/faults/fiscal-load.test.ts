import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import type { Authority } from "../../src/fiscal/authority/authority.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { acceptOnce, startApidian } from "../support/apidian.ts";
import { advance, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { freePort } from "../support/process.ts";

// These tests measure real time: they wait for an authority that takes two seconds.

const service = verifiedService();

async function sellThousand(): Promise<string> {
  const { accountId } = await fiscalBusiness(service);
  for (let i = 0; i < 5; i++)
    await ringUp(service, accountId, (at) => Array.from({ length: 200 }, () => plainSale(at, 10_000)));
  return accountId;
}

async function countOf(accountId: string, status: string): Promise<number> {
  const { rows } = await service.deps.pool.query<{ count: number }>(sql`
    select count(*) from invoices where account_id = ${accountId} and status = ${status}`);
  return rows[0]!.count;
}

async function issuedEvents(accountId: string): Promise<number> {
  const { rows } = await service.deps.pool.query<{ count: number }>(sql`
    select count(*) from events where account_id = ${accountId} and type = 'invoice.issued'`);
  return rows[0]!.count;
}

test("1 000 documents at an authority that takes 2 s for each are sent in parallel within a minute", {
  timeout: 300_000,
}, async () => {
  await using apidian = await startApidian();
  let atOnce = 0;
  let mostAtOnce = 0;
  apidian.onSend = async (received) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await delay(2 * second);
    atOnce -= 1;
    return acceptOnce(apidian, received);
  };
  const accountId = await sellThousand();
  const worker = fiscalWorker(service.deps, apidianAuthority({ url: apidian.url, token: "secreto" }));
  const startedAt = performance.now();
  worker.start();
  await vi.waitFor(async () => expect(await countOf(accountId, "issued")).toBe(1000), {
    timeout: 250_000,
    interval: 200,
  });
  const tookMs = performance.now() - startedAt;
  await worker.stop();
  expect(mostAtOnce).toBeGreaterThan((1000 * 2) / 60);
  console.log(`1 000 documents decided in ${(tookMs / 1000).toFixed(1)} s`);
  expect(apidian.sends).toHaveLength(1000);
  expect(await issuedEvents(accountId)).toBe(1000);
});

test("an authority that is down costs no CPU and no document is lost; when it is back, all are decided", {
  timeout: 300_000,
}, async () => {
  const accountId = await sellThousand();
  const port = await freePort();
  let calls = 0;
  const real = apidianAuthority({ url: `http://127.0.0.1:${port}/api/ubl2.1`, token: "secreto" });
  const authority: Authority = {
    send(submission) {
      calls += 1;
      return real.send(submission);
    },
    query(submission) {
      calls += 1;
      return real.query(submission);
    },
  };
  const worker = fiscalWorker(service.deps, authority);
  worker.start();
  // The first hundred find it down; from then on one document probes it now and then.
  await vi.waitFor(() => expect(calls).toBeGreaterThanOrEqual(8), { timeout: 150_000 });
  await delay(second);
  const callsBefore = calls;
  const cpuBefore = process.cpuUsage();
  const measuredMs = 3 * second;
  await delay(measuredMs);
  const { user, system } = process.cpuUsage(cpuBefore);
  const share = (user + system) / 1000 / measuredMs;
  console.log(`authority down: ${(share * 100).toFixed(1)} % of a core, ${calls - callsBefore} calls in 3 s`);
  // A loop would take all of it; the process collects its memory at rest, which takes some too.
  expect(share).toBeLessThan(0.6);
  expect(calls - callsBefore).toBeLessThanOrEqual(1);

  // A day on the clock: at most one probe every two minutes, and nothing else.
  await worker.stop();
  const patient = fiscalWorker(service.deps, authority);
  const callsOfDay = calls;
  for (let i = 0; i < 24 * 60; i++) {
    await patient.workOff();
    advance(service, minute);
  }
  expect(calls - callsOfDay).toBeLessThan(24 * 60);
  expect(await countOf(accountId, "pending")).toBe(1000);

  await using apidian = await startApidian(port);
  await vi.waitFor(
    async () => {
      advance(service, minute);
      await patient.workOff();
      expect(await countOf(accountId, "issued")).toBe(1000);
    },
    { timeout: 150_000, interval: 10 },
  );
  // The authority had none of them, so each was sent once after it came back.
  expect(apidian.sends).toHaveLength(1000);
  expect(await issuedEvents(accountId)).toBe(1000);
});

test("1 000 documents at the simulated authority are decided in its own time plus a few seconds", async () => {
  const accountId = await sellThousand();
  const worker = fiscalWorker(service.deps, authorityFor(service.deps));
  await worker.workOff();
  advance(service, 2 * second);
  await worker.workOff();
  expect(await countOf(accountId, "issued")).toBe(1000);
});
