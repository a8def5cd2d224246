import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { ago, atCounter, atCounters, bread, type Fields, hourMs, now } from "../support/counter-shop.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { enrol, remoteEdit, type Till, upload } from "../support/register.ts";

const service = verifiedService();
const { shop, sellAt, rightsIn, toldOf } = atCounters(service);

test("a line below the catalogue's price that nobody declared is flagged, whoever sold it", async () => {
  const here = await shop();
  const { accountId, ana, luz } = here;
  const cheap = await sellAt(here, 1_000, { quantity: 2, beside: { cashier_id: ana } });
  expect(await rightsIn(accountId, cheap)).toEqual([
    "Ana no podía cambiar precios. «Pan» se vendió a $1.000 y en el catálogo vale $5.000.",
  ]);
  const nobodys = await sellAt(here, 1_000);
  expect(await rightsIn(accountId, nobodys)).toEqual(["«Pan» se vendió a $1.000 y en el catálogo vale $5.000."]);
  expect(await toldOf(accountId)).toEqual(
    expect.arrayContaining([
      { kind: "price", cashier: "Ana", sale_id: cheap, amount: 8_000 },
      { kind: "price", cashier: null, sale_id: nobodys, amount: 4_000 },
    ]),
  );
  // Whoever may change prices is not blamed, nor is one who said that somebody allowed it.
  const declared = { cashier_id: ana, acts: [{ right: "price", cashier_id: ana, authorized_by: luz }] };
  for (const beside of [{ cashier_id: luz }, declared])
    expect(await rightsIn(accountId, await sellAt(here, 1_000, { beside }))).toEqual([]);
  expect(await rightsIn(accountId, await sellAt(here, 5_000, { beside: { cashier_id: ana } }))).toEqual([]);
  expect(await rightsIn(accountId, await sellAt(here, 6_000, { beside: { cashier_id: ana } }))).toEqual([]);
});

test("a price that the register had not received yet, a pack's, a variant's, a quote's and a scale's blame nobody", async () => {
  const variant = randomUUID();
  const here = await shop({
    barcodes: [{ code: "77001", units: 24, name: null, price: 96_000, variant_id: null }],
    variants: [{ id: variant, label: "Mini", sku: null, base_price: 2_000, final_price: 2_000, active: true }],
  });
  const { accountId, ana, till, productId } = here;
  const beside = { cashier_id: ana };
  expect(await rightsIn(accountId, await sellAt(here, 4_000, { quantity: 24, beside }))).toEqual([]);
  const mini = await sellAt(here, 2_000, { beside });
  // Of the product itself it is too little, of its variant it is the price.
  expect(await rightsIn(accountId, mini)).toHaveLength(1);
  // Sold before the register was in touch, or after the price had changed once more.
  const early = await shop({}, atCounter, ago(3 * hourMs));
  const before = await sellAt(early, 1_000, { at: ago(2 * hourMs), beside: { cashier_id: early.ana } });
  expect(await rightsIn(early.accountId, before)).toEqual([]);
  const quoted = plainSale(now(), 1_000);
  const items = quoted.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
  await till.push([
    { type: "sale", id: quoted.id, data: { ...upload(quoted), items }, ...beside },
    { type: "quote", data: { status: "converted", sale_id: quoted.id, items, total: 1_000, occurred_at: now() } },
  ]);
  expect(await rightsIn(accountId, quoted.id)).toEqual([]);
  await till.put("product", { ...bread, final_price: 9_000, base_price: 9_000 }, { id: productId });
  expect(await rightsIn(accountId, await sellAt(here, 5_000, { beside }))).toEqual([]);
  await print(accountId, "20AAAAAPPPPPC");
  await till.put("product", { ...bread, sku: "123", sold_by_weight: true, base_unit: "kg" }, { id: productId });
  expect(await rightsIn(accountId, await sellAt(here, 6_000, { beside }))).toEqual([]);
});

describe("what a register had downloaded", () => {
  /** A business with a product, and another register that has never said a word. */
  async function fresh() {
    const here = await shop();
    const till = await enrol(service, here.accountId, { capabilities: atCounter });
    return { ...here, till };
  }

  test("is known in its first push, whatever that says of when, and not if it has downloaded nothing", async () => {
    const silent = await fresh();
    expect(await rightsIn(silent.accountId, await sellAt(silent, 1, { beside: { cashier_id: silent.ana } }))).toEqual(
      [],
    );
    const here = await fresh();
    await here.till.pull();
    const told = "Ana no podía cambiar precios. «Pan» se vendió a $1 y en el catálogo vale $5.000.";
    for (const at of [new Date().toISOString(), ago(hourMs / 12)])
      expect(await rightsIn(here.accountId, await sellAt(here, 1, { at, beside: { cashier_id: here.ana } }))).toEqual([
        told,
      ]);
    const nobodys = await sellAt(here, 1, { at: new Date().toISOString() });
    expect(await rightsIn(here.accountId, nobodys)).toEqual(["«Pan» se vendió a $1 y en el catálogo vale $5.000."]);
  });

  test("is not known of what another one sold before that it was linked, nor of a price that came later", async () => {
    const here = await fresh();
    await here.till.pull();
    const beside = { cashier_id: here.ana };
    expect(await rightsIn(here.accountId, await sellAt(here, 4_000, { at: ago(hourMs), beside }))).toEqual([]);
    const dearer = { ...bread, base_price: 9_000, final_price: 9_000 };
    await (await enrol(service, here.accountId, { capabilities: atCounter })).put("product", dearer, {
      id: here.productId,
    });
    expect(await rightsIn(here.accountId, await sellAt(here, 5_000, { beside }))).toEqual([]);
  });

  test("is known of what came later too, though it has pushed nothing since", async () => {
    const here = await fresh();
    const { body } = await here.till.pull();
    const dearer = { ...bread, base_price: 9_000, final_price: 9_000 };
    await (await enrol(service, here.accountId, { capabilities: atCounter })).put("product", dearer, {
      id: here.productId,
    });
    await here.till.pull(`?cursor=${String(body.cursor)}`);
    const sold = await sellAt(here, 5_000, { beside: { cashier_id: here.ana } });
    expect(await rightsIn(here.accountId, sold)).toEqual([
      "Ana no podía cambiar precios. «Pan» se vendió a $5.000 y en el catálogo vale $9.000.",
    ]);
  });
});

describe("a register that says each time what somebody who may did", () => {
  const saysAll = [...atCounter, "sale_act.1"];
  const own = (right: string, cashier_id: string) => ({ right, cashier_id, authorized_by: null });
  const unsaid = (words: string, what: string) => `Luz puede ${words}, pero la caja no dijo que lo hizo. ${what}`;
  const free = { product_id: null, item_kind: "custom", description: "Whisky" };
  const cases: [string, { price?: number; fields?: Fields; line?: Fields }, string, string][] = [
    [
      "price",
      { price: 1_000 },
      unsaid("cambiar precios", "«Pan» se vendió a $1.000 y en el catálogo vale $5.000."),
      "price",
    ],
    [
      "discount",
      { fields: { discount: 500, total: 4_500 } },
      unsaid("hacer descuentos", "Hubo un descuento de $500."),
      "discount",
    ],
    ["free line", { line: free }, unsaid("vender líneas libres", "Hubo una línea libre."), "free_line"],
    [
      "line of no product",
      { line: { product_id: randomUUID(), description: "Whisky" } },
      unsaid("vender líneas libres", "Por $5.000 se cobró lo que no está en el catálogo: «Whisky»."),
      "free_line",
    ],
    [
      "cancellation",
      { fields: { status: "cancelled" } },
      unsaid("anular ventas", "Se anuló una venta de $5.000."),
      "cancel",
    ],
  ];

  test.each(cases)(
    "is not believed when its token names her for a %s alone",
    async (_, { price = 5_000, ...sold }, message, right) => {
      const here = await shop({}, saysAll);
      const { accountId, luz } = here;
      const named = await sellAt(here, price, { ...sold, beside: { cashier_id: luz } });
      expect(await rightsIn(accountId, named)).toEqual([message]);
      expect(await toldOf(accountId)).toMatchObject([{ cashier: "Luz", sale_id: named }]);
      const said = await sellAt(here, price, { ...sold, beside: { cashier_id: luz, acts: [own(right, luz)] } });
      expect(await rightsIn(accountId, said)).toEqual([]);
    },
  );

  test("stays one, whatever its token leaves out of a later push; one that never said so is believed", async () => {
    const here = await shop({}, saysAll);
    const { accountId, luz, till, productId } = here;
    const discounted = () => {
      const { id, ...sale } = upload(plainSale(now(), 5_000, { discount: 500, total: 4_500 }));
      const items = sale.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
      return { type: "sale", id, data: { ...sale, items }, edited_at: now(), ...({ cashier_id: luz } as object) };
    };
    for (const sale of [discounted(), discounted()]) {
      await till.push([sale], { capabilities: atCounter });
      expect(await rightsIn(accountId, sale.id)).toHaveLength(1);
    }
    const other = await shop();
    const silent = { fields: { discount: 500, total: 4_500 }, beside: { cashier_id: other.luz } };
    expect(await rightsIn(other.accountId, await sellAt(other, 5_000, silent))).toEqual([]);
  });

  test("is not reproached again when it uploads a sale once more", async () => {
    const here = await shop({}, saysAll);
    const { accountId, luz, till, productId } = here;
    const { id, ...sale } = upload(plainSale(now(), 5_000, { discount: 500, total: 4_500 }));
    const items = sale.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
    const put = (fields: Fields, beside: object) =>
      till.put(
        "sale",
        { ...sale, items, ...fields },
        { id, edited_at: now(), ...({ cashier_id: luz, ...beside } as object) },
      );
    await put({}, { acts: [own("discount", luz)] });
    await put({ notes: "Para llevar" }, {});
    expect(await rightsIn(accountId, id)).toEqual([]);
  });
});

/** What the shop's scales print. */
async function print(accountId: string, format: string): Promise<void> {
  await service.deps.pool.query(sql`
    insert into counter_settings (account_id, seq, info, scale_labels, updated_at) values (${accountId}, 1, '{}', array[${format}], now())
    on conflict (account_id) do update set scale_labels = excluded.scale_labels`);
}

test("only what a scale prints prices for may cost by its label: nothing by the piece, by a weight, with another code or beyond its digits", async () => {
  const weighed = { sku: "32947", sold_by_weight: true, base_unit: "kg" };
  const cases: [Fields, string, number, number?][] = [
    [weighed, "21AAAAAPPPPPC", 0],
    [weighed, "21AAAAAPPPPPC", 0, 33],
    [weighed, "21AAAAAPPPPPC", 1, 34],
    [{ ...weighed, final_price: 7_000, base_price: 7_000 }, "21AAAAAPPPPPC", 1],
    [{ ...weighed, sold_by_weight: false }, "21AAAAAPPPPPC", 1],
    [weighed, "20AAAAAGGGGGC", 1],
    [{ ...weighed, sku: "1234567" }, "21AAAAAPPPPPC", 1],
  ];
  for (const [product, format, findings, quantity = 1] of cases) {
    const here = await shop(product);
    await print(here.accountId, format);
    const id = await sellAt(here, 3_000, { quantity, beside: { cashier_id: here.ana } });
    expect(await rightsIn(here.accountId, id), `${quantity} ${JSON.stringify(product)} ${format}`).toHaveLength(
      findings,
    );
  }
});

test("where there are cashiers, an act of nobody and one of somebody unknown are flagged", async () => {
  const here = await shop();
  const { accountId, till, ana } = here;
  const discounted = { fields: { discount: 500, total: 4_500 } };
  for (const beside of [{}, { cashier_id: null }, { cashier_id: randomUUID() }]) {
    const id = await sellAt(here, 5_000, { ...discounted, beside });
    expect(await rightsIn(accountId, id)).toEqual([
      "cashier_id" in beside && beside.cashier_id !== null
        ? "Quien lo hizo no es del negocio: hacer descuentos."
        : "La caja no dijo quién lo hizo: hacer descuentos.",
    ]);
  }
  expect(await toldOf(accountId)).toHaveLength(3);
  const shift = { status: "open", opened_at: now(), register_name: "Caja 1", opening_amount: 0 };
  const shiftId = randomUUID();
  await till.put("cash_session", shift, { id: shiftId });
  expect(await rightsIn(accountId, shiftId)).toEqual([]);
  const closed = { ...shift, status: "closed", closed_at: now(), counted_amount: 0 };
  await till.put("cash_session", closed, { id: shiftId, edited_at: now() });
  expect(await rightsIn(accountId, shiftId)).toEqual(["La caja no dijo quién lo hizo: cerrar el turno."]);
  // Plain sales of nobody take no right.
  expect(await rightsIn(accountId, await sellAt(here, 5_000))).toEqual([]);
  expect(await rightsIn(accountId, await sellAt(here, 5_000, { beside: { cashier_id: ana } }))).toEqual([]);
});

test("a business without cashiers, a register that tells no acts, and one that had not heard of cashiers are not blamed", async () => {
  const discounted = { fields: { discount: 500, total: 4_500 } };
  const former = await shop({}, [remoteEdit]);
  expect(await rightsIn(former.accountId, await sellAt(former, 5_000, discounted))).toEqual([]);
  const early = await shop({}, atCounter, ago(3 * hourMs));
  const before = await sellAt(early, 5_000, { ...discounted, at: ago(2 * hourMs) });
  expect(await rightsIn(early.accountId, before)).toEqual([]);
  const alone = await shop();
  await service.deps.pool.query(sql`delete from cashiers where account_id = ${alone.accountId}`);
  expect(await rightsIn(alone.accountId, await sellAt(alone, 5_000, discounted))).toEqual([]);
});

test("means of payment that change by uploading the sale again are flagged, unless the counter says who corrected them", async () => {
  const here = await shop();
  const { accountId, till, ana, productId } = here;
  const paid = (payment_method: string) => [{ payment_method, amount: 5_000 }];
  const cash = { beside: { cashier_id: ana, payments: paid("CASH") } };
  const [silent, said] = [await sellAt(here, 5_000, cash), await sellAt(here, 5_000, cash)];
  async function repay(id: string, ...others: Parameters<Till["push"]>[0]): Promise<void> {
    const sale = plainSale(now(), 5_000);
    const items = sale.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
    const record = {
      type: "sale",
      id,
      data: { ...upload(sale), items, payment_method: "CARD" },
      payments: paid("CARD"),
      edited_at: now(),
    };
    await till.push([{ ...record, ...({ cashier_id: ana } as object) }, ...others]);
  }
  await repay(silent);
  const act = { kind: "payment_corrected", occurred_at: now(), cashier_id: ana, sale_id: said };
  await repay(said, { type: "counter_act", data: act });
  expect(await rightsIn(accountId, silent)).toEqual([
    "Los medios de pago de la venta cambiaron y la caja no dijo quién los corrigió.",
  ]);
  expect((await rightsIn(accountId, said)).filter((message) => message.startsWith("Los medios"))).toEqual([]);
});

test("cash that leaves the drawer and names nobody, another base and an expectation that does not follow are told", async () => {
  const here = await shop();
  const { accountId, till, ana, luz } = here;
  const id = randomUUID();
  const shift: Fields = { status: "open", opened_at: now(), register_name: "Caja 1", opening_amount: 100_000 };
  const out = (who: object) => ({ id: randomUUID(), type: "out", amount: 60_000, occurred_at: now(), ...who });
  const movements = [out({}), out({ cashier_id: luz }), { ...out({}), type: "in" }];
  for (const notes of ["uno", "dos"])
    await till.put("cash_session", { ...shift, notes, movements }, { id, edited_at: now() });
  expect(await rightsIn(accountId, id)).toEqual(["La caja no dijo quién sacó $60.000 del cajón."]);
  expect(await toldOf(accountId)).toEqual([{ kind: "cash_moved", cashier: null, sale_id: null, amount: 60_000 }]);
  const found = async () => {
    const { rows } = await service.deps.pool.query(sql`
      select kind, message from fiscal_findings where account_id = ${accountId} order by kind`);
    return rows;
  };
  expect(await found()).toEqual([]);
  const beside = { id, edited_at: now(), ...({ cashier_id: ana } as object) };
  await till.put("cash_session", { ...shift, movements, opening_amount: 0, expected_amount: -100_000 }, beside);
  expect(await found()).toEqual([
    {
      kind: "drawer_short",
      message:
        "La caja dice que en el turno debe haber $-100.000, y de su base, sus ventas y sus movimientos resultan $-60.000.",
    },
    {
      kind: "shift_rewritten",
      message: "El turno se abrió con una base de $100.000 y la caja lo volvió a subir con $0.",
    },
  ]);
  expect(await toldOf(accountId)).toContainEqual({
    kind: "cash_moved",
    cashier: "Ana",
    sale_id: null,
    amount: 100_000,
  });
});

test("a line of no product of the shop is a free one, whatever its form, for whoever may sell none", async () => {
  const here = await shop();
  const { accountId, till, ana, luz } = here;
  async function sellLine(line: object, beside: object): Promise<string[]> {
    const sale = plainSale(now(), 100);
    const items = sale.items.map((item) => ({ ...item, description: "Whisky", ...line }));
    await till.put("sale", { ...upload(sale), items }, { id: sale.id, edited_at: now(), ...beside });
    return rightsIn(accountId, sale.id);
  }
  for (const line of [
    { item_kind: "service", product_id: null },
    { item_kind: "product", product_id: randomUUID() },
  ]) {
    const what = "Por $100 se cobró lo que no está en el catálogo: «Whisky».";
    expect(await sellLine(line, { cashier_id: ana })).toEqual([`Ana no podía vender líneas libres. ${what}`]);
    expect(await sellLine(line, {})).toEqual([what]);
    expect(await sellLine(line, { cashier_id: luz })).toEqual([]);
    const acts = [{ right: "free_line", cashier_id: ana, authorized_by: luz }];
    expect(await sellLine(line, { cashier_id: ana, acts })).toEqual([]);
  }
  // A product that arrives with its sale is one of the shop's.
  const sale = plainSale(now(), 5_000);
  const made = randomUUID();
  const items = sale.items.map((item) => ({ ...item, product_id: made, item_kind: "product" }));
  await till.push([
    { type: "product", id: made, data: bread, edited_at: now(), ...({ cashier_id: luz } as object) },
    {
      type: "sale",
      id: sale.id,
      data: { ...upload(sale), items },
      edited_at: now(),
      ...({ cashier_id: ana } as object),
    },
  ]);
  expect(await rightsIn(accountId, sale.id)).toEqual([]);
});

test("an adjustment of the stock is told whatever sale it names, and what a sale moved is not", async () => {
  const here = await shop();
  const { accountId, till, ana, productId } = here;
  const sale_id = await sellAt(here, 5_000, { beside: { cashier_id: ana } });
  const move = async (data: object, beside: object = {}) => {
    const id = randomUUID();
    const movement = { product_id: productId, quantity: 1, sale_id, ...data };
    await till.put("stock_movement", movement, { id, edited_at: now(), ...beside });
    return rightsIn(accountId, id);
  };
  const words = "contar, recibir y trasladar existencias";
  expect(await move({ type: "adjustment", quantity: -50 })).toEqual([`La caja no dijo quién lo hizo: ${words}.`]);
  expect(await move({ type: "waste" }, { cashier_id: ana })).toEqual([`Ana no podía ${words} y nadie lo autorizó.`]);
  expect(await move({ type: "in", origin_type: "reversal" })).toEqual([]);
});
