import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { warehouses } from "../../../src/business/inventory/resource.ts";
import { setProfile } from "../../../src/fiscal/profile/set-profile.ts";
import { expectError } from "../../support/expect-error.ts";
import { verifiedService } from "../../support/fixtures.ts";
import { openPortal, type Portal } from "../../support/portal.ts";
import { eventsOf } from "../../support/product.ts";
import { store, warehouseBody } from "../../support/records.ts";
import { enrol } from "../../support/register.ts";

const service = verifiedService();
let owner: Portal;
let neighbour: Portal;
beforeAll(async () => {
  owner = await openPortal(service);
  neighbour = await openPortal(service);
  await store(service.deps, owner.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
});

const key = () => ({ "idempotency-key": randomUUID() });
async function make(input: object, portal = owner) {
  const answer = await portal.post("/products", { name: "Arroz", base_price: 1000, ...input }, key());
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const names = async (query: string) =>
  (await owner.get(`/products${query}`)).body.data.map(({ name }: { name: string }) => name);

test("an owner makes and edits a product by the API's rules, once, with its events", async () => {
  const once = key();
  const input = { name: "Café de Nariño", base_price: 18_000, sku: "CAFE-1", initial_stock: 3, unit_cost: 9_000 };
  const made = await owner.post("/products", input, once);
  const again = await owner.post("/products", input, once);
  expect([made.status, again.text]).toEqual([201, made.text]);
  const { id } = made.body;
  const edited = await owner.patch(`/products/${id}`, { base_price: 19_000 });
  expect([edited.status, edited.body.final_price]).toEqual([200, 19_000]);
  const events = (await eventsOf(owner.business.api)).filter(({ data }) => data.object.id === id);
  expect(events.map(({ type }) => type)).toEqual(["product.created", "product.updated"]);

  expectError(await owner.post("/products", input, key()), "SKU_ALREADY_EXISTS", { param: "sku" });
  expectError(await owner.post("/products", { name: " ", base_price: 1 }, key()), "VALIDATION_ERROR", {
    param: "name",
  });
  expectError(await owner.post("/products", input), "IDEMPOTENCY_KEY_REQUIRED");
  expectError(await owner.patch(`/products/${id}`, { base_unit: "kg" }), "VALIDATION_ERROR", { param: "base_unit" });
  expectError(await owner.patch(`/products/${id}`, { name: "nul\u0000" }), "VALIDATION_ERROR", { param: "name" });
  expectError(await neighbour.patch(`/products/${id}`, { base_price: 1 }), "NOT_FOUND");
  expectError(await neighbour.get(`/products/${id}`), "NOT_FOUND");
  expectError(await neighbour.get(`/products/${id}/prices`), "NOT_FOUND");
  expectError(await owner.get("/products/no-es-uuid"), "VALIDATION_ERROR", { param: "id" });
});

test("what a plastic bag costs besides its price follows the regime", async () => {
  expect((await owner.get("/bag-tax")).body).toEqual({ per_bag: expect.any(Number) });
  const none = await openPortal(service);
  await setProfile(service.deps, none.accountId, { nit: "900373923-8", regime: "none", documents: "internal" });
  expect((await none.get("/bag-tax")).body).toEqual({ per_bag: null });
});

test("the price history lists each price of the last 30 days, and says since when it is kept", async () => {
  const { id } = await make({ name: "Panela", base_price: 3_000 });
  await owner.patch(`/products/${id}`, { base_price: 3_300 });
  await owner.patch(`/products/${id}`, { name: "Panela redonda" });
  await owner.patch(`/products/${id}`, { percent_discount: 10 });
  const { body } = await owner.get(`/products/${id}/prices`);
  expect(body.data.map((one: { final_price: number }) => one.final_price)).toEqual([2_970, 3_300, 3_000]);
  expect(Date.parse(body.kept_since)).toBeLessThan(Date.now() - 29 * 86_400_000);
  expect((await owner.get(`/products/${id}`)).body.prices_changed_at).toBe(body.data[0].at);
});

test("the list is by name, page by page, and finds names without accents and SKUs by their start", async () => {
  const shop = await openPortal(service);
  for (const name of ["Zanahoria", "Ñame", "arracacha", "Brócoli"]) await make({ name, sku: `V-${name}` }, shop);
  const pages: string[] = [];
  let cursor = "";
  do {
    const { body } = await shop.get(`/products?limit=2${cursor && `&starting_after=${cursor}`}`);
    pages.push(body.data.map((one: { name: string }) => one.name).join(" "));
    cursor = body.next_cursor;
  } while (cursor);
  expect(pages).toEqual(["arracacha Brócoli", "Ñame Zanahoria"]);
  const find = async (q: string) => (await shop.get(`/products?q=${encodeURIComponent(q)}`)).body.data.length;
  expect(await Promise.all(["BROCOLI", "v-za", "%", "´"].map(find))).toEqual([1, 1, 0, 0]);
  expectError(await shop.get("/products?q="), "VALIDATION_ERROR", { param: "q" });
  expectError(await shop.get("/products?q=%00a"), "VALIDATION_ERROR", { param: "q" });
  expectError(await shop.get("/products?stock=poco"), "VALIDATION_ERROR", { param: "stock" });
});

test("a product runs out at the account's limit, or at its own", async () => {
  const [tea, salt] = [await make({ name: "Té", initial_stock: 5 }), await make({ name: "Sal", initial_stock: 6 })];
  expect(await names("?stock=low")).toContain("Té");
  expect(await names("?stock=low")).not.toContain("Sal");
  expect((await owner.put(`/products/${salt.id}/low-stock`, { low_stock: 10 })).status).toBe(204);
  expect((await owner.put(`/products/${tea.id}/low-stock`, { low_stock: 2 })).status).toBe(204);
  expect(await names("?stock=low")).toContain("Sal");
  expect(await names("?stock=low")).not.toContain("Té");
  await owner.put(`/products/${salt.id}/low-stock`, { low_stock: null });
  await owner.put("/stock-settings", { low_stock: 6 });
  expect((await owner.get("/stock-settings")).body).toEqual({ low_stock: 6 });
  expect(await names("?stock=low")).toContain("Sal");
  const set = (await owner.get("/audit-log?action=low_stock.set")).body.data;
  expect(set.slice(0, 2).map(({ details }: { details: object }) => details)).toMatchObject([
    { before: { low_stock: 5 }, after: { low_stock: 6 } },
    { product_id: salt.id, name: "Sal", before: { low_stock: 10 }, after: { low_stock: null } },
  ]);
  const { low } = (await owner.get("/products/totals")).body;
  expect((await owner.get("/products?stock=low&limit=100")).body.data).toHaveLength(low);
  await owner.put("/stock-settings", { low_stock: 5 });
  expectError(await neighbour.put(`/products/${tea.id}/low-stock`, { low_stock: 2 }), "NOT_FOUND");
  expectError(await owner.put("/stock-settings", { low_stock: -1 }), "VALIDATION_ERROR", { param: "low_stock" });
  expectError(await owner.put("/stock-settings", { low_stock: 1.5 }), "VALIDATION_ERROR", { param: "low_stock" });
});

test("a register that is out of date refuses the edit and is named", async () => {
  const shop = await openPortal(service);
  const { id } = await make({}, shop);
  await enrol(service, shop.accountId, { name: "Caja vieja", capabilities: [] });
  const refused = await shop.patch(`/products/${id}`, { base_price: 5 });
  expectError(refused, "DEVICES_OUTDATED", { devices: [expect.objectContaining({ name: "Caja vieja" })] });
  expect((await shop.get(`/products/${id}`)).body.product.base_price).toBe(1_000);
});
