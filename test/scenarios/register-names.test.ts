import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { fillOnce, restartFill } from "../../src/operations/fills/fill.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { saleBody } from "../support/records.ts";
import { enrol, type Till, upload } from "../support/register.ts";

const service = verifiedService();

/** A shift of a register that calls itself so, and a sale in it. */
async function sellAt(till: Till, register_name: string, total: number): Promise<string> {
  const at = new Date().toISOString();
  const shift = randomUUID();
  const data = { status: "closed", register_name, opened_at: at, closed_at: at, opening_amount: 0, counted_amount: 0 };
  const { id: _, ...sale } = upload(saleBody(at, { total, subtotal: total, items: [], cash_session_id: shift }));
  const { body } = await till.push([
    { type: "cash_session", id: shift, data },
    { type: "sale", data: sale },
  ]);
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(["applied", "applied"]);
  return shift;
}

test("registers of one name of before are told apart, in what they did too", async () => {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const { pool } = service.deps;
  const first = await enrol(service, accountId, { name: "Caja 1" });
  const second = await enrol(service, accountId, { name: "Caja 2" });
  await sellAt(first, "Caja 1", 1_000);
  const before = await sellAt(second, "Caja 2", 20_000);
  // As both were called until names became unique.
  await pool.query(sql`update devices set name = 'Caja 1' where id = ${second.deviceId}`);
  await pool.query(sql`
    update cash_sessions set body = replace(body::text, '"Caja 2"', '"Caja 1"')::json where account_id = ${accountId} and id = ${before}`);

  await restartFill(pool, "register_names");
  while (!(await fillOnce(pool, "register_names", true))?.isFinished);

  const names = ["Caja 1", "Caja 1 (2)"];
  const day = bogotaDate(new Date());
  const nameOf = ({ register_name }: { register_name: string }) => register_name;
  expect((await owner.get("/devices")).body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  const report = (await owner.get(`/reports/sales?by=register&from=${day}&to=${day}`)).body;
  expect(report.rows.map(({ key, total }: { key: string; total: number }) => [key, total])).toEqual([
    ["Caja 1 (2)", 20_000],
    ["Caja 1", 1_000],
  ]);
  const ofSecond = await owner.get(`/sales?register=${encodeURIComponent("Caja 1 (2)")}`);
  expect(ofSecond.body.data.map(({ total }: { total: number }) => total)).toEqual([20_000]);
  expect((await owner.get(`/days/${day}/z`)).body.sessions.map(nameOf).sort()).toEqual(names);
  expect((await owner.get("/records/cash-sessions")).body.data.map(nameOf).sort()).toEqual(names);

  // A register that has not learnt its new name goes on using the old one.
  await sellAt(second, "Caja 1", 300);
  expect((await owner.get("/records/cash-sessions")).body.data.map(nameOf).sort()).toEqual([...names, "Caja 1 (2)"]);
});
