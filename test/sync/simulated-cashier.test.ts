import { expect, test } from "vitest";
import { syncClient } from "../../register/sync-client.ts";
import { newCashier } from "../../simulator/cashier.ts";
import { newChance } from "../../simulator/chance.ts";
import { openRegister } from "../../simulator/register.ts";
import { starterCatalog } from "../../simulator/starter-catalog.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { sql } from "../../src/db/sql.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedFolder, verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";

const service = verifiedService();
const folder = sharedFolder("mostrador-cashier-");

test("what a simulated cashier takes back and changes its mind about is applied without a word of complaint", async () => {
  const { accountId, api } = await fiscalBusiness(service);
  const register = await openRegister({
    folder: folder.path,
    name: "Caja 1",
    client: syncClient(service.baseUrl),
    newCode: async () => (await createEnrolmentCode(service.deps, { accountId, name: "Caja 1" })).code,
    now: () => new Date(),
  });
  const printed: string[] = [];
  try {
    register.record(starterCatalog());
    while (await register.push());
    while (await register.pull(0));
    const print = (text: string) => void printed.push(text);
    const cashier = newCashier(register, newChance(7), () => new Date(), { print });
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 40; i++) cashier.act();
      while (await register.push());
      await register.pull(0);
      await decideAll(service);
    }
    cashier.closeShift();
    while (await register.push());
    await decideAll(service);
    const written = register.allEntries().filter(({ type }) => type === "return");
    expect(written.length).toBeGreaterThan(3);
  } finally {
    register.close();
  }
  const rows = async (text: string) => (await service.deps.pool.query(text, [accountId])).rows;
  expect(await rows("select reason, raw from quarantined_records where account_id = $1")).toEqual([]);
  expect(await rows("select type, findings from flagged_records where account_id = $1")).toEqual([]);
  const { data } = (await api.get("/returns?limit=100")).body;
  expect(new Set(data.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(["partial", "full"]));
  const { rows: switched } = await service.deps.pool.query(sql`
    select count(*)::int as count from sales where account_id = ${accountId} and 'invoiced' = any(settled)`);
  expect(switched[0].count).toBeGreaterThan(0);
  const closed = await rows(
    "select body->>'difference' as difference from cash_sessions where account_id = $1 and status = 'closed'",
  );
  expect(closed.length).toBeGreaterThan(1);
  expect(closed.every(({ difference }) => difference === "0")).toBe(true);
  expect(printed).toHaveLength(closed.length);
  for (const text of printed) expect(text).toMatch(/^INFORME Z · Caja 1\n.*DIFERENCIA +\$ 0$/s);
  expect(printed.some((text) => /Devuelto en efectivo +-\$ [1-9]/.test(text))).toBe(true);
});
