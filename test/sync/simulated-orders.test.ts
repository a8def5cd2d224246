import { expect, test } from "vitest";
import { syncClient } from "../../register/sync-client.ts";
import { newCashier } from "../../simulator/cashier.ts";
import { newChance } from "../../simulator/chance.ts";
import { openRegister } from "../../simulator/register.ts";
import { starterCatalog } from "../../simulator/starter-catalog.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedFolder, verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";

const service = verifiedService();
const folder = sharedFolder("mostrador-orders-");

interface Placed {
  id: string;
  status: string;
  total: number;
  sale_id: string | null;
  extra_sale_ids: string[];
}

test("simulated registers take orders: each ends, as one sale or turned down, and nothing is odd about it", async () => {
  const { accountId, api } = await fiscalBusiness(service);
  const registers = await Promise.all(
    ["Caja 1", "Caja 2"].map((name) =>
      openRegister({
        ...{ folder: `${folder.path}/${name}`, name, client: syncClient(service.baseUrl), now: () => new Date() },
        newCode: async () => (await createEnrolmentCode(service.deps, { accountId, name })).code,
      }),
    ),
  );
  const orders = async () => (await api.get("/orders?limit=100")).body.data as Placed[];
  try {
    registers[0]!.record(starterCatalog());
    while (await registers[0]!.push());
    const { data: products } = (await api.get("/products?limit=100")).body;
    const simple = products.filter(
      (one: { base_unit: string; variants: unknown[] }) => one.base_unit === "und" && one.variants.length === 0,
    );
    const cashiers = registers.map((register, i) => newCashier(register, newChance(i + 3), () => new Date()));
    for (let round = 0; round < 20; round++) {
      if (round < 8) {
        const items = [{ product_id: simple[round % simple.length].id, quantity: 1 + (round % 3) }];
        const payment = { status: "paid", method: "CARD" };
        const { status, text } = await api.post("/orders", {
          items,
          delivery_fee: 3_000,
          ...(round % 2 && { payment }),
        });
        expect(status, text).toBe(201);
      }
      for (const [i, register] of registers.entries()) {
        while (await register.pull(0));
        for (let act = 0; act < 4; act++) cashiers[i]!.act();
        while (await register.push());
      }
    }
    for (const cashier of cashiers) cashier.closeShift();
    for (const register of registers) while (await register.push());
    await decideAll(service);
  } finally {
    for (const register of registers) register.close();
  }
  const all = await orders();
  expect(all).toHaveLength(8);
  for (const { status } of all) expect(["completed", "rejected"]).toContain(status);
  const completed = all.filter(({ status }) => status === "completed");
  expect(completed.length).toBeGreaterThan(3);
  for (const { sale_id, total, extra_sale_ids } of completed) {
    expect(extra_sale_ids).toEqual([]);
    expect((await api.get(`/sales/${sale_id}`)).body).toMatchObject({ status: expect.any(String), total });
  }
  const rows = async (text: string) => (await service.deps.pool.query(text, [accountId])).rows;
  expect(await rows("select reason, raw from quarantined_records where account_id = $1")).toEqual([]);
  expect(await rows("select type, findings from flagged_records where account_id = $1")).toEqual([]);
});
