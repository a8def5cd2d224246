import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { sql } from "../../src/db/sql.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { type ErrorCode, errorCatalogue } from "../../src/lib/errors.ts";
import { newToken } from "../../src/lib/token.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { productBody, store } from "../support/records.ts";
import { type Answer, onServer, startService } from "../support/service.ts";

const service = sharedService();
const shop = sharedShop(service);

/** How to obtain one error code from the public API, and what comes with it. */
interface Case {
  status: number;
  obtain: () => Promise<Answer>;
  /** Further properties of the error. */
  details?: object;
  headers?: Record<string, string>;
}

const withKey = (key: string) => service.client({ authorization: `Bearer ${key}` }).get("/customers");
const bearer = { "www-authenticate": "Bearer" };
const json = { "content-type": "application/json" };
const someDevice = randomUUID();

/** The statuses are repeated from the decisions, so that the catalogue cannot drift from them unnoticed. */
const cases: Record<ErrorCode, Case> = {
  VALIDATION_ERROR: {
    status: 400,
    obtain: () => shop.api.post("/customers", { name: "Ana", edad: 30 }),
    details: { param: "edad", errors: [{ param: "edad", message: expect.stringContaining("`edad` no existe") }] },
  },
  INVALID_JSON: {
    status: 400,
    obtain: () => shop.api.send("POST", "/customers", { ...json, "idempotency-key": randomUUID() }, '{"name":'),
  },
  INVALID_CURSOR: {
    status: 400,
    obtain: () => shop.api.get("/customers?starting_after=nada"),
    details: { param: "starting_after" },
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    obtain: () => shop.api.send("POST", "/customers", json, '{"name":"Ana"}'),
    details: { param: "Idempotency-Key" },
  },
  UNAUTHENTICATED: { status: 401, obtain: () => service.client().get("/customers"), headers: bearer },
  INVALID_API_KEY: { status: 401, obtain: () => withKey(newToken("mst_test_")), headers: bearer },
  API_KEY_REVOKED: {
    status: 401,
    obtain: async () => {
      const { keyId, key } = await service.key(shop.accountId);
      await revokeKey(service.deps, keyId);
      return withKey(key);
    },
    headers: bearer,
  },
  API_KEY_EXPIRED: {
    status: 401,
    obtain: async () => withKey((await service.key(shop.accountId, { expiresAt: new Date(0) })).key),
    headers: bearer,
  },
  API_KEY_WRONG_ENVIRONMENT: { status: 401, obtain: () => withKey(newToken("mst_live_")), headers: bearer },
  ACCOUNT_INACTIVE: {
    status: 401,
    obtain: async () => {
      const { accountId, key } = await service.business();
      await setAccount(service.deps, accountId, { active: false });
      return withKey(key);
    },
    headers: bearer,
  },
  PLAN_REQUIRED: {
    status: 403,
    obtain: async () => withKey((await service.business({ plan: "basic" })).key),
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    obtain: async () => {
      const others = scopes.filter((scope) => scope !== "customers:read");
      return withKey((await service.key(shop.accountId, { scopes: others })).key);
    },
    details: { required_scope: "customers:read", message: expect.stringContaining("`customers:read`") },
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    obtain: async () =>
      withKey((await service.key(shop.accountId, { allowedAddresses: ["192.0.2.0/24", "2001:db8::/32"] })).key),
  },
  BROWSER_REQUESTS_NOT_ALLOWED: {
    status: 403,
    obtain: () => shop.api.get("/customers", { origin: "https://tienda.example" }),
  },
  NOT_FOUND: { status: 404, obtain: () => shop.api.get(`/customers/${randomUUID()}`), details: { param: "id" } },
  ROUTE_NOT_FOUND: {
    status: 404,
    obtain: () => shop.api.send("DELETE", `/customers/${randomUUID()}`),
    headers: { allow: "GET, HEAD, PATCH" },
  },
  CONFLICT: {
    status: 409,
    obtain: async () => {
      const { body } = await shop.api.post("/customers", { name: "Ana" });
      const { headers } = await shop.api.get(`/customers/${body.id}`);
      await shop.api.patch(`/customers/${body.id}`, { phone: "300" });
      return shop.api.patch(`/customers/${body.id}`, { phone: "301" }, { "if-match": headers.get("etag")! });
    },
  },
  SKU_ALREADY_EXISTS: {
    status: 409,
    obtain: async () => {
      await shop.api.post("/products", { name: "Leche", base_price: 4200, sku: "LECHE" });
      return shop.api.post("/products", { name: "Leche entera", base_price: 4300, sku: "LECHE" });
    },
    details: { param: "sku" },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    obtain: async () => {
      const once = { "idempotency-key": randomUUID() };
      const clock = await holdClock(service.deps, shop.accountId);
      const first = shop.api.post("/customers", { name: "Ana" }, once);
      await expect.poll(() => waitingSessions(service.deps)).toBe(1);
      const second = await shop.api.post("/customers", { name: "Ana" }, once);
      await clock.release();
      expect((await first).status).toBe(201);
      return second;
    },
    headers: { "retry-after": "1" },
  },
  NO_WAREHOUSE: {
    status: 409,
    obtain: async () => {
      const { body } = await shop.api.post("/warehouses", { name: "Principal" });
      await shop.api.patch(`/warehouses/${body.id}`, { active: false });
      return shop.api.post("/products", { name: "Leche", base_price: 4200, initial_stock: 1 });
    },
    details: { param: "warehouse_id" },
  },
  DEVICES_OUTDATED: {
    status: 409,
    obtain: async () => {
      const { api, accountId } = await service.business();
      const { body } = await api.post("/products", { name: "Leche", base_price: 4200 });
      await service.deps.pool.query(sql`
        insert into devices (id, account_id, name, app_version, capabilities, created_at, last_seen_at)
        values (${someDevice}, ${accountId}, 'Caja 1', '1.9.0', '{}', now(), '2026-09-28T14:05:00Z'),
          (${randomUUID()}, ${accountId}, 'Caja 2', '2.4.0', '{product.remote_edit.1}', now(), now())`);
      const answer = await api.patch(`/products/${body.id}`, { base_price: 4300 });
      expect((await api.get(`/products/${body.id}`)).body).toEqual(body);
      return answer;
    },
    details: {
      devices: [{ id: someDevice, name: "Caja 1", app_version: "1.9.0", last_seen_at: "2026-09-28T14:05:00.000Z" }],
    },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    obtain: () => shop.api.post("/customers", { name: "a".repeat(256 * 1024) }),
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    obtain: async () => {
      const once = { "idempotency-key": randomUUID() };
      await shop.api.post("/customers", { name: "Ana" }, once);
      return shop.api.post("/customers", { name: "Eva" }, once);
    },
    details: { param: "Idempotency-Key" },
  },
  VARIANT_STOCK_UNSUPPORTED: {
    status: 422,
    obtain: async () => {
      const { body } = await shop.api.post("/products", {
        name: "Camiseta",
        base_price: 30_000,
        variants: [{ label: "Talla M" }],
      });
      return shop.api.post("/inventory/movements", { product_id: body.id, type: "in", quantity: 1 });
    },
    details: { param: "product_id" },
  },
  COMPOSITE_STOCK_UNSUPPORTED: {
    status: 422,
    obtain: async () => {
      const [combo] = await store(service.deps, shop.accountId, products, (at) => [
        { body: productBody(at, { kind: "composite" }), ...newLedger(0) },
      ]);
      return shop.api.post("/inventory/movements", { product_id: combo!.id, type: "in", quantity: 1 });
    },
    details: { param: "product_id" },
  },
  RATE_LIMITED: {
    status: 429,
    obtain: async () => {
      await using strict = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "1" });
      const client = strict.client({ authorization: `Bearer ${shop.key}` });
      const answers = await Promise.all([1, 2, 3, 4].map(() => client.get("/customers")));
      return answers.find(({ status }) => status === 429)!;
    },
    headers: { "retry-after": "1" },
  },
  INTERNAL_ERROR: {
    status: 500,
    obtain: async () => {
      await using broken = await startService();
      const { api } = await broken.business();
      await broken.deps.pool.query("drop table customers");
      const answer = await api.get("/customers");
      expect((await api.get("/categories")).status).toBe(200);
      return answer;
    },
  },
};

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test.each(codes)("%s is returned as documented", async (code) => {
  const { status, obtain, details = {}, headers = {} } = cases[code];
  const answer = await obtain();
  expect(answer.body).toMatchObject({ error: { code, ...details } });
  expect(answer.status).toBe(status);
  for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  expectEnvelope(answer, code);
});

test("every code of the catalogue is obtained here", () => {
  expect(Object.keys(cases).sort()).toEqual([...codes].sort());
});

describe.each([
  ["accepts no connections", "with allow_connections false", "with allow_connections true"],
  ["is gone", "rename to :gone", "rename to :here"],
])("while the database %s", (_how, away, back) => {
  test("each request gets 503 with Retry-After, and the service recovers by itself", async () => {
    await using alone = await startService();
    const { api } = await alone.business();
    const { body: customer } = await api.post("/customers", { name: "Ana" });
    const here = new URL(alone.databaseUrl).pathname.slice(1);
    const gone = `${here}_gone`;
    const fill = (text: string) => text.replace(":gone", gone).replace(":here", here);

    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${here}'`);
    await onServer(`alter database ${here} ${fill(away)}`);
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${here}', '${gone}')`);
    const read = () => api.get(`/customers/${customer.id}`);
    const write = () => api.post("/customers", { name: "Eva" });
    // With the key still cached, and once it must be read again.
    const answers = [await read(), await write()];
    alone.deps.access.clear();
    answers.push(await read(), await write());
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expectEnvelope(answer, "INTERNAL_ERROR");
    }

    await onServer(`alter database ${away.startsWith("rename") ? gone : here} ${fill(back)}`);
    expect((await read()).body).toEqual(customer);
    expect((await write()).status).toBe(201);
  });
});

test("a backend that dies in the middle of a write fails that write only", async () => {
  const clock = await holdClock(service.deps, shop.accountId);
  const lost = shop.api.post("/customers", { name: "Perdida" });
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  await service.deps.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  const answer = await lost;
  await clock.release();
  expect(answer.status).toBe(503);
  expectEnvelope(answer, "INTERNAL_ERROR");
  expect((await shop.api.get("/customers?q=perdida")).body.data).toEqual([]);
  expect((await shop.api.post("/customers", { name: "Hallada" })).status).toBe(201);
});

/** The end of a message: what the reader should do now. */
const nextStep =
  /(^|[^\wáéíóú])(Corrija|Envíe|Repita|Revise|Cree|Use|Pida|Llámela|Vuelva|Espere|Genere|Registre|Divida|Reintente|Actualice)\b/;

const leaks = /\bat .+:\d+|\.ts\b|node_modules|\b(select|insert|update|relation|database|backend|postgres|pg)\b/i;

function expectEnvelope({ body, headers, text }: Answer, code: ErrorCode): void {
  const { error } = body;
  expect(Object.keys(body)).toEqual(["error"]);
  expect(error.code).toBe(code);
  expect(error.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(error.request_id).toBe(headers.get("request-id"));
  expect(error.doc_url).toBe(`${service.deps.config.publicUrl}/docs/errores#${code}`);
  expect(error.message.split(". ").at(-1)).toMatch(nextStep);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(text).not.toMatch(leaks);
}
