import { expect, test } from "vitest";
import { steppedUpBySum, steppedUpRoutes } from "../../../src/api/portal/guarded-routes.ts";
import { customerList } from "../../../src/api/portal/lists/customers.ts";
import { documentList, unissuedList } from "../../../src/api/portal/lists/documents.ts";
import { filesOfCustomers } from "../../../src/api/portal/lists/files-of-customers.ts";
import { orderList } from "../../../src/api/portal/lists/orders.ts";
import { quoteList } from "../../../src/api/portal/lists/quotes.ts";
import { saleList } from "../../../src/api/portal/lists/sales.ts";
import { hour, minute, second } from "../../../src/lib/clock.ts";
import { type Door, enrolTotp, openDoor } from "../../support/doors.ts";
import { plainSale } from "../../support/fiscal.ts";
import { sharedService } from "../../support/fixtures.ts";
import { mailsTo, newestCode } from "../../support/portal.ts";
import { enrol, upload } from "../../support/register.ts";
import { openAccount } from "../../support/visitor.ts";

const service = sharedService({ TRUST_PROXY: "1" });

async function withTotp() {
  const { accountId, email } = await openAccount(service);
  const home = openDoor(service);
  await home.signIn(email);
  return { accountId, email, home, ...(await enrolTotp(service, home)) };
}

const pass = (ms: number) => service.deps.clock.shiftTo(service.deps.clock.offsetMs() + ms);
const newKey = { name: "ERP", scopes: ["sales:read"] };
const anyId = "00000000-0000-7000-8000-000000000000";

/** What is asked again: an owner would be surprised by one more as by one less. */
const expected = {
  people: [
    "PATCH /people/:id",
    "DELETE /people/:id",
    "POST /people/invitations",
    "DELETE /people/invitations/:id",
    "POST /roles",
    "PUT /roles/:id",
    "DELETE /roles/:id",
  ],
  security: ["PUT /security-settings", "DELETE /factors/:id", "POST /recovery-codes", "POST /account/email"],
  keys: [
    "POST /api-keys",
    "PATCH /api-keys/:id",
    "POST /api-keys/:id/rotate",
    "DELETE /api-keys/:id",
    "PUT /key-policy",
  ],
  endpoints: [
    "POST /webhook-endpoints",
    "PATCH /webhook-endpoints/:id",
    "DELETE /webhook-endpoints/:id",
    "POST /webhook-endpoints/:id/rotate-secret",
  ],
  fiscal: ["PUT /fiscal-profile", "POST /numbering-ranges"],
  exports: [
    "GET /tables/customers.csv",
    "GET /tables/customers.xlsx",
    "GET /tables/sales.csv",
    "GET /tables/sales.xlsx",
    "GET /tables/quotes.csv",
    "GET /tables/quotes.xlsx",
    "GET /tables/orders.csv",
    "GET /tables/orders.xlsx",
    "GET /tables/invoices.csv",
    "GET /tables/invoices.xlsx",
    "GET /personal-data/export.zip",
    "GET /account/export.zip",
  ],
  end: ["POST /account/close", "POST /personal-data/erasures"],
};

test("the table names these routes, and each of them is one of the portal", () => {
  expect(steppedUpRoutes).toEqual(expected);
  const known = service.app.portalRoutes.routes.flatMap(({ method, url }) =>
    [method].flat().map((one) => `${one} ${url.replace("/portal/api", "")}`),
  );
  expect(known).toEqual(expect.arrayContaining([...Object.values(steppedUpRoutes).flat(), ...steppedUpBySum]));
});

/** They write or hand out nothing that a second step should stand before. */
const harmless = ["GET /people", "GET /account/closing", "GET /security-settings", "GET /audit-log"];

test("whatever only owners may do, all of fiscal data, keys and endpoints, and each file about people is in the table", () => {
  const guarded = new Set<string>(Object.values(steppedUpRoutes).flat());
  const left = service.app.portalRoutes.routes.flatMap(({ method, url, config }) => {
    const path = url.replace("/portal/api", "");
    const right = JSON.stringify(config?.right ?? "");
    return [method].flat().flatMap((one) => {
      const route = `${one} ${path}`;
      const isWrite = !["GET", "HEAD"].includes(one);
      const isOwners =
        /"(people|plan|security)"/.test(right) && one !== "HEAD" && !path.startsWith("/tables/audit-log");
      const isFiscal = isWrite && /"fiscal"/.test(right);
      const isKeyOrEndpoint = isWrite && /^\/(api-keys|key-policy|webhook-endpoints)(\/:id)?(\/rotate.*)?$/.test(path);
      const isPeoplesFile = /"customers:read"/.test(right) && /\.(csv|xlsx|zip)$/.test(path) && one === "GET";
      const matters = isOwners || isFiscal || isKeyOrEndpoint || isPeoplesFile;
      return matters && !guarded.has(route) && !harmless.includes(route) ? [route] : [];
    });
  });
  expect(left).toEqual([]);
});

const everyRoute = Object.values(steppedUpRoutes).flat();

test.each(everyRoute)("%s asks whoever has a factor for it, ten minutes after the last time", async (route) => {
  const { home } = await withTotp();
  const [method = "", path = ""] = route.split(" ");
  const send = () =>
    home.send(method, path.replace(":id", anyId), method === "GET" || method === "DELETE" ? undefined : {});
  // Within the ten minutes it is judged by what it says; a file is no JSON, so it is not read here.
  if (method !== "GET") expect((await send()).body?.error?.code).not.toBe("STEP_UP_REQUIRED");
  pass(10 * minute + second);
  expect((await send()).body.error.code).toBe("STEP_UP_REQUIRED");
});

test("the list of customers asks for it from its second page on", async () => {
  const { home } = await withTotp();
  await home.post("/customers", { name: "Ana" });
  pass(10 * minute + second);
  expect((await home.get("/records/customers?limit=1")).status).toBe(200);
  expect((await home.get("/records/customers?limit=25")).status).toBe(200);
  const whole = await home.get("/records/customers?limit=100");
  expect([whole.status, whole.body.error?.code], "more than the page shows at first").toEqual([
    403,
    "STEP_UP_REQUIRED",
  ]);
  const next = await home.get(`/records/customers?limit=1&starting_after=${anyId}`);
  expect(next.body.error.code).toBe("STEP_UP_REQUIRED");
});

test("every file with a column of customers is in the table", () => {
  const who = ["Cliente", "Comprador", "Quién lo pide", "Teléfono"];
  for (const { file, columns } of [customerList, saleList(), quoteList, orderList, documentList, unissuedList])
    for (const end of ["csv", "xlsx"])
      if (Object.values(columns).some(({ title }) => who.includes(title)))
        expect([filesOfCustomers.has(file), steppedUpRoutes.exports]).toEqual([
          true,
          expect.arrayContaining([`GET ${file}.${end}`]),
        ]);
});

test("with a factor the request goes on after it, and it takes the place of the mailed code", async () => {
  const { home, phone, email } = await withTotp();
  pass(11 * minute);
  expect((await home.post("/api-keys", newKey)).status).toBe(403);
  expect((await home.post("/step-up", { kind: "totp", code: phone.code() })).status).toBe(200);
  const asked = await home.post("/api-keys", newKey);
  expect(asked.status).toBe(202);
  const made = await home.post(`/confirmations/${asked.body.confirmation_id}/second-step`, {});
  expect(made.status, made.text).toBe(201);
  expect(made.body.key).toMatch(/^mst_test_/);
  const again = await home.post("/api-keys", { ...newKey, name: "Otra" });
  const code = await newestCode(service, email);
  const byMail = await home.post(`/confirmations/${again.body.confirmation_id}`, { code });
  expect(byMail.status, "the mailed code works as ever").toBe(201);
});

test("without a factor there is nothing in place of the mailed code", async () => {
  const { email } = await openAccount(service);
  const home = openDoor(service);
  await home.signIn(email);
  const asked = await home.post("/api-keys", newKey);
  expect(asked.status).toBe(202);
  const refused = await home.post(`/confirmations/${asked.body.confirmation_id}/second-step`, {});
  expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
});

test("another session of the same person, and a replayed code, are not stepped up", async () => {
  const { home, phone, email } = await withTotp();
  const other = openDoor(service);
  await other.signIn(email);
  await other.show("totp", phone.next());
  pass(11 * minute);
  const code = phone.code();
  expect((await home.post("/step-up", { kind: "totp", code })).status).toBe(200);
  expect((await other.post("/step-up", { kind: "totp", code })).status).toBe(422);
  expect((await other.post("/recovery-codes")).body.error.code).toBe("STEP_UP_REQUIRED");
});

test("guesses within a session are counted and locked", async () => {
  const { home, phone } = await withTotp();
  const wrong = () => String((Number(phone.code()) + 5000) % 1_000_000).padStart(6, "0");
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => home.post("/step-up", { kind: "totp", code: wrong() })),
  );
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  expect(answers.filter(({ body }) => body.error?.code === "SECOND_STEP_LOCKED")).toHaveLength(35);
  expect((await home.get("/account")).status, "what is open stays open").toBe(200);
});

test("what is left after a wrong second step is what is left until the lock, within a session and at sign-in", async () => {
  const { email, home, phone } = await withTotp();
  const wrong = () => String((Number(phone.code()) + 5000) % 1_000_000).padStart(6, "0");
  const left = [];
  for (let i = 0; i < 2; i++)
    left.push((await home.post("/step-up", { kind: "totp", code: wrong() })).body.error.attempts_left);
  expect(left).toEqual([4, 3]);
  const elsewhere = openDoor(service, { address: "203.0.113.40" });
  await elsewhere.signIn(email);
  const atSignIn = [];
  for (let i = 0; i < 6; i++) {
    const { error } = (await elsewhere.show("totp", wrong())).body;
    atSignIn.push(error.attempts_left ?? error.code);
  }
  expect(atSignIn).toEqual([4, 3, 2, 1, 0, "SECOND_STEP_LOCKED"]);
});

test("whoever has no factor does nothing else once the owner demands one of everybody", async () => {
  const { email } = await openAccount(service);
  const [home, elsewhere] = [openDoor(service), openDoor(service)];
  await home.signIn(email);
  await elsewhere.signIn(email);
  const settings = { demands_second_step: true, refund_step_up_above: null };
  expect((await home.send("PUT", "/security-settings", settings)).body).toEqual(settings);
  expect((await elsewhere.get("/session")).body.must_enrol).toBe(true);
  for (const path of ["/sales", "/api-keys", "/audit-log", "/tables/customers.csv"])
    expect((await elsewhere.get(path)).body.error.code).toBe("SECOND_STEP_DEMANDED");
  expect((await elsewhere.post("/api-keys", newKey)).status).toBe(403);
  await enrolTotp(service, elsewhere);
  expect((await elsewhere.get("/session")).body.must_enrol).toBe(false);
  expect((await elsewhere.get("/api-keys")).status).toBe(200);
});

async function sold(accountId: string, total: number): Promise<{ id: string; line: string }> {
  const till = await enrol(service, accountId);
  const sale = plainSale(new Date(service.deps.clock.now()).toISOString(), total);
  await till.put("sale", upload(sale), { id: sale.id });
  const item = sale.items[0] as { id: string };
  return { id: sale.id, line: item.id };
}

const giveBack = (door: Door, { id, line }: { id: string; line: string }) =>
  door.post(`/sales/${id}/returns`, {
    lines: [{ item_id: line, quantity: 1 }],
    payment_method: "CARD",
    cash_session_id: null,
  });

test("a refund above the sum that the owner set asks for the second step, one below does not", async () => {
  const { home, phone, accountId } = await withTotp();
  await home.send("PUT", "/security-settings", { demands_second_step: false, refund_step_up_above: 50_000 });
  const [small, large] = [await sold(accountId, 20_000), await sold(accountId, 90_000)];
  pass(11 * minute);
  const refused = await giveBack(home, large);
  expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
  expect((await giveBack(home, small)).status).not.toBe(403);
  await home.post("/step-up", { kind: "totp", code: phone.code() });
  expect((await giveBack(home, large)).status).not.toBe(403);
});

test("a refund in slices asks for it where their sum passes: of one sale, of many within a day, and all at once", async () => {
  const { home, phone, accountId } = await withTotp();
  await home.send("PUT", "/security-settings", { demands_second_step: false, refund_step_up_above: 30_000 });
  const till = await enrol(service, accountId);
  const sell = async (at = service.deps.clock.now()) => {
    const sale = plainSale(new Date(at).toISOString(), 600_000);
    const item = { ...sale.items[0]!, quantity: 30, unit_price: 20_000 };
    await till.put("sale", upload({ ...sale, items: [item] }), { id: sale.id });
    return { id: sale.id, line: item.id };
  };
  const [one, other, third] = [await sell(), await sell(), await sell()];
  pass(11 * minute);
  const first = await giveBack(home, one);
  expect(first.status, first.text).toBe(201);
  pass(minute);
  expect((await giveBack(home, one)).body.error?.code, "the same sale").toBe("STEP_UP_REQUIRED");
  expect((await giveBack(home, other)).body.error?.code, "the same person").toBe("STEP_UP_REQUIRED");
  for (let hours = 0; hours < 24; hours += 6) {
    pass(6 * hour);
    expect((await home.get("/account")).status).toBe(200);
  }
  expect((await giveBack(home, one)).body.error?.code, "on the day after").toBe("STEP_UP_REQUIRED");
  const atOnce = await Promise.all([other, third].map((sale) => giveBack(home, sale)));
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  pass(minute);
  await home.post("/step-up", { kind: "totp", code: phone.code() });
  expect((await giveBack(home, one)).status).toBe(201);
  pass(11 * minute);
  expect((await giveBack(home, one)).status, "what was shown for counts no more").toBe(201);
});

test("a recovery code serves as the second step within a session too, and is told", async () => {
  const { home, recoveryCodes, email } = await withTotp();
  pass(11 * minute);
  expect((await home.post("/step-up", { kind: "recovery_code", code: recoveryCodes[3]! })).status).toBe(200);
  expect((await home.post("/step-up", { kind: "recovery_code", code: recoveryCodes[3]! })).status).toBe(422);
  expect((await mailsTo(service, email)).filter(({ subject }) => /código de recuperación$/.test(subject))).toHaveLength(
    1,
  );
});
