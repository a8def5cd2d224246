import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { ago, atCounter, atCounters, bread, type Fields, now } from "../support/counter-shop.ts";
import { desks, upload } from "../support/desk.ts";
import { verifiedService } from "../support/fixtures.ts";

const service = verifiedService();
const { open } = desks();
const { shop, rightsIn, sellAt } = atCounters(service);
type Shop = Awaited<ReturnType<typeof shop>>;

/** A counter that says of each product who made it. */
const namesMakers = [...atCounter, "product_act.1"];

async function told({ accountId }: Shop, label: string) {
  const all = await readActs(service.deps.pool, accountId, { only: "unauthorized" }, 100);
  return all.flatMap((act) => (act.label === label ? [[act.kind, act.cashier, act.amount, act.detail]] : []));
}

async function put({ till }: Shop, id: string, fields: Fields, beside: object = {}): Promise<void> {
  const made = await till.put("product", { ...bread, sku: null, ...fields }, { id, edited_at: now(), ...beside });
  expect(made).toMatchObject({ status: "applied" });
}

test("a product made, renamed or taxed otherwise at a register by somebody who may not is told", async () => {
  const here = await shop();
  const { ana, luz } = here;
  const id = randomUUID();
  await put(here, id, { name: "Arepa" }, { cashier_id: ana });
  const may = "Ana no podía crear o cambiar productos en la caja y nadie lo autorizó.";
  expect(await told(here, "Arepa")).toEqual([
    ["product_created", "Ana", 5_000, `${may} «Arepa» entró al catálogo a $5.000.`],
  ]);
  await put(here, id, { name: "Arepa de queso", tax_class: "standard" }, { cashier_id: ana });
  expect(await told(here, "Arepa de queso")).toEqual(
    expect.arrayContaining([
      ["product_created", "Ana", null, `${may} «Arepa» pasó a llamarse «Arepa de queso» en el catálogo.`],
      ["product_created", "Ana", null, `${may} «Arepa de queso» pasó de «Excluido» a «General» en sus impuestos.`],
    ]),
  );
  // Whoever may is not, nor is one whom somebody allowed it: that is an act with both names.
  const by = (cashier_id: string, authorized_by: string | null) => ({
    cashier_id,
    acts: [{ right: "create_product", cashier_id, authorized_by }],
  });
  await put(here, randomUUID(), { name: "Buñuelo" }, by(luz, null));
  await put(here, randomUUID(), { name: "Almojábana" }, by(ana, luz));
  expect([await told(here, "Buñuelo"), await told(here, "Almojábana")]).toEqual([[], []]);
  const both = await readActs(service.deps.pool, here.accountId, { kind: "product_created" }, 100);
  expect(both.filter(({ authorized_by }) => authorized_by === "Luz")).toHaveLength(1);
});

test("a product of nobody is told of a register that says who makes them, and of no other", async () => {
  const [plain, naming] = [await shop(), await shop({}, namesMakers)];
  for (const here of [plain, naming]) await put(here, randomUUID(), { name: "Pandebono" });
  expect(await told(plain, "Pandebono")).toEqual([]);
  expect(await told(naming, "Pandebono")).toEqual([
    [
      "product_created",
      null,
      5_000,
      "La caja no dijo quién lo hizo: crear o cambiar productos en la caja. «Pandebono» entró al catálogo a $5.000.",
    ],
  ]);
});

test("what moves for a sale that does not exist is told", async () => {
  const here = await shop();
  const { accountId, till, ana, luz, productId } = here;
  const move = async (sale_id: string, beside: object = {}) => {
    const id = randomUUID();
    const movement = { product_id: productId, quantity: 3, type: "sale", origin_type: "sale", sale_id };
    const moved = await till.put("stock_movement", movement, { id, edited_at: now(), ...beside });
    expect(moved).toMatchObject({ status: "applied" });
    return rightsIn(accountId, id);
  };
  const what = "El movimiento nombra una venta que no existe.";
  expect(await move(randomUUID())).toEqual([what]);
  const words = "contar, recibir y trasladar existencias";
  expect(await move(randomUUID(), { cashier_id: ana })).toEqual([`Ana no podía ${words}. ${what}`]);
  expect(await move(randomUUID(), { cashier_id: luz })).toEqual([]);
});

test("Caja says who made a product and who allowed it: told once with both names, and as nobody's right without one", async () => {
  const here = await shop({}, atCounter, ago(day));
  const desk = await open("files", service, here.accountId);
  const { counter } = desk;
  expect(await counter.signIn(here.ana, "4821")).toBe(true);
  const luz = counter.state().cashiers.find(({ id }) => id === here.luz)!;
  const fields = { sku: null, price: 3_000, tax_class: "standard", category_id: null, sold_by_weight: false };
  await counter.addProduct({ ...fields, name: "Mogolla" }, { right: "create_product", by: luz });
  await counter.addProduct({ ...fields, name: "Roscón" }, { right: "create_product", by: undefined });
  await upload(desk);
  const all = await readActs(service.deps.pool, here.accountId, { kind: "product_created" }, 10);
  expect(
    all.map(({ label, cashier, authorized_by, is_allowed }) => [label, cashier, authorized_by, is_allowed]),
  ).toEqual(
    expect.arrayContaining([
      ["Mogolla", "Ana", "Luz", true],
      ["Roscón", "Ana", null, false],
    ]),
  );
  expect(all).toHaveLength(2);
  desk.store.close();
});

test("what moves for a sale is what it sold, and no more of it than it sold", async () => {
  const here = await shop();
  const { accountId, till, ana, productId } = here;
  const whisky = randomUUID();
  await put(here, whisky, { name: "Whisky" }, { cashier_id: here.luz });
  // With its own movement of two, in the same push.
  const sale_id = await sellAt(here, 5_000, { quantity: 2, beside: { cashier_id: ana } });
  const move = async (product_id: string, quantity: number, kind: Fields = { type: "sale", origin_type: "sale" }) => {
    const id = randomUUID();
    const data = { product_id, quantity, sale_id, ...kind };
    await till.put("stock_movement", data, { id, edited_at: now(), ...({ cashier_id: ana } as object) });
    return rightsIn(accountId, id);
  };
  const may = "Ana no podía contar, recibir y trasladar existencias.";
  const moved = "Por la venta que nombra se han movido";
  expect(await move(whisky, 24)).toEqual([`${may} ${moved} 24 de «Whisky», y la venta no tiene ese producto.`]);
  expect(await move(productId, 1)).toEqual([`${may} ${moved} 3 de «Pan», y la venta tiene 2.`]);
  const back = { type: "in", origin_type: "reversal" };
  expect(await move(productId, 2, back)).toEqual([]);
  expect(await move(productId, 0.5, back)).toEqual([`${may} ${moved} 2,5 de «Pan», y la venta tiene 2.`]);
  // Two at once are one after the other.
  const other = await sellAt(here, 5_000, { quantity: 24, beside: { cashier_id: ana } });
  const ids = [randomUUID(), randomUUID()];
  await till.push(
    ids.map((id) => ({
      ...{ type: "stock_movement", id, edited_at: now(), cashier_id: ana },
      data: { product_id: productId, quantity: 24, sale_id: other, type: "return" },
    })),
  );
  expect([await rightsIn(accountId, ids[0]!), await rightsIn(accountId, ids[1]!)]).toEqual([
    [],
    [`${may} ${moved} 48 de «Pan», y la venta tiene 24.`],
  ]);
});

test("what a composed product is made of moves as its register says, also in a later push; a variant moves its product", async () => {
  const mini = { id: randomUUID(), label: "Mini", sku: null, base_price: 5_000, final_price: 5_000, active: true };
  const here = await shop({ kind: "composite" });
  const flour = randomUUID();
  await put(here, flour, { name: "Harina" }, { cashier_id: here.luz });
  const sold = await sellAt(here, 5_000, { beside: { cashier_id: here.ana } });
  const varied = await shop({ variants: [mini] });
  const small = await sellAt(varied, 5_000, { beside: { cashier_id: varied.ana }, line: { variant_id: mini.id } });
  const { rows } = await service.deps.pool.query(
    sql`select record_id from flagged_records where account_id = ${varied.accountId} and type = 'stock_movement'`,
  );
  expect([rows, await rightsIn(varied.accountId, small)]).toEqual([[], []]);
  const id = randomUUID();
  const data = { product_id: flour, quantity: 0.3, type: "sale", origin_type: "sale", sale_id: sold };
  await here.till.put("stock_movement", data, { id, edited_at: now(), ...({ cashier_id: here.ana } as object) });
  expect(await rightsIn(here.accountId, id)).toEqual([]);
});

test("a product or a variant that a register deletes is told like one that it renames", async () => {
  const variant = { label: "Mini", sku: null, base_price: 5_000, final_price: 5_000, active: true };
  const variants = [variant, variant].map((one, i) => ({ ...one, id: randomUUID(), label: `Mini ${i}` }));
  const here = await shop({ variants }, namesMakers);
  const { till, productId, ana, luz } = here;
  const remove = (type: string, id: string, data: Fields | null, beside: object) =>
    till.push([{ type, id, op: "delete", data, edited_at: now(), ...beside }]);
  const [first, second] = variants.map(({ id }) => id);
  const by = { cashier_id: ana };
  await remove("product_variant", first!, { product_id: productId }, by);
  await remove("product_variant", second!, { product_id: productId }, { cashier_id: luz });
  await remove("product", productId, null, by);
  const may = "Ana no podía crear o cambiar productos en la caja y nadie lo autorizó.";
  expect(await told(here, "Pan · Mini 0")).toEqual([
    ["product_created", "Ana", null, `${may} «Pan · Mini 0» se eliminó del catálogo.`],
  ]);
  expect(await told(here, "Pan · Mini 1")).toEqual([]);
  const gone = ["product_created", "Ana", null, `${may} «Pan» se eliminó del catálogo.`];
  expect(await told(here, "Pan")).toEqual([gone]);
  await remove("product", productId, null, by);
  expect(await told(here, "Pan")).toEqual([gone]);
  const other = randomUUID();
  await put(here, other, { name: "Pandebono" }, { cashier_id: luz });
  await remove("product", other, null, {});
  expect(await told(here, "Pandebono")).toMatchObject([
    ["product_created", null, null, expect.stringContaining("eliminó")],
  ]);
});
