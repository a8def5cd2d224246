import { afterAll, beforeAll, expect, test } from "vitest";
import { authorityFor } from "../../src/fiscal/authority-for.ts";
import { type FiscalWorker, fiscalWorker } from "../../src/fiscal/worker.ts";
import { second } from "../../src/lib/clock.ts";
import { advance, documentsOf, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
let worker: FiscalWorker;
beforeAll(async () => {
  service = await startService();
  shop = await fiscalBusiness(service);
  worker = fiscalWorker(service.deps, authorityFor(service.deps));
});
afterAll(() => service[Symbol.asyncDispose]());

test("smoke", async () => {
  const [sale] = await ringUp(service, shop.accountId, (at) => [plainSale(at, 10_000)]);
  const before = await documentsOf(service, shop.accountId, sale!.id);
  console.log(before);
  console.log(await worker.workOff());
  advance(service, 3 * second);
  console.log(await worker.workOff());
  const after = await documentsOf(service, shop.accountId, sale!.id);
  console.log(after);
  expect(after[0]!.status).toBe("issued");
});
