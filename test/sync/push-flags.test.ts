import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openAgain } from "../support/portal.ts";
import {
  cashMovementBody,
  cashSessionBody,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  saleBody,
  variantBody,
  warehouseBody,
} from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { type Flag, now, registerPerTest, sale } from "../support/registered-shop.ts";

const { flagged, rows, service, shop, till } = registerPerTest();

test("a sale that does not add up or has an unknown status is applied and flagged", async () => {
  const odd = sale({ total: 1, status: "fiado", document_kind: "remision" });
  expect(await till.put("sale", odd)).toMatchObject({ status: "applied" });
  const read = (await shop.api.get(`/sales/${odd.id}`)).body;
  expect([read.total, read.status, read.document_kind]).toEqual([1, "fiado", "pos"]);
  const [{ type, record_id, findings }] = await flagged();
  expect([type, record_id]).toEqual(["sale", odd.id]);
  expect(findings.map((one: { field: string }) => one.field)).toEqual(["document_kind", "total", "tax", "status"]);
  await till.put("sale", { ...odd, total: 6400, status: "completed", document_kind: "pos" });
  expect(await flagged()).toEqual([]);
});

const published = [
  ["customer", customerBody, "/customers", { person_type: "person", document_type: "CC", contact_channel: "none" }],
  ["product", productBody, "/products", { kind: "simple", tax_class: "standard", base_unit: "und" }],
  ["sale", saleBody, "/sales", { document_kind: "pos" }],
  ["invoice", invoiceBody, "/invoices", { document_type: "other", status: "pending" }],
  ["cash_session", cashSessionBody, "/cash-sessions", { status: "open" }],
  ["quote", quoteBody, "/quotes", { status: "draft" }],
] as const;

test.each(published)(
  "a value of a %s that the contract does not list becomes the default, and the owner sees what was sent",
  async (type, body, path, defaults) => {
    const raw = Object.fromEntries(Object.keys(defaults).map((field) => [field, `${field} de otra caja`]));
    const data = { ...upload(body(now())), ...raw };
    expect(await till.put(type, data)).toMatchObject({ status: "applied", code: null });
    expect((await shop.api.get(`${path}/${data.id}`)).body).toMatchObject(defaults);
    expect(await flagged()).toMatchObject([
      { type, record_id: data.id, findings: Object.entries(raw).map(([field, got]) => ({ field, got })) },
    ]);
    const owner = await openAgain(service, shop, "");
    expect((await owner.get("/devices")).body.data).toMatchObject([{ quarantined: 0, flagged: 1 }]);
  },
);

test("a flag stays while other fields are edited, and goes when the value or the record does", async () => {
  const customer = upload(customerBody(now(), { contact_channel: "tiktok" as never }));
  await till.put("customer", customer);
  await till.put("customer", { phone: "300" }, { id: customer.id });
  await till.put("customer", { ...customer, phone: "301" }, { changed: ["phone"] });
  expect(await flagged()).toMatchObject([{ record_id: customer.id, device_seq: 3 }]);
  await till.put("customer", { contact_channel: "instagram" }, { id: customer.id });
  expect(await flagged()).toEqual([]);
  await till.put("customer", { ...customer, document_type: "RUT" }, { changed: ["document_type"] });
  expect((await flagged())[0].findings).toMatchObject([{ field: "document_type", got: "RUT" }]);
  expect((await shop.api.get(`/customers/${customer.id}`)).body.contact_channel).toBe("instagram");
  await till.put("customer", {}, { id: customer.id, op: "delete" });
  expect(await flagged()).toEqual([]);
});

test("a discount that is not a percentage is ignored and flagged", async () => {
  const product = upload(productBody(now(), { base_price: 3000, final_price: 2400, percent_discount: 150 }));
  const variants = [150, 20].map((percent_discount) =>
    upload(variantBody(now(), product.id, { base_price: 1000, final_price: 800, percent_discount })),
  );
  await till.put("product", { ...product, variants });
  const read = (await shop.api.get(`/products/${product.id}`)).body;
  expect([read.final_price, read.percent_discount]).toEqual([2400, 20]);
  expect(read.variants.map((one: { percent_discount: number }) => one.percent_discount)).toEqual([20, 20]);
  const fields = async () => (await flagged()).flatMap((one: Flag) => one.findings.map(({ field }) => field));
  expect(await fields()).toEqual(["percent_discount", `variants.${variants[0]!.id}.percent_discount`, "variants"]);
  await till.put("product", { percent_discount: -5 }, { id: product.id, changed: ["percent_discount"] });
  expect((await shop.api.get(`/products/${product.id}`)).body).toMatchObject({
    final_price: 2400,
    percent_discount: 20,
  });
  await till.put("product", { base_price: 3100 }, { id: product.id, changed: ["base_price"] });
  expect(await fields()).toEqual([`variants.${variants[0]!.id}.percent_discount`, "variants"]);
  await till.put("quote", { ...upload(quoteBody(now())), discount_percent: 101 });
  expect((await flagged())[0]).toMatchObject({ type: "quote", findings: [{ field: "discount_percent", got: 101 }] });
});

test("two default warehouses are both flagged until only one is left", async () => {
  const [first, second] = [warehouseBody(now()), warehouseBody(now())].map(upload);
  await till.put("warehouse", first!);
  expect(await flagged()).toEqual([]);
  await till.put("warehouse", second!);
  const ids = (await flagged()).map((one: Flag) => one.record_id);
  expect(ids.toSorted()).toEqual([first!.id, second!.id].toSorted());
  await till.put("warehouse", { name: "Bodega" }, { id: second!.id });
  expect(await flagged()).toHaveLength(2);
  await till.put("warehouse", { is_default: false }, { id: first!.id });
  expect(await flagged()).toEqual([]);
});

test("choosing one of two default warehouses ends their flags; renaming one chooses nothing", async () => {
  const [first, second] = [warehouseBody(now()), warehouseBody(now())].map(upload);
  await till.put("warehouse", first!);
  await till.put("warehouse", second!);
  const both = (await flagged()).length;
  await shop.api.patch(`/warehouses/${second!.id}`, { name: "Bodega" });
  expect(await flagged()).toHaveLength(both);
  await shop.api.patch(`/warehouses/${second!.id}`, { is_default: true });
  expect(await flagged()).toEqual([]);
});

test("a shift's totals are computed from its movements; totals that disagree are flagged", async () => {
  const session = upload(cashSessionBody(now()));
  const { cash_in, cash_out, expected_amount, ...unsummed } = session;
  const movements = [
    upload(cashMovementBody(now(), session.id, { type: "in", amount: 5_000 })),
    upload(cashMovementBody(now(), session.id, { type: "out", amount: 20_000 })),
  ];
  await till.put("cash_session", { ...unsummed, movements });
  const path = `/cash-sessions/${session.id}`;
  expect((await shop.api.get(path)).body).toMatchObject({ cash_in: 5_000, cash_out: 20_000, expected_amount: 85_000 });
  expect(await flagged()).toEqual([]);
  const wrong = { cash_in: 1, cash_out: 2, expected_amount: 3, counted_amount: 10, difference: 4 };
  await till.put("cash_session", { ...session, movements, ...wrong });
  expect((await shop.api.get(path)).body).toMatchObject(wrong);
  expect((await flagged())[0].findings).toMatchObject([
    { field: "cash_in", expected: 5_000, got: 1 },
    { field: "cash_out", expected: 20_000, got: 2 },
    { field: "expected_amount", expected: 99_999, got: 3 },
    { field: "difference", expected: 7, got: 4 },
  ]);
  const odd = { ...movements[0], type: "retiro" };
  await till.put("cash_session", { ...unsummed, movements: [odd] });
  expect((await shop.api.get(path)).body).toMatchObject({
    cash_in: 0,
    cash_out: 25_000,
    movements: [{ type: "out" }, {}],
  });
  expect((await flagged())[0].findings).toMatchObject([{ field: `movements.${odd.id}.type`, got: "retiro" }]);
});

test("a movement of an unknown type moves the stock the right way or not at all, and is flagged", async () => {
  const product = upload(productBody(now()));
  const entries = [
    { type: "in", quantity: 100, origin_type: "purchase" },
    { type: "salida", quantity: 10, origin_type: null },
    { type: "recipe_explosion", quantity: 5, origin_type: "recipe_explosion" },
    { type: "insumo", quantity: 2, origin_type: "sale" },
    { type: "traslado", quantity: 7, origin_type: null },
    { type: "traslado", quantity: -1, origin_type: null },
  ].map((fields) => upload(movementBody(now(), { ...fields, product_id: product.id, unit_cost: null, sale_id: null })));
  const records = entries.map((data) => ({ type: "stock_movement", id: data.id, data }));
  // Before its product, with it and after it: the total is the same.
  await till.push(records.slice(0, 2));
  await till.push([records[2]!, { type: "product", id: product.id, data: product } as never, records[3]!]);
  await till.push(records.slice(4));
  expect((await shop.api.get(`/products/${product.id}`)).body.stock).toBe(100 - 10 - 5 - 2 - 1);
  const flags = new Map((await flagged()).map((one: Flag) => [one.record_id, one.findings[0]!]));
  expect(entries.map(({ id }) => flags.get(id))).toEqual([
    undefined,
    expect.objectContaining({ got: "salida", message: expect.stringContaining("se restó") }),
    expect.objectContaining({ got: "recipe_explosion" }),
    expect.objectContaining({ got: "insumo" }),
    expect.objectContaining({ message: expect.stringContaining("no movió las existencias") }),
    expect.objectContaining({ message: expect.stringContaining("se restó") }),
  ]);
});

test("part of a piece moves the stock as it was sent and is flagged, unless it makes the stock whole again", async () => {
  const product_id = randomUUID();
  const fields = { name: "Pan", base_price: 900, final_price: 900, base_unit: "und" };
  await till.put("product", { id: product_id, ...fields });
  const cheese = randomUUID();
  await till.put("product", { id: cheese, ...fields, name: "Queso", base_unit: "kg", sold_by_weight: true });
  expect((await till.put("stock_movement", { product_id: cheese, type: "in", quantity: 2.5 })).status).toBe("applied");
  expect(await flagged()).toEqual([]);
  expect((await till.put("stock_movement", { product_id, type: "in", quantity: 2.5 })).status).toBe("applied");
  expect(await flagged()).toMatchObject([{ type: "stock_movement", findings: [{ field: "quantity", got: 2.5 }] }]);
  await till.put("stock_movement", { product_id, type: "adjustment", quantity: -0.5 });
  expect(await flagged()).toHaveLength(1);
});

/** The same figure of a shift on every page that has it: its own, the list of shifts, Hoy and Ventas. */
async function ticketsOf(shift: string): Promise<number[]> {
  const owner = await openAgain(service, shop, "");
  const read = async (path: string) => (await owner.get(path)).body;
  const { sums, received } = await read(`/cash-sessions/${shift}/z`);
  const [listed] = (await read(`/cash-sessions/sums?ids=${shift}`)).data;
  const today = (await read("/today")).shifts.find(({ id }: { id: string }) => id === shift);
  const paid = received.reduce((all: number, { count }: { count: number }) => all + count, 0);
  const sold = await read(`/sales/totals?cash_session_id=${shift}`);
  return [sums.tickets, paid, listed?.tickets ?? 0, today.tickets, sold.tickets];
}

test.each(["before", "after"])(
  "a sale that names the shift of another register, pushed %s it, counts in its day and in none of that shift's figures, and is told",
  async (order) => {
    const other = await enrol(service, shop.accountId, { name: "Caja 2" });
    const shift = upload(cashSessionBody(now()));
    const foreign = sale({ cash_session_id: shift.id });
    if (order === "before") await other.put("sale", foreign);
    await till.put("cash_session", shift);
    await till.put("sale", sale({ cash_session_id: shift.id }));
    if (order === "after") expect(await other.put("sale", foreign)).toMatchObject({ status: "applied", code: null });
    expect((await shop.api.get(`/sales/${foreign.id}`)).body.cash_session_id).toBeNull();
    expect(await ticketsOf(shift.id)).toEqual([1, 1, 1, 1, 1]);

    const owner = await openAgain(service, shop, "");
    expect((await owner.get("/today")).body.sold.tickets).toBe(2);
    const told = { kind: "foreign_shift", sale_id: foreign.id, message: expect.stringContaining("turno de otra caja") };
    expect((await owner.get("/findings")).body.data).toMatchObject([told]);
    expect((await owner.get(`/sales/${foreign.id}/findings`)).body.data).toMatchObject([told]);
    expect((await owner.get(`/devices/${other.deviceId}/flagged`)).body.data).toMatchObject([
      { record_id: foreign.id, findings: [{ field: "cash_session_id", got: shift.id }] },
    ]);
    expect(await other.put("sale", foreign)).toMatchObject({ status: "duplicate" });
    await other.put("sale", { ...foreign, status: "cancelled" });
    expect(await ticketsOf(shift.id)).toEqual([1, 1, 1, 1, 1]);
    expect((await owner.get("/findings")).body.data).toEqual([]);
  },
);

test("a register that enrolled again goes on with the shift of its former self, and nothing is told", async () => {
  const shift = upload(cashSessionBody(now()));
  await till.put("cash_session", shift);
  await till.put("sale", sale({ cash_session_id: shift.id }));
  await rows("update devices set revoked_at = now() where account_id = $1");
  const again = await enrol(service, shop.accountId, { name: "Caja 1" });
  await again.put("sale", sale({ cash_session_id: shift.id }));
  expect(await ticketsOf(shift.id)).toEqual([2, 2, 2, 2, 2]);
  const owner = await openAgain(service, shop, "");
  expect((await owner.get("/findings")).body.data).toEqual([]);
});
