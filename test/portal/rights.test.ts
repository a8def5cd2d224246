import { beforeAll, describe, expect, test } from "vitest";
import { type BuiltInRole, builtInRoles } from "../../src/access/people/rights.ts";
import { portalPrefix } from "../../src/api/portal/portal-api.ts";
import { sql } from "../../src/db/sql.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { whoMay } from "../suites/portal-rights.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { addMember, enterAs } from "../support/people.ts";
import { call, openPortal, type Portal, password } from "../support/portal.ts";

const service = sharedService();
const shop = sharedShop(service);
const people = {} as Record<BuiltInRole, Portal>;
const letters = { administrator: "A", manager: "E", accountant: "C", developer: "D" } as const;

beforeAll(async () => {
  for (const role of builtInRoles) people[role] = await enterAs(service, shop, role);
});

/** Every route that needs a session, as the service itself lists it. */
const routes = () =>
  service.app.portalRoutes.routes
    .filter(({ method, config }) => method !== "HEAD" && !config?.isOpen)
    .map(({ method, url }) => ({ method: String(method), path: url.slice(portalPrefix.length) }))
    // Whoever leaves cannot ask anything more.
    .toSorted((a, b) => Number(a.path === "/membership") - Number(b.path === "/membership"));

const isRefused = async (portal: Portal, { method, path }: { method: string; path: string }) => {
  const asked = path.replaceAll(/:\w+/g, uuidv7(service.deps.clock.now()));
  const { status, text } = await raw(portal, method, asked);
  return status === 403 && text.includes("INSUFFICIENT_RIGHTS");
};

async function raw({ cookie }: Portal, method: string, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.baseUrl}/portal/api${path}`, { method, headers: { cookie } });
  return { status: response.status, text: await response.text() };
}

test("every route of the portal has a row in the table of who may ask it, and none is left over", () => {
  const known = routes().map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(whoMay).toSorted()).toEqual(known.toSorted());
});

describe("every route is answered and refused as the table says", () => {
  test.each(builtInRoles)("for the role %s", async (role) => {
    const different: string[] = [];
    for (const route of routes()) {
      const row = whoMay[`${route.method} ${route.path}`] ?? "";
      const may = role === "owner" || row.includes(letters[role]);
      if ((await isRefused(people[role], route)) === may) different.push(`${route.method} ${route.path}: ${row}`);
    }
    expect(different).toEqual([]);
  });
});

test("a refusal says what the role may not, and who can give it", async () => {
  const owner = await openPortal(service);
  await service.deps.pool.query(sql`update people set name = 'Ana Restrepo' where id = ${owner.accountId}`);
  const accountant = await enterAs(service, owner.business, "accountant");
  const { status, body } = await accountant.post("/products", { name: "Pan", base_price: 1 });
  expect(status).toBe(403);
  expect(body.error).toMatchObject({
    code: "INSUFFICIENT_RIGHTS",
    required_right: "products:write",
    message: `Con su rol (Contador) no puede cambiar los productos. Pídaselo a Ana Restrepo (${owner.email}).`,
  });
});

test("a role that changes while a session is open counts from the next request on, and so does a removal", async () => {
  const member = await enterAs(service, shop, "accountant");
  const setRole = (role: string) =>
    service.deps.pool.query(sql`update memberships set role = ${role} where person_id = ${member.personId}`);
  expect((await member.get("/reports/sales?from=2026-01-01&to=2026-01-02&by=day")).status).toBe(200);
  await setRole("developer");
  expect((await member.get("/reports/sales?from=2026-01-01&to=2026-01-02&by=day")).status).toBe(403);
  await setRole("of-a-later-version");
  expect((await member.get("/webhook-endpoints")).status).toBe(403);
  await service.deps.pool.query(sql`delete from memberships where person_id = ${member.personId}`);
  expect((await member.get("/session")).status).toBe(401);
});

describe("somebody in two businesses", () => {
  test("opens the one used last, and goes over to the other with the same session", async () => {
    const other = await service.business();
    const both = await enterAs(service, shop, "accountant");
    const now = service.deps.clock.now();
    await service.deps.pool.query(sql`
      insert into memberships (person_id, account_id, role, created_at, updated_at)
      values (${both.personId}, ${other.accountId}, 'owner', ${now}, ${now})`);
    const { body } = await both.get("/session");
    expect(body.businesses.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [shop.accountId, other.accountId].toSorted(),
    );
    expect((await both.post("/session/account", { account_id: other.accountId })).status).toBe(204);
    expect((await both.get("/session")).body).toMatchObject({
      account: { id: other.accountId },
      role: { kind: "owner" },
    });
    expect((await both.get("/audit-log")).status).toBe(200);
    const signedIn = await call(service, "POST", "/session", { email: both.email, password });
    expect(signedIn.body.account.id).toBe(other.accountId);
  });

  test("cannot go where she does not belong, by whatever id", async () => {
    const member = await enterAs(service, shop, "administrator");
    const foreign = await service.business();
    for (const id of [foreign.accountId, member.personId, uuidv7(service.deps.clock.now())])
      expect((await member.post("/session/account", { account_id: id })).status).toBe(404);
    expect((await member.get("/session")).body.account.id).toBe(shop.accountId);
  });
});

test("somebody who belongs nowhere any more is told so, and only with the right password", async () => {
  const { personId, email } = await addMember(service, shop.accountId, "manager");
  await service.deps.pool.query(sql`delete from memberships where person_id = ${personId}`);
  const wrong = await call(service, "POST", "/session", { email, password: "otra clave larga" });
  expect(wrong.body.error.code).toBe("SIGN_IN_FAILED");
  const right = await call(service, "POST", "/session", { email, password });
  expect(right).toMatchObject({ status: 403, body: { error: { code: "NO_BUSINESS" } } });
});
