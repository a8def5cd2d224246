import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { NeededRight } from "../../src/access/people/needed-right.ts";
import { type Right, rights } from "../../src/access/people/rights.ts";
import { tables } from "../../src/api/portal/own-sedes.ts";
import { portalPrefix } from "../../src/api/portal/portal-api.ts";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();

let owner: Portal;
let norte: string;
let sur: string;
let one: Portal;
let two: Portal;

beforeAll(async () => {
  owner = await openPortal(service);
  await owner.get("/locations");
  norte = (await owner.post("/locations", { name: "Norte" })).body.id;
  sur = (await owner.post("/locations", { name: "Sur" })).body.id;
  one = await enterAs(service, owner.business, "administrator", { locationIds: [norte] });
  two = await enterAs(service, owner.business, "administrator", { locationIds: [norte, sur] });
});

/** Routes that write without a word about sedes, and why they may. */
const allowed: Readonly<Record<string, string>> = {
  "POST /cashiers": "sedesGiven: hers unless she says",
  "POST /cashiers/people": "requireWithinOwn: of somebody whose sedes are all hers",
  "PUT /person/pin": "her own: it is of her sedes",
  "PATCH /cashiers/:id": "requireOwnCashier",
  "DELETE /cashiers/:id": "requireOwnCashier",
  "POST /findings/:id/close": "asks for the sede of what was found",
  "POST /stock-movements": "inOwnWarehouse",
  "POST /stock-counts": "inOwnWarehouse",
  "POST /stock-counts/preview": "inOwnWarehouse",
  "POST /transfers": "from_warehouse_id is needed, and is asked for",
  "POST /transfers/:id/receive": "requireEnd",
  "POST /transfers/:id/settle": "requireEnd",
  "POST /products": "there is one catalogue, which she may change by her right; its stock goes inOwnWarehouse",
  "PATCH /products/:id": "there is one catalogue, which she may change by her right",
  "POST /product-imports": "there is one catalogue, which she may change by her right",
  "POST /product-imports/:id/apply": "there is one catalogue; its stock goes inOwnWarehouse",
  "POST /suppliers": "suppliers are of no sede",
  "PATCH /suppliers/:id": "suppliers are of no sede",
  "POST /purchases": "inOwnWarehouse",
  "POST /purchase-invoices": "inOwnWarehouse",
  "POST /customers": "customers are of no sede",
  "PATCH /customers/:id": "customers are of no sede",
};

const isOfWhole = (right: NeededRight | undefined): boolean => {
  if (right === undefined || right === "anyone") return false;
  if (typeof right === "string") return rights[right as Right].ofWhole === true;
  return "all" in right ? right.all.some(isOfWhole) : right.any.every(isOfWhole);
};

test("every route that writes is of the whole business, or of a record of a sede, or says of which sede it is", () => {
  const kinds = [...Object.keys(tables), "locations"];
  const silent = service.app.portalRoutes.routes
    .filter(({ method, config }) => !["GET", "HEAD"].includes(String(method)) && !config?.isOpen)
    // About herself: her name, her sessions, her second step.
    .filter(({ config }) => config?.right !== "anyone")
    .filter(({ config }) => !config?.ofWhole && !isOfWhole(config?.right) && !config?.placedBy)
    .map(({ method, url }) => `${String(method)} ${url.slice(portalPrefix.length)}`)
    .filter((name) => !kinds.some((kind) => name.includes(` /${kind}/:id`)));
  expect(silent.toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test("a register is of her one sede where she says none, and of several she is asked for it", async () => {
  const { status, body } = await one.post("/devices/enrolment", { name: "Caja nueva" });
  expect(status).toBe(202);
  const { rows } = await service.deps.pool.query(
    sql`select payload from confirmations where id = ${body.confirmation_id}`,
  );
  expect(JSON.parse(rows[0].payload)).toMatchObject({ location_id: norte });
  const asked = await two.post("/devices/enrolment", { name: "Otra caja" });
  expect([asked.status, asked.body.error.param]).toEqual([400, "location_id"]);
  expect(asked.body.error.message).toContain("Diga de cuál es");
  expect((await two.post("/devices/enrolment", { name: "Otra caja", location_id: sur })).status).toBe(202);
});

test("so is a warehouse, which she does not make one of all sedes, nor the business's default", async () => {
  const post = (portal: Portal, body: object) => portal.post("/warehouses", body, { "idempotency-key": randomUUID() });
  const made = await post(one, { name: "Bodega de atrás" });
  expect(made.body).toMatchObject({ location_id: norte });
  const asked = await post(two, { name: "Bodega de arriba" });
  expect([asked.status, asked.body.error.param]).toEqual([400, "location_id"]);
  for (const change of [{ location_id: null }, { is_default: true }])
    expect((await one.patch(`/warehouses/${made.body.id}`, change)).status).toBe(403);
  expect((await post(one, { name: "Bodega de todas", is_default: true })).status).toBe(403);
});

const once = () => ({ "idempotency-key": randomUUID() });

describe("she does not change the whole business", () => {
  test.each([
    ["PATCH", "/account", { name: "Otro" }],
    ["PUT", "/stock-settings", { low_stock: 5 }],
    ["PUT", "/products/:id/low-stock", { low_stock: 5 }],
    ["PUT", "/order-settings", { wait_minutes: 5 }],
    ["PUT", "/ticket-mail", { active: false }],
  ] as const)("%s %s", async (method, of, body) => {
    const { body: product } = await owner.post("/products", { name: "Té", base_price: 100, unit_cost: 50 }, once());
    const path = of.replace(":id", product.id);
    const change = (portal: Portal) => (method === "PATCH" ? portal.patch(path, body) : portal.put(path, body));
    const refused = await change(one);
    expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_RIGHTS"]);
    expect((await change(owner)).status).toBeLessThan(300);
  });
});

describe("a PIN", () => {
  const hire = (portal: Portal, pin: string, places?: string[] | null) =>
    portal.post("/cashiers", {
      name: `Cajera ${pin}`,
      pin,
      permissions: [],
      ...(places !== undefined && { location_ids: places }),
    });

  test("is only compared with those of whom one may meet at a register", async () => {
    const manager = await enterAs(service, owner.business, "manager", { locationIds: [norte] });
    const far = (await hire(owner, "7001", [sur])).body.id;
    const own = (await hire(manager, "7002")).body.id;
    await hire(owner, "7003", null);
    expect((await manager.patch(`/cashiers/${own}`, { pin: "7001" })).status).toBe(204);
    const taken = await manager.patch(`/cashiers/${own}`, { pin: "7003" });
    expect([taken.status, taken.body.error.param]).toEqual([400, "pin"]);
    // One of all sedes meets everybody.
    expect((await hire(owner, "7001", null)).body.error.param).toBe("pin");
    // Nor do two with the same come to meet.
    const moved = await owner.patch(`/cashiers/${far}`, { location_ids: [norte, sur] });
    expect([moved.status, moved.body.error.param]).toEqual([400, "pin"]);
    expect((await owner.patch(`/cashiers/${far}`, { location_ids: [norte, sur], pin: "7004" })).status).toBe(204);
  });

  test("is not changed until one is found that is taken", async () => {
    const manager = await enterAs(service, owner.business, "manager", { locationIds: [sur] });
    const own = (await hire(manager, "8000")).body.id;
    const statuses: number[] = [];
    for (let i = 1; i <= 10; i++)
      statuses.push((await manager.patch(`/cashiers/${own}`, { pin: `${8000 + i}` })).status);
    expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(9);
    const last = await manager.patch(`/cashiers/${own}`, { pin: "8999" });
    expect([last.status, last.body.error.message]).toEqual([429, expect.stringContaining("Espere unos minutos")]);
    expect((await owner.patch(`/cashiers/${own}`, { pin: "8998" })).status).toBe(204);
  });
});
