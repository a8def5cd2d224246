import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import type { ErrorCode } from "../../src/lib/errors.ts";
import { newToken } from "../../src/lib/token.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { type RawAnswer, rawClient } from "../support/raw.ts";

const service = sharedService();
const shop = sharedShop(service);
const { call, post } = rawClient(service, shop);

const tooLarge = "x".repeat(256 * 1024 + 1);
const browser = { origin: "https://tienda.example" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("a request with two faults gets the error of the earlier check", () => {
  const cases: [string, ErrorCode, () => Promise<Pick<RawAnswer, "status" | "body">>][] = [
    ["route before browser", "ROUTE_NOT_FOUND", () => call({ path: "/clientes", headers: browser })],
    [
      "browser before key",
      "BROWSER_REQUESTS_NOT_ALLOWED",
      () => call({ path: "/customers", headers: { ...browser, ...bearer(newToken("mst_test_")) } }),
    ],
    [
      "key before account",
      "API_KEY_REVOKED",
      async () => {
        const { accountId, keyId, api } = await service.business();
        await setAccount(service.deps, accountId, { active: false });
        await revokeKey(service.deps, keyId);
        return api.get("/customers");
      },
    ],
    [
      "account before plan",
      "ACCOUNT_INACTIVE",
      async () => {
        const { accountId, api } = await service.business({ plan: "basic" });
        await setAccount(service.deps, accountId, { active: false });
        return api.get("/customers");
      },
    ],
    [
      "plan before scope",
      "PLAN_REQUIRED",
      async () => (await service.business({ plan: "basic", scopes: ["sales:read"] })).api.get("/customers"),
    ],
    [
      "scope before rate",
      "INSUFFICIENT_SCOPE",
      async () => {
        await using strict = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "1" });
        const { key } = await service.key(shop.accountId, { scopes: ["customers:read"] });
        const client = strict.client(bearer(key));
        await Promise.all([1, 2, 3].map(() => client.get("/customers")));
        return await client.get("/sales");
      },
    ],
    [
      "rate before size",
      "RATE_LIMITED",
      async () => {
        await using strict = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "1" });
        const client = strict.client(bearer(shop.key));
        const answers = await Promise.all([1, 2, 3, 4].map(() => client.post("/customers", { name: tooLarge })));
        return answers.find(({ status }) => status !== 413) ?? answers[0]!;
      },
    ],
    [
      "size before JSON",
      "PAYLOAD_TOO_LARGE",
      () => post("/customers", tooLarge, { "content-type": "text/plain", "idempotency-key": "a" }),
    ],
    ["JSON before schema", "INVALID_JSON", () => post("/customers?sin_sentido=1", "{")],
    [
      "schema before idempotency",
      "VALIDATION_ERROR",
      async () => {
        const answer = await post("/customers", '{"name":7}', { "idempotency-key": "dos palabras" });
        expect(answer.body.error.param).toBe("name");
        return answer;
      },
    ],
    [
      "idempotency before business",
      "VALIDATION_ERROR",
      async () => {
        const body = JSON.stringify({ product_id: randomUUID(), type: "in", quantity: 1 });
        const answer = await post("/inventory/movements", body, { "idempotency-key": "dos palabras" });
        expect(answer.body.error.param).toBe("Idempotency-Key");
        return answer;
      },
    ],
  ];
  test.each(cases)("%s: %s", async (_pair, code, request) => {
    expectError(await request(), code);
  });
});
