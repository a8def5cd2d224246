import { expect, test } from "vitest";
import { newToken } from "../../src/lib/token.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { sendGuesses, watchLookUps } from "../support/guesses.ts";
import { enrol } from "../support/register.ts";

const service = sharedService();
const shop = sharedShop(service);
const count = process.env.LONG ? 30_000 : 5_000;

test("thousands of unknown API keys share a few look-ups, and new keys at the same address work all the while", async () => {
  await using sibling = await service.sibling();
  const lookUps = watchLookUps(sibling.deps.pool);
  const guesses = sendGuesses(sibling.baseUrl, "/public/v1/customers", () => newToken("mst_test_"), count);
  let used = 0;
  do {
    const { key, keyId } = await service.key(shop.accountId);
    const { status } = await sibling.client({ authorization: `Bearer ${key}` }).get("/customers");
    expect(status).toBe(200);
    used += 1;
    // An account may have twenty.
    await service.deps.pool.query("delete from api_keys where id = $1", [keyId]);
  } while (!guesses.isOver());
  const statuses = await guesses.statuses;
  expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
  expect(statuses.get(429)).toBeGreaterThan(count / 2);
  expect(used).toBeGreaterThan(1);
  const { most, allowed, total } = lookUps();
  expect(most).toBeLessThanOrEqual(8);
  expect(total).toBeLessThanOrEqual(allowed + 10 * used);
}, 120_000);

test("thousands of unknown device tokens likewise, and registers at the same address work all the while", async () => {
  await using sibling = await service.sibling();
  const lookUps = watchLookUps(sibling.deps.pool);
  const guesses = sendGuesses(sibling.baseUrl, "/sync/v1/changes", () => newToken("mstdev_"), count);
  let used = 0;
  do {
    // Enrolled in another process: this one has never seen the token.
    const { token } = await enrol(service, shop.accountId);
    const { status } = await fetch(`${sibling.baseUrl}/sync/v1/changes`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    used += 1;
  } while (!guesses.isOver() && used < 40);
  const statuses = await guesses.statuses;
  expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
  expect(statuses.get(429)).toBeGreaterThan(count / 2);
  const { most, allowed, total } = lookUps();
  expect(most).toBeLessThanOrEqual(8);
  expect(total).toBeLessThanOrEqual(allowed + 10 * used);
}, 120_000);
