import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { portalPrefix } from "../../src/api/portal/portal-api.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { whoMay } from "../suites/portal-rights.ts";
import { sharedService } from "../support/fixtures.ts";
import { enterAs, type Member } from "../support/people.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { marks, openTwoSedes, type TwoSedes } from "../support/two-sedes.ts";

const service = sharedService();
const roles = { administrator: "A", manager: "E", accountant: "C", developer: "D" } as const;
type Role = keyof typeof roles;

let shop: TwoSedes;
/** Each of the second sede alone. */
const people = {} as Record<Role, Portal & Member>;
let stranger: Portal;

beforeAll(async () => {
  shop = await openTwoSedes(service);
  stranger = await openPortal(service);
  for (const role of Object.keys(roles) as Role[])
    people[role] = await enterAs(service, shop.owner.business, role, { locationIds: [shop.sedes[1].locations] });
});

interface Route {
  method: string;
  path: string;
}

/** Every route of the portal that needs a session, as the service lists it. */
const routes = (method: string): Route[] =>
  service.app.portalRoutes.routes
    .filter((one) => one.method === method && !one.config?.isOpen)
    .map(({ url }) => ({ method, path: url.slice(portalPrefix.length) }));

const may = (role: Role, { method, path }: Route) => whoMay[`${method} ${path}`]!.includes(roles[role]);

/** The only one that names the warehouses of all sedes, and nothing of what is in them: goods are sent there. */
const named = "/transfers/destinations";

/** What a route that needs a query is asked. */
function queryOf(path: string): string {
  const today = bogotaDate(new Date());
  const period = `from=${addDays(today, -1)}&to=${today}`;
  if (path.startsWith("/reports/sales")) return `?by=location&${period}`;
  if (path.startsWith("/reports/margin")) return `?by=location&${period}`;
  if (path.startsWith("/reports/stock-value")) return `?day=${today}`;
  if (path.startsWith("/reports/taxes")) return `?${period}`;
  if (path === "/cash-sessions/sums") return `?ids=${shop.sedes.map((one) => one["cash-sessions"])}`;
  if (path === "/search") return `?q=${marks[0]}`;
  if (path === "/customers/with-document" || path === "/nit") return "?number=1020456789";
  if (path === "/counter/scale-label") return "?format=20AAAAAGGGGGC";
  if (path.startsWith("/personal-data")) return "?email=ana@example.com";
  return "";
}

/** What of the first sede stands in an answer that somebody of the second one gets. */
function leaksIn(text: string): string[] {
  // The first sede has the business's own id.
  const { locations: _, ...own } = shop.sedes[0];
  return [
    ...Object.entries(own).flatMap(([kind, id]) => (text.includes(id) ? [kind] : [])),
    ...(text.includes(marks[0]) ? [marks[0]] : []),
    ...(/\b7777\d{5}\b/.test(text) ? ["stock"] : []),
  ];
}

describe("whoever has one sede finds nothing of the other in any answer", () => {
  test.each(Object.keys(roles) as Role[])("with the role %s", async (role) => {
    const leaks: string[] = [];
    const today = bogotaDate(new Date());
    let answered = 0;
    for (const route of routes("GET").filter(
      ({ path }) => !/:\w*id/.test(path) && path !== named && may(role, { method: "GET", path }),
    )) {
      const path = route.path.replace(":date", today) + queryOf(route.path);
      for (const asked of [path, `${path}${path.includes("?") ? "&" : "?"}location_id=${shop.owner.accountId}`]) {
        const { status, bytes } = await people[role].download(asked);
        if (status === 200) answered += 1;
        const found = leaksIn(bytes.toString("utf8"));
        if (found.length > 0) leaks.push(`${asked} ${status}: ${found}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(role === "developer" ? 5 : 20);
  });
});

/** What a route that changes a record takes. */
const bodies: Readonly<Record<string, () => object>> = {
  "POST /sales/:id/return-plan": () => ({ lines: [{ item_id: randomUUID(), quantity: 1 }] }),
  "POST /sales/:id/returns": () => ({ lines: [{ item_id: randomUUID(), quantity: 1 }], payment_method: "CASH" }),
  "POST /sales/:id/invoice": () => ({ customer_id: shop.customer }),
  "POST /findings/:id/close": () => ({ reason: "Visto" }),
  "PATCH /devices/:id": () => ({ name: "Otra" }),
  "PUT /devices/:id/location": () => ({ location_id: shop.sedes[1].locations }),
  "POST /devices/:id/unsent": () => ({ records: [] }),
  "PATCH /warehouses/:id": () => ({ name: "Otra" }),
  "PATCH /locations/:id": () => ({ name: "Otra" }),
  "PATCH /cashiers/:id": () => ({ name: "Otra" }),
  "PUT /movements/:id/cost": () => ({ unit_cost: 100 }),
  "POST /invoices/:id/mail": () => ({ email: "otra@example.com" }),
};

describe("whoever has one sede reaches no record of the other by its id, and her own by its", () => {
  test.each(Object.keys(roles) as Role[])("with the role %s", async (role) => {
    const leaks: string[] = [];
    const reached = new Set<string>();
    const [other, own] = shop.sedes;
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
      for (const route of routes(method).filter((one) => one.path.includes(":id") && may(role, one))) {
        const name = `${method} ${route.path}`;
        const kind = Object.keys(other).find((one) => route.path.includes(`/${one}/:id`)) as
          | keyof typeof own
          | undefined;
        const targets = kind ? [other[kind], other[kind].toUpperCase()] : Object.values(other);
        for (const id of targets) {
          const { status, text } = await send(people[role], method, route.path.replace(":id", id), bodies[name]?.());
          const isRefused = status >= 400 && status < 500 && !(kind && [400, 415].includes(status));
          const found = leaksIn(text);
          if (!isRefused || found.length > 0) leaks.push(`${name} ${kind} ${status} ${found} ${text.slice(0, 200)}`);
        }
        if (!kind || method !== "GET") continue;
        const { status } = await send(people[role], method, route.path.replace(":id", own[kind]));
        if (status === 200) reached.add(kind);
        else leaks.push(`her own: ${name} ${status}`);
      }
    expect(leaks).toEqual([]);
    if (role !== "developer")
      expect([...reached].toSorted()).toEqual([
        "cash-sessions",
        "devices",
        "invoices",
        "locations",
        "movements",
        "quotes",
        "returns",
        "sales",
        "warehouses",
      ]);
  });

  test("nor does the owner of another business", async () => {
    const reached: string[] = [];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
      for (const { path } of routes(method).filter((one) => one.path.includes(":id")))
        for (const sede of shop.sedes)
          for (const id of [...Object.values(sede), shop.product, shop.customer]) {
            const { status, text } = await send(
              stranger,
              method,
              path.replace(":id", id),
              bodies[`${method} ${path}`]?.(),
            );
            if (status < 400 || marks.some((mark) => text.includes(mark))) reached.push(`${method} ${path} ${status}`);
          }
    expect(reached).toEqual([]);
  });
});

async function send({ cookie }: Portal, method: string, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}/portal/api${path}`, {
    method,
    headers: { cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("utf8") };
}

test("what she writes is of hers, said or not, and of the other's she names nothing", async () => {
  const { manager } = people;
  const [other, own] = shop.sedes;
  const post = (path: string, body: object) => manager.post(path, body, { "idempotency-key": randomUUID() });
  const moved = { product_id: shop.product, type: "in", quantity: 1 };
  expect((await post("/stock-movements", moved)).body).toMatchObject({
    warehouse_id: own.warehouses,
    location_id: own.locations,
  });
  expect((await post("/stock-movements", { ...moved, warehouse_id: other.warehouses })).status).toBe(404);
  const count = { reason: "Conteo", lines: [{ product_id: shop.product, counted: 3, expected: 3 }] };
  const [line] = (await manager.post("/stock-counts/preview", count)).body.data;
  expect(line.stock).toBeLessThan(100);
  expect((await manager.post("/stock-counts/preview", { ...count, warehouse_id: other.warehouses })).status).toBe(404);
  expect((await manager.get(`/products/${shop.product}`)).body).toMatchObject({
    stock: line.stock,
    product: { stock: line.stock },
    warehouses: [{ warehouse_id: own.warehouses }],
  });
  const back = { lines: [{ item_id: randomUUID(), quantity: 1 }], payment_method: "CASH" };
  const paid = await manager.post(`/sales/${own.sales}/returns`, { ...back, cash_session_id: other["cash-sessions"] });
  expect(paid.status).toBe(404);

  const hire = (pin: string, fields: object = {}) =>
    manager.post("/cashiers", { name: `Nueva ${pin}`, pin, permissions: [], ...fields });
  expect((await hire("5001")).body.location_ids).toEqual([own.locations]);
  expect((await hire("5002", { location_ids: null })).status).toBe(404);
  expect((await hire("5003", { location_ids: [own.locations, other.locations] })).status).toBe(404);
  const everywhere = await shop.owner.post("/cashiers", { name: "De todas", pin: "5004", permissions: [] });
  const shared = await manager.patch(`/cashiers/${everywhere.body.id}`, { pin: "5005" });
  expect([shared.status, shared.body.error.code]).toEqual([403, "INSUFFICIENT_RIGHTS"]);
  expect((await manager.patch(`/cashiers/${own.cashiers}`, { name: "Otra" })).status).toBe(204);
  expect((await manager.patch(`/cashiers/${own.cashiers}`, { location_ids: null })).status).toBe(404);

  const [destination] = (await manager.get(named)).body.data;
  expect(Object.keys(destination).toSorted()).toEqual(["id", "location_id", "location_name", "name"]);
});

test("500 guesses at ids find nothing", async () => {
  const manager = people.manager;
  const reading = routes("GET").filter((one) => one.path.includes(":id") && may("manager", one));
  const known = Object.values(shop.sedes[0]);
  const found: string[] = [];
  for (let i = 0; i < 500; i++) {
    const { path } = reading[i % reading.length]!;
    const { status, text } = await send(manager, "GET", path.replace(":id", guess(known[i % known.length]!, i)));
    if (status < 400 || leaksIn(text).length > 0) found.push(`${path} ${status}`);
  }
  expect(found).toEqual([]);
});

/** The id itself where it is of another kind, one beside it, or any. */
function guess(id: string, i: number): string {
  if (i % 3 === 0) return randomUUID();
  const last = (Number.parseInt(id.slice(-2), 16) + 1 + i) % 256;
  if (i % 3 === 1) return id.slice(0, -2) + last.toString(16).padStart(2, "0");
  return id.slice(0, 24) + randomBytes(6).toString("hex");
}
