import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { startMostrador } from "../support/process.ts";
import { enrol } from "../support/register.ts";

const service = sharedService();

test("on SIGTERM the service reports that it is stopping, answers waiting registers, finishes what it began and exits", async () => {
  const shop = await service.business();
  const till = await enrol(service, shop.accountId);
  const stopping = await startMostrador({
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: service.deps.config.secretKey,
    DRAIN_SECONDS: "1",
  });
  const register = { authorization: `Bearer ${till.token}` };
  const { body: start } = await till.pull();
  const polling = fetch(`${stopping.url}/sync/v1/changes?wait=25&cursor=${start.cursor}`, { headers: register });
  const waiting = () => eventually(() => numberOf(stopping.adminUrl, "mostrador_sync_waiting_registers"));
  expect(await waiting()).toBe(1);

  const clock = await holdClock(service.deps, shop.accountId);
  const writing = fetch(`${stopping.url}/public/v1/customers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${shop.key}`,
      "content-type": "application/json",
      "idempotency-key": "lenta",
    },
    body: JSON.stringify({ name: "Escrita al final" }),
  });
  await eventually(async () => (await waitingSessions(service.deps)) === 1);
  const ended = stopping.stop();

  await eventually(async () => {
    const answer = await fetch(`${stopping.adminUrl}/readyz`);
    const { problems } = (await answer.json()) as { problems: string[] };
    return answer.status === 503 && problems.join().includes("stopping");
  });
  // Not ready but still serving: a proxy needs a moment to notice.
  const late = await fetch(`${stopping.url}/public/v1/customers`, { headers: { authorization: `Bearer ${shop.key}` } });
  expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);

  const polled = await polling;
  expect([polled.status, polled.headers.get("connection")]).toEqual([200, "close"]);
  expect(await polled.json()).toMatchObject({ changes: [], has_more: false });
  // Only now can the write go on: the process waited for it.
  await clock.release();
  const written = await writing;
  expect([written.status, written.headers.get("connection")]).toEqual([201, "close"]);
  expect(await ended).toBe(0);
  expect((await shop.api.get("/customers")).body.data).toMatchObject([{ name: "Escrita al final" }]);
});

async function numberOf(adminUrl: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]) || undefined;
}
