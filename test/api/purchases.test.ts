import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { buyingShop, type Json } from "../support/purchases.ts";
import { refusal, refused } from "../support/refusal.ts";

const { shop, supplier, soda, rice, buy, bought, receive, received, stockOf, movementsOf, eventTypes } = buyingShop();

const iva = [{ code: "01", rate: 19 }];
const box = () => ({ product_id: soda.id, unit: "Caja x24", factor: 24, quantity: 10, unit_cost: 48_000, taxes: iva });

describe("a purchase", () => {
  test("is a draft with its sums: quantity by cost less discount, taxes, and freight in the cost of each unit", async () => {
    const fields = {
      invoice_number: "FV-1029",
      invoice_date: "2026-09-28",
      charges: [{ description: "Flete", amount: 20_000 }],
    };
    const { status, body } = await buy([{ ...box(), discount: 30_000 }], fields);
    expect([status, body.status, body.number, body.supplier_name]).toEqual([201, "draft", 1, "La Sabana"]);
    expect(body).toMatchObject({
      subtotal: 450_000,
      discount: 30_000,
      tax: 85_500,
      charges_total: 20_000,
      total: 555_500,
    });
    expect([body.owed, body.paid, body.invoice_date, body.due_date]).toEqual([0, 0, "2026-09-28", "2026-10-28"]);
    expect(body.lines).toMatchObject([
      { description: "Gaseosa", unit: "Caja x24", factor: 24, subtotal: 450_000, landed_unit_cost: 1958.333333 },
    ]);
    expect(await stockOf(soda)).toBe(0);
    expect(await eventTypes()).not.toContain("purchase.received");
  });

  test("names what it buys by its code; a box's code buys boxes, and what was bought with their code is known by it", async () => {
    const first = await bought([
      { barcode: "17702535011086", supplier_code: "G-24", quantity: 2, unit_cost: 48_000 },
      { sku: "GAS", quantity: 3, unit_cost: 2_100 },
    ]);
    expect(first.lines).toMatchObject([
      { product_id: soda.id, unit: "Caja x24", factor: 24, supplier_code: "G-24" },
      { product_id: soda.id, unit: "und", factor: 1, supplier_code: null },
    ]);
    const again = await bought([{ supplier_code: "G-24", quantity: 1, unit_cost: 47_000 }]);
    expect(again.lines).toMatchObject([{ product_id: soda.id, unit: "Caja x24", factor: 24, supplier_code: "G-24" }]);
    // The same code is another thing at another supplier's.
    const { body: other } = await shop.api.post("/suppliers", { name: "Otra" });
    const elsewhere = await shop.api.post("/purchases", {
      supplier_id: other.id,
      lines: [{ supplier_code: "G-24", quantity: 1, unit_cost: 1 }],
    });
    expect(refusal(elsewhere)).toEqual(refused("lines.0.supplier_code"));
  });

  test("spreads what comes on top by value, units or weight; the rest of rounding is on the heaviest line", async () => {
    const lines = [
      { product_id: soda.id, quantity: 2, unit_cost: 500, weight: 1 },
      { product_id: rice.id, quantity: 1, unit_cost: 2_000, weight: 9 },
    ];
    const costs = async (spread_by: string) =>
      (await bought(lines, { charges: [{ description: "Flete", amount: 1_000, spread_by }] })).lines.map(
        ({ landed_unit_cost }: Json) => landed_unit_cost,
      );
    // 333 and 667 of 1 000 by value; 667 and 333 by units; 100 and 900 by weight.
    expect(await costs("value")).toEqual([666.5, 2667]);
    expect(await costs("quantity")).toEqual([833.5, 2333]);
    expect(await costs("weight")).toEqual([550, 2900]);
    const { weight: _weight, ...unweighed } = lines[1]!;
    const charges = [{ description: "Flete", amount: 1, spread_by: "weight" }];
    expect(refusal(await buy([lines[0]!, unweighed], { charges }))).toEqual(refused("lines.1.weight"));
  });

  test("of a tax that does not come back keeps it in the cost", async () => {
    const { lines, tax } = await bought([
      { product_id: soda.id, quantity: 10, unit_cost: 1_000, taxes: [...iva, { code: "34", amount: 650 }] },
    ]);
    expect(tax).toBe(2_550);
    expect(lines[0].taxes).toEqual([
      { code: "01", rate: 19, amount: 1_900, recoverable: true },
      { code: "34", rate: null, amount: 650, recoverable: false },
    ]);
    expect(lines[0].landed_unit_cost).toBe(1_065);
  });

  test.each<[string, () => object]>([
    ["lines.0.product_id", () => ({ product_id: randomUUID(), quantity: 1, unit_cost: 1 })],
    ["lines.0.barcode", () => ({ barcode: "NOPE", quantity: 1, unit_cost: 1 })],
    ["lines.0.sku", () => ({ sku: "NOPE", quantity: 1, unit_cost: 1 })],
    ["lines.0.supplier_code", () => ({ supplier_code: "NOPE", quantity: 1, unit_cost: 1 })],
    ["lines.0", () => ({ quantity: 1, unit_cost: 1 })],
    ["lines.0", () => ({ sku: "GAS", product_id: soda.id, quantity: 1, unit_cost: 1 })],
    ["lines.0.quantity", () => ({ sku: "GAS", quantity: 0.5, unit_cost: 1 })],
    ["lines.0.quantity", () => ({ sku: "GAS", quantity: 0, unit_cost: 1 })],
    ["lines.0.discount", () => ({ sku: "GAS", quantity: 1, unit_cost: 100, discount: 101 })],
    ["lines.0.unit_cost", () => ({ sku: "GAS", quantity: 1, unit_cost: -1 })],
    ["lines.0.taxes.0.code", () => ({ sku: "GAS", quantity: 1, unit_cost: 1, taxes: [{ code: "99", rate: 1 }] })],
  ])("with a wrong %s is refused", async (param, line) => {
    expect(refusal(await buy([line()]))).toEqual(refused(param));
  });

  test("of what has no stock of its own is refused with the code for it", async () => {
    const shirt = await shop.api.post("/products", { name: "Camisa", base_price: 1, variants: [{ label: "M" }] });
    const answer = await buy([{ product_id: shirt.body.id, quantity: 1, unit_cost: 1 }]);
    expect(refusal(answer)).toEqual([422, "VARIANT_STOCK_UNSUPPORTED", "lines.0.product_id"]);
  });

  test("has a supplier and a warehouse of the business, and days of the calendar", async () => {
    const lines = [box()];
    const unknown = await shop.api.post("/purchases", { supplier_id: randomUUID(), lines });
    expect(refusal(unknown)).toEqual([404, "NOT_FOUND", "supplier_id"]);
    expect(refusal(await buy(lines, { warehouse_id: randomUUID() }))).toEqual([404, "NOT_FOUND", "warehouse_id"]);
    expect(refusal(await buy(lines, { invoice_date: "2026-02-30" }))).toEqual(refused("invoice_date"));
    expect(refusal(await buy(lines, { due_date: "mañana" }))).toEqual(refused("due_date"));
  });

  test("is of one invoice: the same number of the supplier is refused until that purchase is cancelled", async () => {
    const first = await bought([box()], { invoice_number: "FV-1029" });
    const again = await buy([box()], { invoice_number: "fv 1029" });
    expect([...refusal(again), again.body.error.message]).toEqual([
      ...[409, "CONFLICT", "invoice_number"],
      expect.stringContaining(`compra 1 (${first.id})`),
    ]);
    await shop.api.patch(`/purchases/${first.id}`, { status: "cancelled", cancelled_reason: "Precio" });
    expect((await buy([box()], { invoice_number: "FV-1029" })).status).toBe(201);
  });
});

describe("a receipt", () => {
  test("of all brings everything into stock at its landed cost, and what it owes", async () => {
    const purchase = await bought([box()], { charges: [{ description: "Flete", amount: 20_000 }], status: "ordered" });
    const after = await received(purchase, { reference: "R-1" });
    expect([after.status, after.owed, after.lines[0].received]).toEqual(["received", 591_200, 10]);
    expect(after.due_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(await stockOf(soda)).toBe(240);
    expect(await movementsOf(soda)).toMatchObject([
      { type: "in", quantity: 240, unit_cost: 2083.333333, origin_type: "purchase", reference: "Compra 1" },
    ]);
    expect(after.receipts).toMatchObject([
      { number: 1, kind: "receipt", reference: "R-1", owed: 591_200, lines: [{ quantity: 10, base_quantity: 240 }] },
    ]);
    expect((await eventTypes()).slice(-2)).toEqual(["inventory.movement.created", "purchase.received"]);
  });

  test("may be of a part; the parts add up, and more than what is left is refused in words", async () => {
    const purchase = await bought([box(), { product_id: rice.id, quantity: 2.5, unit_cost: 3_000 }]);
    const [boxes, kilos] = purchase.lines;
    const first = await received(purchase, { lines: [{ line_id: boxes.id, quantity: 6 }] });
    expect([first.status, first.owed]).toEqual(["partly_received", 342_720]);
    const tooMany = await receive(purchase, { lines: [{ line_id: boxes.id, quantity: 5 }] });
    expect([...refusal(tooMany), tooMany.body.error.errors[0].message]).toEqual([
      ...refused("lines.0.quantity"),
      expect.stringContaining("faltan 4 de 10"),
    ]);
    await received(purchase, { lines: [{ line_id: kilos.id, quantity: 0.7 }] });
    const last = await received(purchase);
    expect([last.status, last.owed, last.owed === last.total]).toEqual(["received", 578_700, true]);
    expect([await stockOf(soda), await stockOf(rice)]).toEqual([240, 2.5]);
    expect(refusal(await receive(purchase))).toEqual([409, "CONFLICT", undefined]);
  });

  test("repeated with its key is one receipt", async () => {
    const purchase = await bought([box()]);
    const body = { lines: [{ line_id: purchase.lines[0].id, quantity: 4 }] };
    const answers = await Promise.all([receive(purchase, body, "una"), receive(purchase, body, "una")]);
    const again = await receive(purchase, body, "una");
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toContain(200);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await stockOf(soda)).toBe(96);
  });

  test("of another purchase's line, or of one line twice, is refused", async () => {
    const purchase = await bought([box()]);
    const line_id = purchase.lines[0].id;
    expect(refusal(await receive(purchase, { lines: [{ line_id: randomUUID(), quantity: 1 }] }))).toEqual(
      refused("lines.0.line_id"),
    );
    const twice = [
      { line_id, quantity: 1 },
      { line_id, quantity: 1 },
    ];
    expect(refusal(await receive(purchase, { lines: twice }))).toEqual(refused("lines.1.line_id"));
    expect(refusal(await receive({ id: randomUUID() }))).toEqual([404, "NOT_FOUND", "id"]);
    expect(await stockOf(soda)).toBe(0);
  });

  test("written wrongly is corrected by another one, and then the purchase may change and come again", async () => {
    const purchase = await bought([box()]);
    const after = await received(purchase);
    expect(refusal(await shop.api.patch(`/purchases/${purchase.id}`, { lines: [box()] }))).toEqual([
      ...[409, "CONFLICT", "lines"],
    ]);
    const corrects = after.receipts[0].id;
    const corrected = await received(purchase, { kind: "correction", corrects });
    expect([corrected.status, corrected.owed, await stockOf(soda)]).toEqual(["draft", 0, 0]);
    expect(corrected.receipts).toMatchObject([{ kind: "receipt" }, { kind: "correction", corrects }]);
    expect(refusal(await receive(purchase, { kind: "correction", corrects }))).toEqual([409, "CONFLICT", undefined]);
    const dearer = await shop.api.patch(`/purchases/${purchase.id}`, { lines: [{ ...box(), unit_cost: 50_000 }] });
    expect([dearer.status, dearer.body.total]).toEqual([200, 595_000]);
    const again = await received(purchase);
    expect([again.status, again.owed, await stockOf(soda)]).toEqual(["received", 595_000, 240]);
  });

  test("goes back to the supplier, from what is here and no more; then less is owed", async () => {
    const purchase = await bought([box()]);
    const line_id = purchase.lines[0].id;
    await received(purchase, { lines: [{ line_id, quantity: 6 }] });
    const back = await received(purchase, { kind: "return", lines: [{ line_id, quantity: 2 }], notes: "Golpeadas" });
    expect([back.status, back.owed, back.lines[0].returned, await stockOf(soda)]).toEqual([
      ...["partly_received", 228_480, 2, 96],
    ]);
    const tooMany = await receive(purchase, { kind: "return", lines: [{ line_id, quantity: 5 }] });
    expect(refusal(tooMany)).toEqual(refused("lines.0.quantity"));
    expect(refusal(await receive(purchase, { kind: "return" }))).toEqual(refused("lines"));
    expect((await movementsOf(soda)).at(-1)).toMatchObject({
      type: "out",
      quantity: 48,
      origin_type: "purchase_return",
    });
    expect((await eventTypes()).filter((type) => type === "purchase.received")).toHaveLength(1);
  });

  test("says what it corrects, and only a correction does", async () => {
    const purchase = await bought([box()]);
    await received(purchase);
    expect(refusal(await receive(purchase, { kind: "correction" }))).toEqual(refused("corrects"));
    expect(refusal(await receive(purchase, { corrects: randomUUID() }))).toEqual(refused("corrects"));
    const unknown = await receive(purchase, { kind: "correction", corrects: randomUUID() });
    expect(refusal(unknown)).toEqual([404, "NOT_FOUND", "corrects"]);
  });

  test("goes into the warehouse it names", async () => {
    const { body: other } = await shop.api.post("/warehouses", { name: "Sur" });
    const purchase = await bought([box()]);
    await received(purchase, { warehouse_id: other.id });
    const { data } = (await shop.api.get(`/inventory/levels?warehouse_id=${other.id}`)).body;
    expect(data).toMatchObject([{ product_id: soda.id, quantity: 240 }]);
  });
});

describe("an end", () => {
  test("closes what is no longer awaited; what came of it may still go back", async () => {
    const purchase = await bought([box()]);
    const line_id = purchase.lines[0].id;
    await received(purchase, { lines: [{ line_id, quantity: 1 }] });
    const closed = await shop.api.patch(`/purchases/${purchase.id}`, { status: "closed" });
    expect([closed.status, closed.body.status, closed.body.closed_at]).toEqual([200, "closed", expect.any(String)]);
    expect(refusal(await receive(purchase))).toEqual([409, "CONFLICT", "id"]);
    const back = await received(purchase, { kind: "return", lines: [{ line_id, quantity: 1 }] });
    expect([back.status, back.owed]).toEqual(["closed", 0]);
  });

  test("cancels what nobody received, and nothing else", async () => {
    const [first, second] = [await bought([box()]), await bought([box()])];
    const cancel = { status: "cancelled" };
    expect((await shop.api.patch(`/purchases/${first.id}`, cancel)).body).toMatchObject({ status: "cancelled" });
    expect(refusal(await receive(first))).toEqual([409, "CONFLICT", "id"]);
    await received(second);
    expect(refusal(await shop.api.patch(`/purchases/${second.id}`, cancel))).toEqual([409, "CONFLICT", "status"]);
  });
});

test("purchases are found by state, supplier, invoice and what was bought", async () => {
  const purchase = await bought([box()], { invoice_number: "FV-7" });
  await bought([{ product_id: rice.id, quantity: 1, unit_cost: 1 }], { status: "ordered" });
  const found = async (query: string) =>
    (await shop.api.get(`/purchases?${query}`)).body.data.map(({ id }: Json) => id);
  expect(await found("invoice_number=FV-7")).toEqual([purchase.id]);
  expect(await found("status=draft")).toEqual([purchase.id]);
  expect(await found("q=gaseosa")).toEqual([purchase.id]);
  expect(await found(`supplier_id=${supplier.id}`)).toHaveLength(2);
});
