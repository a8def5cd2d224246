import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";

const service = sharedService();
const settings = {
  ticket_header: "Cra 45 # 12-34",
  ticket_footer: null,
  color: "#0b6b57",
  cash_rounding: 50,
  tip_percent: 10,
  blind_count: true,
};

test("an owner sets what her tickets say, and reads it back", async () => {
  const owner = await openPortal(service);
  expect((await owner.get("/counter")).body).toMatchObject({ ticket_header: null, cash_rounding: 0 });
  expect((await owner.put("/counter", settings)).status).toBe(200);
  expect((await owner.get("/counter")).body).toEqual(settings);
  const bad = await owner.put("/counter", { ...settings, cash_rounding: 37 });
  expect([bad.status, bad.body.error.param]).toEqual([400, "cash_rounding"]);
  expect((await owner.put("/counter", { ...settings, color: "red" })).body.error.param).toBe("color");
  const dear = await owner.put("/counter", { ...settings, tip_percent: 11 });
  expect([dear.status, dear.body.error.param], "the law lets nobody suggest more than 10 %").toEqual([
    400,
    "tip_percent",
  ]);
});

describe("cashiers", () => {
  test("are added, changed and retired, and no answer or row holds a PIN", async () => {
    const owner = await openPortal(service);
    const input = { name: " Ana Lucía ", pin: "4321", permissions: ["discount", "drawer"] };
    const made = await owner.post("/cashiers", input);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "Ana Lucía", permissions: ["discount", "drawer"] });
    expect(made.text).not.toMatch(/pin|4321/);
    const { rows } = await service.deps.pool.query(sql`
      select c::text as row, l.details::text as details from cashiers c, audit_log l
      where c.account_id = ${owner.accountId} and l.account_id = ${owner.accountId} and l.action = 'cashier.created'`);
    expect(JSON.stringify(rows)).not.toContain("4321");
    expect((await owner.patch(`/cashiers/${made.body.id}`, { permissions: [] })).status).toBe(204);
    expect((await owner.get("/cashiers")).body.data).toMatchObject([{ name: "Ana Lucía", permissions: [] }]);
    expect((await owner.delete(`/cashiers/${made.body.id}`)).status).toBe(204);
    expect((await owner.get("/cashiers")).body.data).toEqual([]);
    expect((await owner.delete(`/cashiers/${made.body.id}`)).status).toBe(404);
  });

  test("need a name and a PIN of 4 to 8 digits, and belong to one account", async () => {
    const owner = await openPortal(service);
    const stranger = await openPortal(service);
    const input = { name: "Ana", pin: "4321", permissions: [] };
    for (const [param, value] of [
      ["pin", "12"],
      ["pin", "12a4"],
      ["name", ""],
      ["permissions", ["todo"]],
    ] as const) {
      const answer = await owner.post("/cashiers", { ...input, [param]: value });
      expect([answer.status, answer.body.error.param.split(/[.[]/)[0]]).toEqual([400, param]);
    }
    const { body } = await owner.post("/cashiers", input);
    expect((await stranger.patch(`/cashiers/${body.id}`, { name: "X" })).status).toBe(404);
    expect((await stranger.get("/cashiers")).body.data).toEqual([]);
  });
});
