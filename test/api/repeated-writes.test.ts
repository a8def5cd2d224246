import { expect, onTestFinished, test } from "vitest";
import type { Pool } from "../../src/db/pool.ts";
import type { Answer } from "../support/client.ts";
import { sharedService, shopPerTest } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { refusal } from "../support/refusal.ts";

const service = sharedService();
const shop = shopPerTest(service);

const inProgress = [409, "IDEMPOTENCY_IN_PROGRESS", undefined];
const keys = Array.from({ length: 30 }, (_, i) => `clave-${i}`);
/** One for the repeats; the request log and the key's own look-up may each use one at the same moment. */
const lookUpAndOthers = 3;
const replayed = ({ headers }: Answer) => headers.get("idempotent-replayed");

/** How many more connections of the pool are in use at once, at most, than now. */
function watchConnections(pool: Pool) {
  const before = pool.totalCount - pool.idleCount;
  const inUse = () => pool.totalCount - pool.idleCount - before;
  let most = 0;
  const note = () => {
    most = Math.max(most, inUse());
  };
  pool.on("acquire", note);
  onTestFinished(() => void pool.off("acquire", note));
  return () => most;
}

const post = (api: typeof shop.api, key: string) => api.post("/customers", { name: "Ana" }, { "idempotency-key": key });

/** Released at the end of the test at the latest. */
async function heldClock() {
  const clock = await holdClock(service.deps, shop.accountId);
  let released: Promise<void> | undefined;
  const release = () => (released ??= clock.release());
  onTestFinished(release);
  return { release };
}

/** Requests with these keys, all of which wait because the account's clock is held. */
async function waitingWrites(api: typeof shop.api) {
  const clock = await heldClock();
  const sent = keys.map((key) => post(api, key));
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  return { clock, sent };
}

test("repeats of waiting writes are told to retry, and take one connection however many there are", async () => {
  const neighbour = await service.business();
  await neighbour.api.get("/customers");
  const { clock, sent } = await waitingWrites(shop.api);
  const most = watchConnections(service.deps.pool);
  const repeats = await Promise.all([...keys, ...keys, ...keys].map((key) => post(shop.api, key)));
  for (const answer of repeats) {
    expect(refusal(answer)).toEqual(inProgress);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect(await waitingSessions(service.deps)).toBe(1);
  expect(most()).toBeLessThanOrEqual(lookUpAndOthers);
  expect((await post(neighbour.api, "vecino")).status).toBe(201);
  await clock.release();
  const made = await Promise.all(sent);
  expect(made.map(({ status }) => status)).toEqual(keys.map(() => 201));
  const again = await Promise.all(keys.map((key) => post(shop.api, key)));
  expect(again.map((answer) => [answer.text, replayed(answer)])).toEqual(made.map(({ text }) => [text, "true"]));
});

test("with the first requests in another process, the repeats here take one connection to wait and one to look up", async () => {
  await using sibling = await service.sibling();
  const elsewhere = sibling.client({ authorization: `Bearer ${shop.key}` });
  await elsewhere.get("/customers");
  // Sent together: a wait for the clock ends after 8 s, which on a busy machine is soon.
  const clock = await heldClock();
  const sent = keys.map((key) => post(shop.api, key));
  const firstHere = keys.map((key) => post(elsewhere, key));
  let isRefused = false;
  void Promise.all(firstHere).then(() => (isRefused = true));
  // They wait as well, or are told at once that the other process has them.
  await expect.poll(async () => isRefused || (await waitingSessions(service.deps)) === 2).toBe(true);
  const most = watchConnections(sibling.deps.pool);
  const repeats = await Promise.all(keys.map((key) => post(elsewhere, key)));
  expect(repeats.map(refusal)).toEqual(keys.map(() => inProgress));
  expect(await waitingSessions(service.deps)).toBe(isRefused ? 1 : 2);
  expect(most()).toBeLessThanOrEqual(lookUpAndOthers);
  await clock.release();
  const answers = await Promise.all([...sent, ...firstHere]);
  // Each is done once, in whichever process; the other answers with it, or that it is in progress.
  for (const { status } of answers) expect([201, 409]).toContain(status);
  const { rows } = await service.deps.pool.query("select count(*) from customers where account_id = $1", [
    shop.accountId,
  ]);
  expect(rows[0].count).toBe(keys.length);
});

test("a stored response is replayed at once, even while a repeat of it waits for the account's clock", async () => {
  const first = await post(shop.api, "hecha");
  const clock = await heldClock();
  // The replay goes with a new write, and so waits for the clock.
  const waiting = [post(shop.api, "nueva"), post(shop.api, "hecha")];
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  const repeat = await post(shop.api, "hecha");
  expect([repeat.status, repeat.text, replayed(repeat)]).toEqual([201, first.text, "true"]);
  const other = await shop.api.post("/customers", { name: "Eva" }, { "idempotency-key": "hecha" });
  expect(refusal(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"]);
  await clock.release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201]);
});
