import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { atCounters, type Fields, now } from "../support/counter-shop.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { upload } from "../support/register.ts";

const service = verifiedService();
const { shop, sellAt, rightsIn } = atCounters(service);

const actsOf = async (accountId: string) =>
  (await readActs(service.deps.pool, accountId, {}, 100))
    // These sales name no product of the shop, which is told as well.
    .filter(({ kind }) => kind !== "free_line")
    .map(({ kind, cashier, authorized_by, amount, is_allowed }) => ({
      kind,
      cashier,
      authorized_by,
      amount,
      is_allowed,
    }));

test("whoever a record says allowed something stands among the acts, though no act says so", async () => {
  const here = await shop();
  const { accountId, till, ana, luz } = here;
  const claim = (right: string, cashier_id: string = ana) => ({
    ...{ cashier_id, acts: [{ right, cashier_id: ana, authorized_by: luz }] },
  });
  const by = { cashier: "Ana", authorized_by: "Luz", is_allowed: true };
  const cheap = await sellAt(here, 500, { beside: claim("discount"), fields: { discount: 450, total: 50 } });
  expect(await rightsIn(accountId, cheap)).toEqual([]);
  // With the $4.500 that the bread costs less than in the catalogue.
  expect(await actsOf(accountId)).toEqual([{ kind: "discount", amount: 4_950, ...by }]);
  expect(await readActs(service.deps.pool, accountId, { saleId: cheap }, 10)).toMatchObject([{ authorized_by: "Luz" }]);
  const bought = plainSale(now(), 5_000);
  const sold = bought.id;
  await till.put("sale", upload(bought), { id: sold, edited_at: now(), ...({ cashier_id: ana } as object) });
  const lines = [{ item_id: bought.items[0]!.id, quantity: 1 }];
  const back = { sale_id: sold, lines, payment_method: "CASH", total: 5_000, occurred_at: now() };
  await till.put("return", back, { edited_at: now(), ...claim("return") });
  const again = plainSale(now(), 4_000);
  for (const status of ["completed", "cancelled"])
    await till.put(
      "sale",
      { ...upload(again), status },
      { id: again.id, edited_at: now(), ...(status === "cancelled" ? claim("cancel") : { cashier_id: ana }) },
    );
  const repaid = { ...upload(bought), payment_method: "CARD" };
  const payments = [{ payment_method: "CARD", amount: 5_000 }];
  await till.put("sale", repaid, {
    id: sold,
    edited_at: now(),
    ...claim("correct_payment"),
    ...({ payments } as object),
  });
  const moved = { id: randomUUID(), type: "out", amount: 700, occurred_at: now(), cashier_id: ana, authorized_by: luz };
  const shift: Fields = {
    status: "closed",
    opened_at: now(),
    closed_at: now(),
    register_name: "Caja 1",
    opening_amount: 0,
  };
  await till.put("cash_session", { ...shift, movements: [moved] }, { edited_at: now(), ...claim("close_shift") });
  const kinds = ["cash_moved", "discount", "payment_corrected", "sale_cancelled", "sale_returned", "shift_closed"];
  const acts = await actsOf(accountId);
  expect(acts.map(({ kind }) => kind).sort()).toEqual(kinds);
  for (const act of acts) expect(act).toMatchObject(by);
});

test("an act of the register's own is told once, in the same push, before or after", async () => {
  const here = await shop();
  const { accountId, till, ana, luz } = here;
  const beside = { cashier_id: ana, acts: [{ right: "discount", cashier_id: ana, authorized_by: luz }] };
  const discounted = { beside, fields: { discount: 450, total: 4_550 } };
  const ids: string[] = [];
  const tell = (sale_id: string) =>
    till.put("counter_act", {
      ...{
        kind: "discount",
        occurred_at: now(),
        cashier_id: ana,
        authorized_by: luz,
        sale_id,
        label: "Venta",
        amount: 450,
      },
    });
  ids.push(await sellAt(here, 5_000, discounted));
  await tell(ids[0]!);
  const sale = plainSale(now(), 5_000, { discount: 450, total: 4_550 });
  ids.push(sale.id);
  await tell(sale.id);
  for (const notes of ["uno", "dos"])
    await till.put("sale", { ...upload(sale), notes }, { id: sale.id, edited_at: now(), ...(beside as object) });
  const stored = (await readActs(service.deps.pool, accountId, {}, 10)).filter(({ kind }) => kind !== "free_line");
  expect(stored.map(({ sale_id }) => sale_id).sort()).toEqual(ids.sort());
  for (const act of stored) expect(act).toMatchObject({ label: "Venta", authorized_by: "Luz", cashier: "Ana" });
  // One that says something else hides nothing.
  const other = await sellAt(here, 5_000, discounted);
  await till.put("counter_act", { kind: "drawer_opened", occurred_at: now(), cashier_id: luz, sale_id: other });
  expect((await actsOf(accountId)).map(({ kind }) => kind).sort()).toEqual([
    "discount",
    "discount",
    "discount",
    "drawer_opened",
  ]);
});

test("somebody else than whoever sold, or than nobody, stands among the acts with what she did", async () => {
  const here = await shop();
  const { accountId, ana, luz } = here;
  const fields = { discount: 450, total: 4_550 };
  const acts = [{ right: "discount", cashier_id: luz }];
  for (const beside of [{ acts }, { cashier_id: ana, acts }]) await sellAt(here, 5_000, { beside, fields });
  const hers = { kind: "discount", cashier: "Luz", authorized_by: null, amount: 450, is_allowed: true };
  expect(await actsOf(accountId)).toEqual([hers, hers]);
  await sellAt(here, 5_000, { beside: { cashier_id: luz, acts }, fields });
  expect(await actsOf(accountId)).toHaveLength(2);
});
