import { expect, test } from "vitest";
import { type Fetch, Refusal } from "../../register/protocol.ts";
import { syncClient } from "../../register/sync-client.ts";
import { hour } from "../../src/lib/clock.ts";
import { enrolled } from "../support/desk.ts";
import { advance } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();

/** By how many minutes a register's clock is ahead, as each answer tells it. */
async function heard(): Promise<{ ask: () => Promise<number | undefined> }> {
  const { identity } = await enrolled(service, (await service.business()).accountId);
  let minutes: number | undefined;
  const client = syncClient(
    service.baseUrl,
    fetch as Fetch,
    { version: "caja test", capabilities: [] },
    (_, aheadMs) => {
      minutes = Math.round(aheadMs / 60_000);
    },
  );
  return {
    async ask() {
      minutes = undefined;
      await client.changes(identity.token, "", 0);
      return minutes;
    },
  };
}

test("a register measures its clock by the service's at every answer, also where that was put forward", async () => {
  const { ask } = await heard();
  expect(await ask()).toBe(0);
  advance(service, 14 * hour);
  expect(await ask(), "the first answer tells it").toBe(-14 * 60);
  advance(service, hour);
  expect(await ask()).toBe(-15 * 60);
});

test("a refusal says the service's time too", async () => {
  const ahead: number[] = [];
  const client = syncClient(service.baseUrl, fetch as Fetch, undefined, (_, ms) => ahead.push(Math.round(ms / hour)));
  await expect(client.changes("unknown", "", 0)).rejects.toThrow(Refusal);
  expect(ahead).toEqual([-15]);
});
