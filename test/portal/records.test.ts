import { afterAll, beforeAll, expect, test } from "vitest";
import { resources } from "../../src/business/registry.ts";
import { sql } from "../../src/db/sql.ts";
import { type StockedShop, stockedShop } from "../suites/routes.ts";
import { call, openAgain, type Portal } from "../support/portal.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
let shop: StockedShop;
let neighbour: StockedShop;
let owner: Portal;
beforeAll(async () => {
  service = await startService();
  shop = await stockedShop(service);
  neighbour = await stockedShop(service);
  owner = await openAgain(service, shop, `${shop.accountId}@example.com`);
});
afterAll(() => service[Symbol.asyncDispose]());

test.each(resources)("the owner reads $path as the API gives it, and nobody else's", async ({ path }) => {
  const list = await owner.get(`/records${path}?limit=100`);
  const published = await shop.api.get(`${path}?limit=100`);
  expect([list.status, list.body.data]).toEqual([200, published.body.data]);
  const [own, other] = [shop.ids[path]!, neighbour.ids[path]!];
  expect((await owner.get(`/records${path}/${own}`)).body).toEqual((await shop.api.get(`${path}/${own}`)).body);
  expect((await owner.get(`/records${path}/${other}`)).status).toBe(404);
  expect((await owner.get(`/records${path}?sin_sentido=1`)).body.error.code).toBe("VALIDATION_ERROR");
  expect((await call(service, "GET", `/records${path}`)).status).toBe(401);
});

test("what the owner reads in the portal is no call of a key", async () => {
  await owner.get("/records/sales");
  const { rows } = await service.deps.pool.query(sql`
    select path from request_log where account_id = ${shop.accountId} and path like '/portal/%'`);
  expect(rows).toEqual([]);
});
