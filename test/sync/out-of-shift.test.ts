import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { sql } from "../../src/db/sql.ts";
import { atCounter, atCounters, type Fields, now } from "../support/counter-shop.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();
const { shop } = atCounters(service);
type Shop = Awaited<ReturnType<typeof shop>>;

async function openShift({ till, ana }: Shop, fields: Fields = {}, id: string = randomUUID()): Promise<string> {
  const shift = { status: "open", opened_at: now(), register_name: "Caja 1", opening_amount: 100_000, ...fields };
  await till.put("cash_session", shift, { id, edited_at: now(), ...({ cashier_id: ana } as object) });
  return id;
}

/** A sale of bread in cash, as it is uploaded, once or more often. */
function saleOf({ till, productId, ana }: Shop, method = "CASH") {
  const sale = upload(plainSale(now(), 5_000));
  const items = sale.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
  const beside = { cashier_id: ana, payments: [{ payment_method: method, amount: 5_000 }] };
  const put = (fields: Fields) =>
    till.put(
      "sale",
      { ...sale, items, payment_method: method, ...fields },
      { id: sale.id, edited_at: now(), ...(beside as object) },
    );
  return { id: sale.id, put };
}

async function told({ accountId, owner, till }: Shop) {
  const { rows } = await service.deps.pool.query(sql`
    select kind, message from fiscal_findings where account_id = ${accountId} order by found_at, message`);
  const acts = await readActs(service.deps.pool, accountId, {}, 100);
  const conflicts = (await owner.get(`/devices/${till.deviceId}/conflicts`)).body.data;
  return {
    found: rows.map(({ kind, message }) => `${kind}: ${message}`),
    acts: acts.map(({ kind, cashier, amount, sale_id }) => ({ kind, cashier, amount, sale_id })),
    lost: conflicts.map(({ lost }: Fields) => lost),
  };
}

const nothing = { found: [], acts: [], lost: [] };

test.each([
  ["without a shift", false],
  ["in another of the same register", true],
])(
  "a charged sale that is uploaded again %s leaves its shift and is told, with what that shift lacks",
  async (_, other) => {
    const here = await shop();
    const shift = await openShift(here);
    const sale = saleOf(here);
    await sale.put({ cash_session_id: shift });
    expect(await told(here)).toEqual(nothing);
    const to = other ? await openShift(here, { opening_amount: 0 }) : null;
    await sale.put({ cash_session_id: to });
    const message = `Una venta de $5.000 se cobró en un turno y la caja la volvió a subir ${other ? "en otro" : "sin turno"}: las cuentas de ese turno ya no la tienen.`;
    const expected = {
      found: [`left_shift: ${message}`],
      acts: [{ kind: "cash_moved", cashier: "Ana", amount: 5_000, sale_id: sale.id }],
      lost: [shift],
    };
    expect(await told(here)).toEqual(expected);
    // The same again, or something else of it, tells nothing more, and it is not forgotten.
    await sale.put({ cash_session_id: to, notes: "otra vez" });
    expect(await told(here)).toEqual(expected);
    const { body } = await here.owner.get(`/sales/${sale.id}`);
    expect(JSON.stringify(body.findings)).toContain(message);
  },
);

test.each([
  ["none", null, "no nombra ningún turno"],
  ["one that nobody opened", randomUUID(), "nombra un turno que no existe"],
])("a sale in cash that names %s while its register has a shift open is told", async (_, named, words) => {
  const here = await shop();
  await openShift(here);
  await saleOf(here).put({ cash_session_id: named });
  const { found, acts } = await told(here);
  expect(found).toEqual([
    `left_shift: Una venta con $5.000 en efectivo ${words}, y la caja tenía uno abierto: las cuentas de ese turno no la tienen.`,
  ]);
  expect(acts).toMatchObject([{ kind: "cash_moved", amount: 5_000 }]);
});

test("where nobody has a PIN everybody may do everything: what is told of a sale without a shift is nobody's act", async () => {
  const here = await shop();
  await service.deps.pool.query(sql`delete from cashiers where account_id = ${here.accountId}`);
  await here.till.put("cash_session", { status: "open", opened_at: now(), opening_amount: 0 }, { edited_at: now() });
  const sale = upload(plainSale(now(), 5_000));
  await here.till.put("sale", sale, { id: sale.id, edited_at: now() });
  const { found, acts } = await told(here);
  expect([found.length, acts]).toEqual([1, []]);
});

test("a sale that names the closed shift of another register is told once: it counts in none", async () => {
  const here = await shop();
  const shift = await openShift(here);
  await openShift(here, { status: "closed", closed_at: now(), counted_amount: 100_000 }, shift);
  const till = await enrol(service, here.accountId, { capabilities: atCounter });
  await saleOf({ ...here, till }).put({ cash_session_id: shift });
  const { found, acts } = await told(here);
  expect(found).toEqual([
    "foreign_shift: Una venta dice que es del turno de otra caja: cuenta en su día, y en ningún turno.",
  ]);
  expect(acts.filter(({ sale_id }) => sale_id !== null)).toEqual([]);
});

test("no register that is honest is told: before a shift, after it, by card, and a ticket that is charged in the next one", async () => {
  const here = await shop();
  await saleOf(here).put({ cash_session_id: null });
  const first = await openShift(here);
  await saleOf(here, "CARD").put({ cash_session_id: null });
  const waiting = saleOf(here);
  await waiting.put({ cash_session_id: first, status: "open" });
  await openShift(here, { status: "closed", closed_at: now(), counted_amount: 100_000 }, first);
  const before = await told(here);
  await saleOf(here).put({ cash_session_id: null });
  const next = await openShift(here);
  await waiting.put({ cash_session_id: next, status: "completed" });
  expect(before.found).toEqual([]);
  expect(await told(here)).toEqual(before);
});

test("a charged sale that becomes other goods for the same money is told as what it was", async () => {
  const here = await shop();
  const cheap = randomUUID();
  const candy = { name: "Bombón", sku: "B", base_price: 500, final_price: 500, tax_class: "excluded" };
  await here.till.put("product", candy, { id: cheap });
  const sale = saleOf(here);
  await sale.put({});
  const [item] = plainSale(now(), 5_000).items;
  await sale.put({ items: [{ ...item, product_id: cheap, item_kind: "product", quantity: 10, unit_price: 500 }] });
  expect((await told(here)).found).toEqual([
    "sale_reduced: Una venta cobrada de $5.000 quedó en $5.000 con otros o menos productos.",
  ]);
});
