import { describe, expect, test } from "vitest";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { newToken } from "../../src/lib/token.ts";
import type { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import type { Answer, Service } from "../support/service.ts";

const service = sharedService({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "3" });
const shop = sharedShop(service);

function atOnce(count: number, api: ApiClient): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => api.get("/customers")));
}

const remaining = ({ headers }: Answer) => Number(headers.get("ratelimit-remaining"));
const count = (answers: Answer[], wanted: number) => answers.filter(({ status }) => status === wanted).length;

describe("the limit of a key", () => {
  test("is stated on every response", async () => {
    const { api } = await service.key(shop.accountId);
    const { headers } = await api.get("/customers");
    expect(headers.get("ratelimit-limit")).toBe("3");
    expect(headers.get("ratelimit-remaining")).toBe("2");
    expect(headers.get("ratelimit-reset")).toBe("1");
  });

  test("lets a burst through and refuses the rest, saying when to retry", async () => {
    const { api } = await service.key(shop.accountId);
    const answers = await atOnce(20, api);
    // One token is added per second: on a slow machine one or two more than the burst may pass.
    expect(count(answers, 200)).toBeGreaterThanOrEqual(3);
    expect(count(answers, 200)).toBeLessThanOrEqual(6);
    const refused = answers.find(({ status }) => status === 429)!;
    expectError(refused, "RATE_LIMITED");
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(refused.headers.get("ratelimit-reset"))).toBeGreaterThanOrEqual(1);
  });

  test("applies to each key separately", async () => {
    const greedy = await service.key(shop.accountId);
    const modest = await service.key(shop.accountId);
    const [refused, served] = await Promise.all([atOnce(20, greedy.api), atOnce(3, modest.api)]);
    expect(count(refused, 429)).toBeGreaterThan(0);
    expect(count(served, 200)).toBe(3);
  });

  test("does not count 304 responses or requests without permission", async () => {
    const { api } = await service.key(shop.accountId, { scopes: ["customers:read"] });
    const first = await api.get("/customers");
    const tag = { "if-none-match": first.headers.get("etag")! };
    for (let i = 0; i < 10; i++) {
      const same = await api.get("/customers", tag);
      expect(same.status).toBe(304);
      expect(remaining(same)).toBeGreaterThanOrEqual(remaining(first));
      const refused = await api.get("/sales");
      expect(refused.status).toBe(403);
      expect(remaining(refused)).toBeGreaterThanOrEqual(remaining(first));
    }
  });

  test.each(["RATE_LIMIT_PER_SECOND", "RATE_LIMIT_BURST"])("is off with %s=0", async (setting) => {
    await using open = await service.sibling({ [setting]: "0" });
    const answers = await atOnce(50, open.client({ authorization: `Bearer ${shop.key}` }));
    expect(count(answers, 200)).toBe(50);
    expect(answers[0]!.headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("thirty failed authentications a minute per address", () => {
  const guess = (sibling: Service, key = newToken("mst_test_")) => sibling.client({ authorization: `Bearer ${key}` });

  /** Uses up the address's allowance, and a good deal more. */
  const guessing = (sibling: Service, key?: string) =>
    Promise.all(Array.from({ length: 50 }, () => guess(sibling, key).get("/customers")));

  test("an IPv6 /64 counts as one address, the next /64 as another", async () => {
    await using sibling = await service.sibling({ TRUST_PROXY: "1" });
    const at = (address: string) =>
      sibling
        .client({ authorization: `Bearer ${newToken("mst_test_")}`, "x-forwarded-for": address })
        .get("/customers");
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => at(`2001:db8:0:1:${n.toString(16)}::1`)));
    expect(count(answers, 429)).toBeGreaterThanOrEqual(15);
    expect((await at("2001:db8:0:2::1")).status).toBe(401);
  });

  test("and the next is RATE_LIMITED", async () => {
    await using sibling = await service.sibling();
    const answers = await guessing(sibling);
    // One more is allowed every two seconds.
    expect(count(answers, 401)).toBeGreaterThanOrEqual(30);
    expect(count(answers, 401)).toBeLessThanOrEqual(35);
    const refused = answers.find(({ status }) => status === 429)!;
    expectError(refused, "RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("ratelimit-limit")).toBe("30");
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
  });

  test("malformed and missing keys count too", async () => {
    await using sibling = await service.sibling();
    expect(count(await guessing(sibling, "mst_test_nada"), 429)).toBeGreaterThan(0);
    expect((await sibling.client().get("/customers")).status).toBe(429);
  });

  test("a valid key that was seen before still passes, even after its cached entry is gone", async () => {
    await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "0" });
    const good = guess(sibling, shop.key);
    expect((await good.get("/customers")).status).toBe(200);
    await guessing(sibling);
    expect((await good.get("/customers")).status).toBe(200);
    for (let i = 0; i < 5; i++) {
      sibling.deps.access.clear();
      const [answers, answer] = await Promise.all([guessing(sibling), good.get("/customers")]);
      expect(count(answers, 429)).toBeGreaterThan(0);
      expect(answer.status).toBe(200);
    }
  });

  describe("behind a proxy", () => {
    const from = (sibling: Service, address: string) =>
      sibling.client({ authorization: `Bearer ${newToken("mst_test_")}`, "x-forwarded-for": address });
    const statuses = async (sibling: Service) => {
      await Promise.all(Array.from({ length: 50 }, () => from(sibling, "203.0.113.1").get("/customers")));
      const [greedy, neighbour] = [from(sibling, "203.0.113.1"), from(sibling, "203.0.113.2")];
      return [(await greedy.get("/customers")).status, (await neighbour.get("/customers")).status];
    };

    test.each(["1", "127.0.0.1", "loopback,10.0.0.0/8"])(
      "that is trusted (%s) each client has its own limit",
      async (proxy) => {
        await using sibling = await service.sibling({ TRUST_PROXY: proxy });
        expect(await statuses(sibling)).toEqual([429, 401]);
      },
    );

    test.each(["", "10.0.0.0/8"])("that is not trusted (%s) no client can claim another address", async (proxy) => {
      await using sibling = await service.sibling({ TRUST_PROXY: proxy });
      expect(await statuses(sibling)).toEqual([429, 429]);
    });

    test("an address that the client put before the proxy's is ignored", async () => {
      await using sibling = await service.sibling({ TRUST_PROXY: "1" });
      const guesses = await Promise.all(
        Array.from({ length: 50 }, (_, i) => from(sibling, `198.51.100.${i}, 203.0.113.1`).get("/customers")),
      );
      expect(count(guesses, 429)).toBeGreaterThan(0);
    });
  });

  test("beyond it a valid key passes at its first use, a revoked one is told so, and so is an expired one", async () => {
    await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "0" });
    const expiresAt = new Date(Date.now() + 60_000);
    const [valid, revoked, expired] = [
      await service.key(shop.accountId),
      await service.key(shop.accountId),
      await service.key(shop.accountId, { expiresAt }),
    ];
    await revokeKey(service.deps, revoked.keyId);
    await service.deps.pool.query("update api_keys set expires_at = now() - interval '1 hour' where id = $1", [
      expired.keyId,
    ]);
    await guessing(sibling);
    expect((await guess(sibling).get("/customers")).status).toBe(429);
    expect((await guess(sibling, valid.key).get("/customers")).status).toBe(200);
    // The second time they are in the cache.
    for (let i = 0; i < 2; i++) {
      expectError(await guess(sibling, revoked.key).get("/customers"), "API_KEY_REVOKED");
      expectError(await guess(sibling, expired.key).get("/customers"), "API_KEY_EXPIRED");
    }
  });

  test("a revoked or expired key does not count: it is nobody's guess", async () => {
    await using sibling = await service.sibling();
    const { key, keyId } = await service.key(shop.accountId);
    await revokeKey(service.deps, keyId);
    const answers = await guessing(sibling, key);
    expect(new Set(answers.map(({ body }) => body.error.code))).toEqual(new Set(["API_KEY_REVOKED"]));
    expect(remaining(answers.at(-1)!)).toBe(30);
  });

  test("the refusal names the failed authentications", async () => {
    await using sibling = await service.sibling();
    await guessing(sibling);
    const { body } = await guess(sibling, "mst_test_nada").get("/customers");
    expect(body.error.message).toContain("autenticaciones fallidas");
  });

  test("a refused browser request does not count as a failed authentication", async () => {
    await using sibling = await service.sibling();
    const browser = sibling.client({ origin: "https://tienda.example" });
    const answers = await atOnce(50, browser);
    expect(count(answers, 403)).toBe(50);
  });
});
