import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { resources } from "../../src/business/registry.ts";
import { type Scope, scopes } from "../../src/engine/resources/scopes.ts";
import { newToken } from "../../src/lib/token.ts";
import { publicRoutes, type StockedShop, sampleOf, stockedShop } from "../suites/routes.ts";
import { expectError } from "../support/expect-error.ts";
import { type Answer, type Business, type Service, startService } from "../support/service.ts";

/** The endpoints of the service document and of decisions 6 and 7, as written there, and the exports. */
const documented: Record<string, Scope | undefined> = {
  "GET /me": undefined,
  "POST /customers": "customers:write",
  "GET /customers": "customers:read",
  "GET /customers/:id": "customers:read",
  "PATCH /customers/:id": "customers:write",
  "POST /categories": "products:write",
  "GET /categories": "products:read",
  "GET /categories/:id": "products:read",
  "PATCH /categories/:id": "products:write",
  "POST /products": "products:write",
  "GET /products": "products:read",
  "GET /products/:id": "products:read",
  "PATCH /products/:id": "products:write",
  "POST /customers/batch": "customers:write",
  "POST /products/batch": "products:write",
  "POST /products/:id/variants": "products:write",
  "PATCH /products/:id/variants/:variant_id": "products:write",
  "DELETE /products/:id/variants/:variant_id": "products:write",
  "GET /inventory/levels": "inventory:read",
  "GET /sales": "sales:read",
  "GET /sales/:id": "sales:read",
  "GET /returns": "sales:read",
  "GET /returns/:id": "sales:read",
  "GET /invoices": "invoices:read",
  "GET /invoices/:id": "invoices:read",
  "POST /inventory/movements": "inventory:write",
  "GET /inventory/movements": "inventory:read",
  "GET /inventory/movements/:id": "inventory:read",
  "POST /warehouses": "inventory:write",
  "PATCH /warehouses/:id": "inventory:write",
  "GET /warehouses": "inventory:read",
  "GET /warehouses/:id": "inventory:read",
  "GET /cash-sessions": "cash:read",
  "GET /cash-sessions/:id": "cash:read",
  "GET /quotes": "quotes:read",
  "GET /quotes/:id": "quotes:read",
  "POST /orders": "orders:write",
  "GET /orders": "orders:read",
  "GET /orders/:id": "orders:read",
  "PATCH /orders/:id": "orders:write",
  "POST /orders/:id/cancel": "orders:write",
  "POST /orders/preview": "orders:write",
  "GET /exports/orders": "orders:read",
  "POST /suppliers": "suppliers:write",
  "GET /suppliers": "suppliers:read",
  "GET /suppliers/:id": "suppliers:read",
  "PATCH /suppliers/:id": "suppliers:write",
  "GET /exports/suppliers": "suppliers:read",
  "POST /purchases": "purchases:write",
  "GET /purchases": "purchases:read",
  "GET /purchases/:id": "purchases:read",
  "PATCH /purchases/:id": "purchases:write",
  "POST /purchases/:id/receipts": "purchases:write",
  "GET /exports/purchases": "purchases:read",
  "GET /events": "events:read",
  "GET /events/:id": "events:read",
  "GET /audit-log": "audit:read",
  "GET /exports/customers": "customers:read",
  "GET /exports/categories": "products:read",
  "GET /exports/products": "products:read",
  "GET /exports/sales": "sales:read",
  "GET /exports/returns": "sales:read",
  "GET /exports/invoices": "invoices:read",
  "GET /exports/inventory-movements": "inventory:read",
  "GET /exports/warehouses": "inventory:read",
  "GET /exports/cash-sessions": "cash:read",
  "GET /exports/quotes": "quotes:read",
  "GET /exports/events": "events:read",
};

// Started while the file is read: the tests below are made from the app's own routes.
const service = await startService({ RATE_LIMIT_PER_SECOND: "1000", RATE_LIMIT_BURST: "1000" });
afterAll(() => service[Symbol.asyncDispose]());
const routes = publicRoutes(service.app);

let shop: StockedShop;
let neighbour: StockedShop;
let inactive: Business;
let basic: Business;
const keys = { revoked: "", expired: "", unknown: newToken("mst_test_"), live: newToken("mst_live_") };
const onlyKeys = new Map<Scope, string>();
const lackingKeys = new Map<Scope, string>();

beforeAll(async () => {
  shop = await stockedShop(service);
  neighbour = await stockedShop(service);
  inactive = await service.business();
  await setAccount(service.deps, inactive.accountId, { active: false });
  basic = await service.business({ plan: "basic" });
  const { keyId, key } = await service.key(shop.accountId);
  await revokeKey(service.deps, keyId);
  keys.revoked = key;
  keys.expired = (await service.key(shop.accountId, { expiresAt: new Date(Date.now() - 1000) })).key;
  for (const scope of scopes) {
    // An account holds 20 keys: each scope's pair belongs to an account of its own kind.
    onlyKeys.set(scope, (await service.key(shop.accountId, { scopes: [scope] })).key);
    const lacking = scopes.filter((one) => one !== scope);
    lackingKeys.set(scope, (await service.key(neighbour.accountId, { scopes: lacking })).key);
  }
});

test("the routes of the contract are there, each with its permission", () => {
  expect(Object.fromEntries(routes.map(({ name, permission }) => [name, permission]))).toMatchObject(documented);
});

test("every other route is a declared resource's", () => {
  const declared = resources.flatMap(({ path }) => [
    path,
    `${path}/:id`,
    `/exports/${path.slice(1).replace("/", "-")}`,
  ]);
  const others = routes.filter(({ name, path }) => !(name in documented) && !declared.includes(path));
  expect(others).toEqual([]);
});

describe.each(routes)("$name", (route) => {
  // A process of its own: failed authentications are counted per address, and all tests have the same.
  let sibling: Service;
  beforeAll(async () => {
    sibling = await service.sibling();
  });
  afterAll(() => sibling[Symbol.asyncDispose]());

  const needed = route.permission;
  const hasId = route.path.includes(":id");
  const namesRecords = hasId || route.name === "POST /inventory/movements" || route.name === "POST /products";

  interface Call {
    key?: string;
    headers?: Record<string, string>;
    /** Whose records the request is about. */
    of?: StockedShop;
    path?: (sample: string) => string;
  }

  /** The route's sample request, except for what a test changes. */
  async function call({ key, headers = {}, of = shop, path = (sample) => sample }: Call): Promise<Answer> {
    const sample = sampleOf(route, of);
    if (route.method === "DELETE") {
      // Each call needs something to delete.
      const [list = ""] = sample.path.split(/\/[^/]+$/);
      const added = await service.client({ authorization: `Bearer ${of.key}` }).post(list, { label: randomUUID() });
      sample.path = `${list}/${added.body.id}`;
    }
    const always: Record<string, string> = { ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    const json = { "content-type": "application/json", "idempotency-key": randomUUID() };
    const client = sibling.client({ ...always, ...(sample.body && json) });
    const answer = await client.send(
      route.method,
      path(sample.path),
      headers,
      sample.body && JSON.stringify(sample.body),
    );
    for (const name of ["request-id", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]) {
      expect(answer.headers.get(name), name).not.toBeNull();
    }
    return answer;
  }

  function expectUnauthorized(answer: Answer, code: Parameters<typeof expectError>[1]): void {
    expectError(answer, code);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  }

  test("a key with only its permission is enough", async () => {
    // One that no permission guards is open to every key.
    const { status, headers } = await call({ key: onlyKeys.get(needed ?? "quotes:read")! });
    expect(status).toBe(route.method === "POST" && !/\/(batch|cancel|preview|receipts)$/.test(route.path) ? 201 : 200);
    expect(headers.get("www-authenticate")).toBeNull();
  });

  test.skipIf(needed === undefined)("a key with every other permission gets INSUFFICIENT_SCOPE", async () => {
    const answer = await call({ key: lackingKeys.get(needed!)!, of: neighbour });
    expectError(answer, "INSUFFICIENT_SCOPE", { required_scope: needed });
    expect(answer.status).toBe(403);
  });

  test("no key gets UNAUTHENTICATED", async () => {
    expectUnauthorized(await call({}), "UNAUTHENTICATED");
    expectUnauthorized(await call({ headers: { authorization: "Basic bWVyY2Fkbzo=" } }), "UNAUTHENTICATED");
  });

  test("a malformed key and an unknown one get INVALID_API_KEY", async () => {
    expectUnauthorized(await call({ key: "mst_test_nada" }), "INVALID_API_KEY");
    expectUnauthorized(await call({ key: keys.unknown }), "INVALID_API_KEY");
  });

  test("a revoked key gets API_KEY_REVOKED", async () => {
    expectUnauthorized(await call({ key: keys.revoked }), "API_KEY_REVOKED");
  });

  test("an expired key gets API_KEY_EXPIRED", async () => {
    expectUnauthorized(await call({ key: keys.expired }), "API_KEY_EXPIRED");
  });

  test("a key of the other environment gets API_KEY_WRONG_ENVIRONMENT", async () => {
    expectUnauthorized(await call({ key: keys.live }), "API_KEY_WRONG_ENVIRONMENT");
  });

  test("an inactive account gets ACCOUNT_INACTIVE", async () => {
    expectUnauthorized(await call({ key: inactive.key }), "ACCOUNT_INACTIVE");
  });

  test("a basic plan gets PLAN_REQUIRED", async () => {
    const answer = await call({ key: basic.key });
    expectError(answer, "PLAN_REQUIRED");
    expect(answer.status).toBe(403);
  });

  test("a browser gets BROWSER_REQUESTS_NOT_ALLOWED, even with a good key", async () => {
    for (const headers of [{ origin: "https://tienda.example" }, { "sec-fetch-site": "same-origin" }]) {
      const answer = await call({ key: shop.key, headers });
      expectError(answer, "BROWSER_REQUESTS_NOT_ALLOWED");
      expect(answer.status).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("Sec-Fetch-Mode alone is no browser", async () => {
    const { status } = await call({ key: shop.key, headers: { "sec-fetch-mode": "cors" } });
    expect(status).toBeLessThan(300);
  });

  test("an unknown query parameter gets VALIDATION_ERROR", async () => {
    const answer = await call({ key: shop.key, path: (sample) => `${sample}?sin_sentido=1` });
    expectError(answer, "VALIDATION_ERROR", { param: "sin_sentido" });
    expect(answer.status).toBe(400);
  });

  if (namesRecords)
    test("a record of another account gets NOT_FOUND", async () => {
      const answer = await call({ key: shop.key, of: neighbour });
      expectError(answer, "NOT_FOUND");
      expect(answer.status).toBe(404);
    });

  if (hasId)
    test("an id that is no uuid gets VALIDATION_ERROR", async () => {
      for (const id of ["7", "0", "%20", `${randomUUID()}0`, "z".repeat(300)]) {
        const answer = await call({
          key: shop.key,
          path: (sample) => route.path.replace(":id", id).replace(":variant_id", sample.split("/").at(-1)!),
        });
        expectError(answer, "VALIDATION_ERROR", { param: "id" });
        expect(answer.status).toBe(400);
      }
    });

  if (route.method === "GET" && !hasId && route.name !== "GET /me")
    test("the list holds only the account's own records", async () => {
      const isExport = route.path.startsWith("/exports/");
      const answer = await call({ key: shop.key, path: (sample) => sample + (isExport ? "" : "?limit=100") });
      const records = isExport
        ? answer.text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        : answer.body.data;
      const idIn = (record: { id?: string; product_id: string }) => record.id ?? record.product_id;
      const listed = records.map(idIn);
      const path = route.path.replace("/exports", "").replace("inventory-", "inventory/");
      expect(listed).toContain(shop.ids[path]);
      expect(listed).not.toContain(neighbour.ids[path]);
    });
});
