import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();
const settings = {
  ticket_header: "Cra 45 # 12-34",
  ticket_footer: null,
  color: "#0b6b57",
  cash_rounding: 50,
  tip_percent: 10,
  blind_count: true,
  lock_minutes: 5,
};

test("an owner sets what her tickets say, and reads it back", async () => {
  const owner = await openPortal(service);
  expect((await owner.get("/counter")).body).toMatchObject({ ticket_header: null, cash_rounding: 0 });
  expect((await owner.put("/counter", settings)).status).toBe(200);
  expect((await owner.get("/counter")).body).toEqual({ ...settings, scale_labels: [] });
  const bad = await owner.put("/counter", { ...settings, cash_rounding: 37 });
  expect([bad.status, bad.body.error.param]).toEqual([400, "cash_rounding"]);
  expect((await owner.put("/counter", { ...settings, color: "red" })).body.error.param).toBe("color");
  const dear = await owner.put("/counter", { ...settings, tip_percent: 11 });
  expect([dear.status, dear.body.error.param], "the law lets nobody suggest more than 10 %").toEqual([
    400,
    "tip_percent",
  ]);
  expect((await owner.put("/counter", { ...settings, lock_minutes: -1 })).body.error.param).toBe("lock_minutes");
  // A page of before says nothing of it, and leaves it as it was.
  const { lock_minutes: _, ...former } = settings;
  expect((await owner.put("/counter", former)).body).toMatchObject(settings);
});

test("a tip suggestion above the law's 10 %, kept from before there was a limit, is read as 10 %", async () => {
  const owner = await openPortal(service);
  await owner.put("/counter", settings);
  await service.deps.pool.query(
    sql`update counter_settings set tip_percent = 15 where account_id = ${owner.accountId}`,
  );
  expect((await owner.get("/counter")).body.tip_percent).toBe(10);
});

test("an owner says how her scales print labels, sees an example, and a page from before leaves it as it is", async () => {
  const owner = await openPortal(service);
  const scale_labels = ["20AAAAAGGGGGC", "21AAAAAPPPPPC"];
  expect((await owner.put("/counter", { ...settings, scale_labels })).body).toMatchObject({ scale_labels });
  expect((await owner.put("/counter", settings)).body).toMatchObject({ scale_labels });
  expect((await owner.get("/counter")).body).toEqual({ ...settings, scale_labels });
  expect((await owner.get("/counter/scale-label?format=20AAAAAGGGGGC")).body).toEqual({
    example: "2000123007359",
    article: "00123",
    kind: "weight",
    value: 735,
  });
  const bad = await owner.put("/counter", { ...settings, scale_labels: ["20AAAAAGGGGGC", "10AAAAAGGGGGC"] });
  expect([bad.status, bad.body.error.param]).toEqual([400, "scale_labels.1"]);
  expect((await owner.get("/counter/scale-label?format=20AAA")).status).toBe(400);
  expect((await owner.put("/counter", { ...settings, scale_labels: [] })).body.scale_labels).toEqual([]);
});

test("formats by which one label is read in two ways are refused, and those that name more digits are not", async () => {
  const owner = await openPortal(service);
  const set = (...scale_labels: string[]) => owner.put("/counter", { ...settings, scale_labels });
  const both = await set("20AAAAAGGGGGC", "2XAAAAAGGGGGC", "20AAAAAPPPPPC");
  expect([both.status, both.body.error.param]).toEqual([400, "scale_labels.2"]);
  expect(both.body.error.message).toContain("«20AAAAAGGGGGC» y «20AAAAAPPPPPC»");
  expect((await set("20AAAAAGGGGGC", "2XAAAAAGGGGGC", "200AAAAPPPPPC", "21AAAAAPPPPPC")).status).toBe(200);
});

describe("cashiers", () => {
  test("are added, changed and retired, and no answer or row holds a PIN", async () => {
    const owner = await openPortal(service);
    const input = { name: " Ana Lucía ", pin: "43218765", permissions: ["discount", "drawer"] };
    const made = await owner.post("/cashiers", input);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "Ana Lucía", permissions: ["discount", "drawer"] });
    expect(made.text).not.toMatch(/pin|43218765/);
    const { rows } = await service.deps.pool.query(sql`
      select c::text as row, l.details::text as details from cashiers c, audit_log l
      where c.account_id = ${owner.accountId} and l.account_id = ${owner.accountId} and l.action = 'cashier.created'`);
    expect(JSON.stringify(rows)).not.toContain("43218765");
    expect((await owner.patch(`/cashiers/${made.body.id}`, { permissions: [] })).status).toBe(204);
    const listed = (await owner.get("/cashiers")).body;
    expect(listed.data).toMatchObject([{ name: "Ana Lucía", permissions: [] }]);
    expect(listed.rights[0]).toEqual({ id: "discount", title: "Hacer descuentos" });
    expect(listed.rights).toHaveLength(13);
    expect((await owner.delete(`/cashiers/${made.body.id}`)).status).toBe(204);
    expect((await owner.get("/cashiers")).body.data).toEqual([]);
    expect((await owner.delete(`/cashiers/${made.body.id}`)).status).toBe(404);
  });

  test("may do no more than whoever adds them, and nobody sets the PIN of one who may more than she", async () => {
    const owner = await openPortal(service);
    const { body: role } = await owner.post("/roles", {
      name: "Jefa",
      rights: ["cashiers", "counter", "counter:drawer"],
    });
    const head = await enterAs(service, owner.business, { custom: role.id });
    const add = (portal: Portal, pin: string, permissions: string[]) =>
      portal.post("/cashiers", { name: "Ana", pin, permissions });
    expect((await add(head, "31337", ["drawer", "return"])).status).toBe(403);
    const { body: own } = await add(head, "31337", ["drawer"]);
    const { body: other } = await add(owner, "24680", ["return"]);
    expect((await head.patch(`/cashiers/${own.id}`, { permissions: ["drawer", "cancel"] })).status).toBe(403);
    expect((await head.patch(`/cashiers/${own.id}`, { pin: "77112" })).status).toBe(204);
    expect((await head.patch(`/cashiers/${other.id}`, { pin: "77113" })).status).toBe(403);
    // What she does not touch is nobody's gift, and taking a right away gives none.
    expect((await head.patch(`/cashiers/${other.id}`, { name: "Eva" })).status).toBe(204);
    expect((await head.patch(`/cashiers/${other.id}`, { permissions: [] })).status).toBe(204);
  });

  test("do not take a PIN that somebody else has", async () => {
    const owner = await openPortal(service);
    const ana = (await owner.post("/cashiers", { name: "Ana", pin: "43218765", permissions: [] })).body;
    const second = await owner.post("/cashiers", { name: "Luz", pin: "43218765", permissions: [] });
    expect([second.status, second.body.error.param]).toEqual([400, "pin"]);
    expect(second.body.error.message).toContain("Escoja otro");
    const luz = (await owner.post("/cashiers", { name: "Luz", pin: "9876", permissions: [] })).body;
    expect((await owner.patch(`/cashiers/${luz.id}`, { pin: "43218765" })).status).toBe(400);
    // Her own again, or the one of somebody who left.
    expect((await owner.patch(`/cashiers/${luz.id}`, { pin: "9876" })).status).toBe(204);
    await owner.delete(`/cashiers/${ana.id}`);
    expect((await owner.patch(`/cashiers/${luz.id}`, { pin: "43218765" })).status).toBe(204);
    const stranger = await openPortal(service);
    expect((await stranger.post("/cashiers", { name: "Eva", pin: "43218765", permissions: [] })).status).toBe(201);
  });

  test("a PIN takes 600 000 rounds to try, and a taken one is found without trying everybody's", async () => {
    const owner = await openPortal(service);
    const { pool } = service.deps;
    const add = (name: string, pin: string) => owner.post("/cashiers", { name, pin, permissions: [] });
    await add("Ana", "43218765");
    const hashes = await pool.query<{ pin_hash: string }>(sql`
      select pin_hash from cashiers where account_id = ${owner.accountId}`);
    expect(hashes.rows[0]?.pin_hash).toMatch(/^pbkdf2-sha256\$600000\$/);
    // A hash that no PIN gives: whoever derived it would find nobody.
    await pool.query(sql`
      update cashiers set pin_hash = 'pbkdf2-sha256$600000$c2Fs$AAAA' where account_id = ${owner.accountId}`);
    expect((await add("Luz", "43218765")).status).toBe(400);
    expect((await add("Luz", "5678")).status).toBe(201);
    // Of a process of the version before.
    await pool.query(
      sql`update cashiers set pin_keyed_hash = null where account_id = ${owner.accountId} and name = 'Luz'`,
    );
    expect((await add("Eva", "5678")).status).toBe(400);
  });

  test("of before the later rights may go on doing what they could, until the owner decides", async () => {
    const owner = await openPortal(service);
    const { body } = await owner.post("/cashiers", { name: "Ana", pin: "43218765", permissions: ["drawer"] });
    const rights = async () => (await owner.get("/cashiers")).body.data[0].permissions;
    expect(await rights()).toEqual(["drawer"]);
    // As a process of the version before leaves her.
    await service.deps.pool.query(sql`
      update cashiers set rights = null, permissions = '{drawer,discount}' where account_id = ${owner.accountId}`);
    const inherited = ["price", "free_line", "remove_kept", "cash", "drawer", "stock", "expected_cash", "close_shift"];
    expect(await rights()).toEqual(["discount", ...inherited]);
    await owner.patch(`/cashiers/${body.id}`, { name: "Ana L." });
    expect(await rights()).toContain("stock");
    await owner.patch(`/cashiers/${body.id}`, { permissions: ["stock"] });
    expect(await rights()).toEqual(["stock"]);
  });

  test("need a name and a PIN of 4 to 8 digits, and belong to one account", async () => {
    const owner = await openPortal(service);
    const stranger = await openPortal(service);
    const input = { name: "Ana", pin: "43218765", permissions: [] };
    for (const [param, value] of [
      ["pin", "12"],
      ["pin", "12a4"],
      ["name", ""],
      ["permissions", ["todo"]],
    ] as const) {
      const answer = await owner.post("/cashiers", { ...input, [param]: value });
      expect([answer.status, answer.body.error.param.split(/[.[]/)[0]]).toEqual([400, param]);
    }
    const short = await owner.post("/cashiers", { ...input, pin: "123" });
    expect(short.body.error.message).toContain("El PIN tiene de 4 a 8 cifras");
    const { body } = await owner.post("/cashiers", input);
    expect((await stranger.patch(`/cashiers/${body.id}`, { name: "X" })).status).toBe(404);
    expect((await stranger.get("/cashiers")).body.data).toEqual([]);
  });
});
