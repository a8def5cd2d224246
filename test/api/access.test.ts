import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnknownAccountError } from "../../src/access/accounts/account-lock.ts";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { createKey, maxKeysPerAccount, TooManyKeysError } from "../../src/access/api-keys/create-key.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { sql } from "../../src/db/sql.ts";
import { hour } from "../../src/lib/clock.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { newToken } from "../../src/lib/token.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService } from "../support/fixtures.ts";
import { liveSettings } from "../support/service.ts";

const service = sharedService();

/** What every process does when it is notified that a key or an account changed. */
const notified = () => service.deps.access.clear();

describe("on the very next request", () => {
  test("a revoked key is refused, and the account's other keys are not", async () => {
    const { accountId, keyId, api } = await service.business();
    const other = await service.key(accountId);
    expect((await api.get("/customers")).status).toBe(200);
    await revokeKey(service.deps, keyId);
    notified();
    expectError(await api.get("/customers"), "API_KEY_REVOKED");
    expect((await other.api.get("/customers")).status).toBe(200);
  });

  test("revoking a key again keeps the first instant, and an unknown key is reported", async () => {
    const { keyId } = await service.business();
    const first = await revokeKey(service.deps, keyId);
    expect(await revokeKey(service.deps, keyId)).toEqual(first);
    expect(await revokeKey(service.deps, uuidv7(new Date()))).toBeUndefined();
  });

  test("an account that loses Pro loses the API, and gets it back with the plan", async () => {
    const { accountId, api } = await service.business();
    expect((await api.get("/customers")).status).toBe(200);
    await setAccount(service.deps, accountId, { plan: "basic" });
    notified();
    expectError(await api.get("/customers"), "PLAN_REQUIRED");
    await setAccount(service.deps, accountId, { plan: "pro" });
    notified();
    expect((await api.get("/customers")).status).toBe(200);
  });

  test("an account that was made inactive is refused, whatever its plan", async () => {
    const { accountId, api } = await service.business();
    expect((await api.get("/customers")).status).toBe(200);
    await setAccount(service.deps, accountId, { active: false });
    notified();
    expectError(await api.get("/customers"), "ACCOUNT_INACTIVE");
    await setAccount(service.deps, accountId, { plan: "pro" });
    notified();
    expectError(await api.get("/customers"), "ACCOUNT_INACTIVE");
    await setAccount(service.deps, accountId, { active: true });
    notified();
    expect((await api.get("/customers")).status).toBe(200);
  });
});

describe("an expiry", () => {
  test("ends a key at its instant by the installation's clock, without any notification", async () => {
    await using moving = await service.sibling();
    const { clock } = moving.deps;
    const { accountId } = await service.business();
    const expiresAt = new Date(clock.now().getTime() + hour);
    const { key } = await service.key(accountId, { expiresAt });
    const api = moving.client({ authorization: `Bearer ${key}` });
    expect((await api.get("/customers")).status).toBe(200);
    clock.shiftTo(hour - 60_000);
    expect((await api.get("/customers")).status).toBe(200);
    clock.shiftTo(hour);
    expectError(await api.get("/customers"), "API_KEY_EXPIRED");
  });

  test("of a key that was also revoked is reported as revoked", async () => {
    const { accountId } = await service.business();
    const { keyId, api } = await service.key(accountId, { expiresAt: new Date(0) });
    await revokeKey(service.deps, keyId);
    expectError(await api.get("/customers"), "API_KEY_REVOKED");
  });
});

describe("an account's keys", () => {
  const create = (accountId: string, expiresAt?: Date) =>
    createKey(service.deps, { accountId, name: "prueba", scopes: ["sales:read"], expiresAt });

  test("are at most 20, counting those in force", async () => {
    const { accountId, keyId } = await service.business();
    for (let held = 1; held < maxKeysPerAccount; held++) await create(accountId);
    await expect(create(accountId)).rejects.toThrow(TooManyKeysError);
    await revokeKey(service.deps, keyId);
    await create(accountId);
    await expect(create(accountId)).rejects.toThrow(TooManyKeysError);
  });

  test("that have expired do not count", async () => {
    const { accountId } = await service.business();
    for (let i = 0; i < maxKeysPerAccount; i++) await create(accountId, new Date(0));
    expect(await create(accountId)).toHaveProperty("key");
  });

  test("are at most 20 even when the last ones are created at the same time", async () => {
    const { accountId } = await service.business();
    for (let held = 1; held < maxKeysPerAccount - 1; held++) await create(accountId);
    const ten = Array.from({ length: 10 });
    // Ten open connections, so that the ten requests really run at the same time.
    await Promise.all(ten.map(() => service.deps.pool.query("select 1")));
    const outcomes = await Promise.allSettled(ten.map(() => create(accountId)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("can only be created for an account that exists", async () => {
    await expect(create(uuidv7(new Date()))).rejects.toThrow(UnknownAccountError);
  });
});

describe("a key", () => {
  test("has its environment, 32 random characters and a checksum; only its hash and last four are kept", async () => {
    const { key, keyId } = await service.business();
    expect(key).toMatch(/^mst_test_[0-9A-Za-z]{38}$/);
    const { rows } = await service.deps.pool.query(sql`select * from api_keys where id = ${keyId}`);
    expect(rows[0].hash).toEqual(createHash("sha256").update(key).digest());
    expect(rows[0].last_four).toBe(key.slice(-4));
    expect(JSON.stringify(rows[0])).not.toContain(key.slice(9, 41));
  });

  test("with one character changed is refused without a query", async () => {
    const { key } = await service.business();
    const typo = fc.tuple(fc.nat(key.length - 1), fc.constantFrom("0", "7", "A", "z", "_", "-", "é"));
    const typos = fc
      .sample(typo, 100)
      .map(([at, character]) => key.slice(0, at) + character + key.slice(at + 1))
      .filter((changed) => changed !== key)
      .slice(0, 25);
    // In a process of its own: each of these counts as a failed authentication, and an address may have thirty.
    await using sibling = await service.sibling();
    let queries = 0;
    sibling.deps.pool.on("acquire", () => {
      queries += 1;
    });
    for (const changed of typos) {
      expectError(await sibling.client({ authorization: `Bearer ${changed}` }).get("/customers"), "INVALID_API_KEY");
    }
    expect(queries).toBe(0);
  });

  test("of the other environment is recognized without a query", async () => {
    await using live = await service.sibling(liveSettings());
    let queries = 0;
    live.deps.pool.on("acquire", () => {
      queries += 1;
    });
    const answer = await live.client({ authorization: `Bearer ${newToken("mst_test_")}` }).get("/customers");
    expectError(answer, "API_KEY_WRONG_ENVIRONMENT");
    expect(queries).toBe(0);
  });

  test("is accepted whatever the case of the word Bearer", async () => {
    const { key } = await service.business();
    for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `Bearer   ${key} `]) {
      expect((await service.client({ authorization }).get("/customers")).status).toBe(200);
    }
    for (const authorization of [key, `Bearer${key}`, `Token ${key}`, `Bearer ${key} x`, "Bearer", "Bearer "]) {
      expectError(await service.client({ authorization }).get("/customers"), "UNAUTHENTICATED");
    }
  });
});
