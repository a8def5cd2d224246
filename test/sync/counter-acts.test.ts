import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openCounter } from "../../register/counter.ts";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier, retireCashier, updateCashier } from "../../src/business/counter/cashiers.ts";
import { forgetActs, keptDays, readActs, readToldActs } from "../../src/business/counter/counter-acts.ts";
import { allRights, type Right } from "../../src/business/counter/rights.ts";
import { sql } from "../../src/db/sql.ts";
import { day } from "../../src/lib/clock.ts";
import { desks, sell, upload as uploadAll } from "../support/desk.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { enrol, remoteEdit, upload } from "../support/register.ts";

const service = verifiedService();
const { open } = desks();
const capabilities = [remoteEdit, "business.down.1", "return.1", "counter_act.1"];
const now = () => new Date().toISOString();

async function person(accountId: string, name: string, permissions: readonly Right[]): Promise<string> {
  const cashier = await createCashier(service.deps, accountId, { name, pin: "4821", permissions }, theOperator);
  return cashier!.id;
}

/** A business with somebody who may nothing, somebody who may everything, and a register. */
async function counterOf(permissions: readonly Right[] = []) {
  const { accountId } = await service.business();
  const [ana, luz] = [await person(accountId, "Ana", permissions), await person(accountId, "Luz", allRights)];
  const till = await enrol(service, accountId, { capabilities });
  return { accountId, ana, luz, till };
}

const actsOf = (accountId: string) => readActs(service.deps.pool, accountId, {}, 100);

async function flagsOf(accountId: string, id: string): Promise<{ field: string; message: string }[]> {
  const { rows } = await service.deps.pool.query(sql`
    select findings from flagged_records where account_id = ${accountId} and record_id = ${id}`);
  return rows[0] ? JSON.parse(rows[0].findings) : [];
}

test("nobody hides what was found, nor an act behind another of its id", async () => {
  const { accountId, ana, luz, till } = await counterOf();
  // The id that the service gave to what it found could be worked out once.
  const sale = plainSale(now(), 10_000, { discount: 500, total: 9_500 });
  const digits = createHash("sha256").update(`${sale.id} discount `).digest("hex");
  const guessed = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
  const decoy = { kind: "drawer_opened", occurred_at: now(), cashier_id: luz };
  expect(await till.put("counter_act", decoy, { id: guessed })).toMatchObject({ status: "applied" });
  for (const notes of ["uno", "dos"])
    await till.put("sale", { ...upload(sale), notes }, { id: sale.id, ...({ cashier_id: ana } as object) });
  const unallowed = async () => (await actsOf(accountId)).filter(({ is_allowed }) => !is_allowed);
  expect(await unallowed()).toMatchObject([{ kind: "discount", cashier: "Ana", sale_id: sale.id }]);

  const id = randomUUID();
  const harmless = { kind: "ticket_dropped", occurred_at: now(), cashier_id: ana, amount: 1_000 };
  const hidden = { kind: "expected_cash_seen", occurred_at: now(), cashier_id: ana };
  await till.put("counter_act", harmless, { id });
  for (let i = 0; i < 2; i++)
    expect(await till.put("counter_act", hidden, { id })).toMatchObject({ status: "applied" });
  expect(await till.put("counter_act", harmless, { id })).toMatchObject({ status: "duplicate" });
  const kinds = (await actsOf(accountId)).map(({ kind }) => kind).sort();
  expect(kinds).toEqual(["discount", "drawer_opened", "expected_cash_seen", "ticket_dropped"]);
  expect((await unallowed()).map(({ kind }) => kind).sort()).toEqual(["discount", "expected_cash_seen"]);
  expect((await flagsOf(accountId, id)).map(({ field }) => field).sort()).toEqual(["id", "rights.expected_cash"]);
});

test("an act is stored once, with who did it and who allowed it, in its own account alone", async () => {
  const { accountId, ana, luz, till } = await counterOf();
  const id = randomUUID();
  const data = {
    ...{
      kind: "line_removed",
      occurred_at: "2026-11-18T15:00:00.000Z",
      cashier_id: ana.toUpperCase(),
      authorized_by: luz,
    },
    ...{ sale_id: null, label: "Mesa 4", amount: 5_000, detail: "2 × Pan", shift_id: randomUUID() },
  };
  expect(await till.put("counter_act", data, { id })).toMatchObject({ status: "applied" });
  expect(await till.put("counter_act", data, { id })).toMatchObject({ status: "duplicate" });
  expect(await actsOf(accountId)).toMatchObject([
    ...[{ id, kind: "line_removed", cashier: "Ana", authorized_by: "Luz", label: "Mesa 4", amount: 5_000 }],
  ]);
  expect(await flagsOf(accountId, id)).toEqual([]);
  const stranger = await counterOf();
  expect(await stranger.till.put("counter_act", { ...data, label: "Ajena" }, { id })).toMatchObject({
    status: "applied",
  });
  // Names of another account are nobody's here.
  expect(await actsOf(stranger.accountId)).toMatchObject([{ label: "Ajena", cashier: null, authorized_by: null }]);
  expect(await actsOf(accountId)).toHaveLength(1);
});

test("odd acts are applied and flagged, what cannot be read is kept aside, and nothing stops the sales behind it", async () => {
  const { accountId, till } = await counterOf();
  const sale = plainSale(now(), 1_000);
  const [odd, long] = [randomUUID(), randomUUID()];
  const { body } = await till.push([
    { type: "counter_act", id: odd, data: { kind: "dance", occurred_at: now() } },
    {
      type: "counter_act",
      id: long,
      data: { kind: "ticket_dropped", occurred_at: now(), detail: "x\u0000".repeat(9_000) },
    },
    { type: "counter_act", data: { kind: "discount", occurred_at: "ayer" } },
    { type: "counter_act", data: { kind: "discount", occurred_at: now(), cashier_id: "Ana", amount: 1e300 } },
    { type: "counter_act", data: { kind: { $gt: "" }, occurred_at: now() } },
    { type: "counter_act", op: "delete", data: {} },
    { type: "sale", id: sale.id, data: upload(sale) },
  ]);
  const statuses = body.results.map(({ status }: { status: string }) => status);
  expect(statuses).toEqual(["applied", "applied", ...Array(4).fill("quarantined"), "applied"]);
  const stored = await actsOf(accountId);
  expect(stored.map(({ kind }) => kind).sort()).toEqual(["other", "ticket_dropped"]);
  expect(stored.find(({ id }) => id === long)!.detail!.length).toBeLessThanOrEqual(500);
  expect(await flagsOf(accountId, odd)).toMatchObject([{ field: "kind" }]);
});

test("a register that did not announce it sets it aside, and the service says that it takes it", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const answer = await till.put("counter_act", { kind: "drawer_opened", occurred_at: now() });
  expect(answer).toMatchObject({ status: "quarantined", code: "CAPABILITY_MISSING" });
  expect((await till.pull()).headers.get("register-accepts")).toContain("counter_act.1");
});

test("a discount, a cancellation, a return, cash and stock without the right are applied, flagged, and told once", async () => {
  const { accountId, ana, luz, till } = await counterOf();
  const beside = (right: Right, authorized_by: string | null = null) =>
    ({ cashier_id: ana, acts: [{ right, cashier_id: ana, authorized_by }] }) as object;
  const [cheap, allowed, both] = [0, 1, 2].map(() => plainSale(now(), 10_000, { discount: 500, total: 9_500 }));
  const put = (sale: object & { id: string }, more: object, changes: object = {}) =>
    till.put("sale", { ...upload(sale), ...changes }, { id: sale.id, edited_at: now(), ...more });
  expect(await put(cheap!, { cashier_id: ana })).toMatchObject({ status: "applied" });
  await put(allowed!, beside("discount", luz));
  await put(both!, beside("discount", ana));
  const rightsIn = async (id: string) =>
    (await flagsOf(accountId, id)).filter(({ field }) => field.startsWith("rights."));
  expect(await rightsIn(cheap!.id)).toMatchObject([
    { field: "rights.discount", message: "Ana no podía hacer descuentos y nadie lo autorizó." },
  ]);
  expect(await rightsIn(allowed!.id)).toEqual([]);
  expect(await rightsIn(both!.id)).toMatchObject([{ message: "Ana no podía hacer descuentos y Ana tampoco." }]);
  // The supervisor cancels what Ana sold: she is not blamed for it.
  const plain = plainSale(now(), 3_000);
  await put(plain, { cashier_id: ana });
  await put(plain, { cashier_id: ana, acts: [{ right: "cancel", cashier_id: luz }] }, { status: "cancelled" });
  expect(await rightsIn(plain.id)).toEqual([]);
  const wrong = plainSale(now(), 3_000);
  await put(wrong, { cashier_id: ana });
  await put(wrong, { ...beside("cancel") }, { status: "cancelled" });
  expect(await rightsIn(wrong.id)).toMatchObject([{ field: "rights.cancel" }]);
  const returnId = randomUUID();
  const back = {
    ...{ sale_id: allowed!.id, lines: [{ item_id: allowed!.items[0]!.id, quantity: 1 }] },
    ...{ payment_method: "CASH", total: 9_500, occurred_at: now() },
  };
  expect(await till.put("return", back, { id: returnId, ...beside("return") })).toMatchObject({ status: "applied" });
  expect(await rightsIn(returnId)).toMatchObject([{ field: "rights.return" }]);
  const shift = { status: "open", opened_at: now(), register_name: "Caja 1", opening_amount: 0 };
  const moved = { id: randomUUID(), type: "out", amount: 7_000, occurred_at: now(), cashier_id: ana };
  const sessionId = randomUUID();
  const sums = { cash_out: 7_000, expected_amount: -7_000 };
  for (const notes of ["uno", "dos"])
    await till.put("cash_session", { ...shift, ...sums, notes, movements: [moved] }, { id: sessionId });
  expect(await rightsIn(sessionId)).toMatchObject([{ field: "rights.cash" }]);
  const movementId = randomUUID();
  const count = { product_id: randomUUID(), type: "adjustment", quantity: 3 };
  expect(await till.put("stock_movement", count, { id: movementId, ...beside("stock") })).toMatchObject({
    status: "parked",
  });
  expect(await rightsIn(movementId)).toMatchObject([{ field: "rights.stock" }]);
  const told = (await actsOf(accountId)).filter(({ is_allowed }) => !is_allowed);
  expect(told.map(({ kind }) => kind).sort()).toEqual([
    "cash_moved",
    "discount",
    // Whoever is said to have allowed it may not either.
    "discount",
    "sale_cancelled",
    "sale_returned",
    "stock_moved",
  ]);
  const discounts = [cheap!.id, both!.id].map((sale_id) => told.find((one) => one.sale_id === sale_id));
  expect(discounts).toMatchObject([cheap!.id, both!.id].map((sale_id) => ({ cashier: "Ana", sale_id, amount: 500 })));
});

test("a right that was taken away later blames nobody for what came before, and one taken away before does", async () => {
  const { accountId, ana, till } = await counterOf(["discount"]);
  const earlier = plainSale(new Date(Date.now() - 60_000).toISOString(), 10_000, { discount: 500, total: 9_500 });
  await updateCashier(service.deps, accountId, ana, { permissions: [] }, theOperator);
  await till.put("sale", upload(earlier), { id: earlier.id, ...({ cashier_id: ana } as object) });
  expect((await flagsOf(accountId, earlier.id)).filter(({ field }) => field.startsWith("rights."))).toEqual([]);
  const later = plainSale(new Date(Date.now() + 5_000).toISOString(), 10_000, { discount: 500, total: 9_500 });
  await till.put("sale", upload(later), { id: later.id, ...({ cashier_id: ana } as object) });
  expect(await flagsOf(accountId, later.id)).toMatchObject([{ field: "rights.discount" }]);
});

test("whoever was retired allows nothing any more", async () => {
  const { accountId, ana, luz, till } = await counterOf();
  await retireCashier(service.deps, accountId, luz, theOperator);
  const later = plainSale(new Date(Date.now() + 5_000).toISOString(), 10_000, { discount: 500, total: 9_500 });
  const acts = [{ right: "discount", cashier_id: ana, authorized_by: luz }];
  await till.put("sale", upload(later), { id: later.id, ...({ cashier_id: ana, acts } as object) });
  expect(await flagsOf(accountId, later.id)).toMatchObject([{ field: "rights.discount" }]);
});

test("a negative part of a payment is reported and left out", async () => {
  const { accountId, till } = await counterOf();
  const sale = plainSale(now(), 10_000);
  const payments = [
    { payment_method: "CASH", amount: -5_000 },
    { payment_method: "CARD", amount: 15_000 },
  ];
  await till.put("sale", upload(sale), { id: sale.id, ...({ payments } as object) });
  expect(await flagsOf(accountId, sale.id)).toMatchObject([{ field: "payments" }]);
});

test("what cannot be read beside a record is reported, and a person of another business is nobody to blame", async () => {
  const { accountId, till } = await counterOf();
  const { ana: foreign } = await counterOf();
  for (const acts of ["mucho", [{ right: "discount" }], Array(50).fill({ right: "discount", cashier_id: foreign })]) {
    const sale = plainSale(now(), 10_000);
    await till.put("sale", upload(sale), { id: sale.id, ...({ acts } as object) });
    expect(await flagsOf(accountId, sale.id)).toMatchObject([{ field: "payments" }]);
  }
  const sale = plainSale(now(), 10_000, { discount: 500, total: 9_500 });
  await till.put("sale", upload(sale), { id: sale.id, ...({ cashier_id: foreign } as object) });
  expect((await flagsOf(accountId, sale.id)).filter(({ field }) => field.startsWith("rights."))).toEqual([]);
});

test("a register tells of what was thrown away and of what was allowed, in the order it happened, offline or not", async () => {
  const { accountId, ana, luz } = await counterOf();
  const desk = await open("IndexedDB", service, accountId);
  const { counter } = desk;
  expect(await counter.signIn(ana, "4821")).toBe(true);
  await counter.openShift(0);
  const supervisor = counter.state().cashiers.find(({ id }) => id === luz);
  const saleId = await sell(desk, 5_000);
  const [sale] = await counter.salesOf(counter.state().shift!.id);
  await counter.cancel(sale!, { right: "cancel", by: supervisor });
  await counter.moveCash("out", 2_000, "Hielo", { right: "cash", by: supervisor });
  counter.edit((ticket) => ({
    ...ticket,
    table_label: "Mesa 1",
    lines: sale!.data.items.map((item) => line(item.id)),
  }));
  counter.beginTicket();
  counter.select(counter.state().tickets[0]!.id);
  counter.drop(counter.state().current.id, { right: "remove_kept", by: supervisor });
  await uploadAll(desk);
  const stored = (await actsOf(accountId)).map(({ kind, cashier, authorized_by, sale_id, is_allowed, amount }) => [
    ...[kind, cashier, authorized_by, sale_id, is_allowed, amount],
  ]);
  expect(stored).toEqual(
    expect.arrayContaining([
      ["sale_cancelled", "Ana", "Luz", saleId, true, 5_000],
      ["cash_moved", "Ana", "Luz", null, true, -2_000],
      ["ticket_dropped", "Ana", "Luz", null, true, 1_000],
    ]),
  );
  // The free line she sold was hers alone.
  expect(stored.filter(([, , , , isAllowed]) => !isAllowed)).toMatchObject([
    ["free_line", "Ana", null, saleId, false, null],
  ]);
  desk.store.close();
});

const line = (id: string) => ({
  ...{ id, product_id: randomUUID(), variant_id: null, description: "Pan", quantity: 1, price: 1_000 },
  ...{ discount_percent: 0, tax_class: "standard", sold_by_weight: false, has_stock: false },
});

test("people of before with one PIN go on, and the owner is told once who they are", async () => {
  const { accountId, ana, luz } = await counterOf();
  const desk = await open("IndexedDB", service, accountId);
  const { counter } = desk;
  const shared = async () => {
    await uploadAll(desk);
    return (await actsOf(accountId)).map(({ kind, cashier, detail }) => ({ kind, cashier, detail }));
  };
  for (const who of [ana, ana]) expect(await counter.signIn(who, "4821")).toBe(true);
  const told = { kind: "pin_shared", cashier: "Ana", detail: "El mismo PIN que Luz" };
  await expect.poll(shared).toEqual([told]);
  expect(await counter.confirm(luz, "4821")).toBe(true);
  await expect.poll(shared).toContainEqual({ kind: "pin_shared", cashier: "Luz", detail: "El mismo PIN que Ana" });
  expect(await readToldActs(service.deps.pool, accountId, { now: new Date(), limit: 10 })).toMatchObject({
    sharedPins: 2,
    wrongPins: 0,
  });
});

test("where the service does not take acts the register sells on and sends none", async () => {
  const { accountId, ana, luz } = await counterOf();
  const desk = await open("files", service, accountId);
  const around = { now: () => new Date(), newId: () => randomUUID() };
  const { store, register } = desk;
  const counter = await openCounter({ store, register, registerName: () => "Caja", ...around });
  await counter.signIn(ana, "4821");
  await counter.openShift(0);
  const by = counter.state().cashiers.find(({ id }) => id === luz);
  counter.edit((ticket) => ({ ...ticket, lines: [line(randomUUID())] }), [{ right: "discount", by }]);
  const before = register.pending();
  counter.drop(counter.state().current.id);
  await counter.note({ kind: "drawer_opened" });
  expect([register.pending(), counter.state().tickets]).toEqual([before, []]);
  const sold = await sell({ counter }, 5_000);
  await uploadAll(desk);
  const { rows } = await service.deps.pool.query(sql`select count(*)::int as count from sales where id = ${sold}`);
  expect(rows[0].count).toBe(1);
  store.close();
});

test("acts are forgotten after more than a year", async () => {
  const { accountId, till } = await counterOf();
  await till.put("counter_act", { kind: "drawer_opened", occurred_at: now() });
  const after = (days: number) => new Date(service.deps.clock.now().getTime() + days * day);
  await forgetActs(service.deps.pool, after(keptDays - 1));
  expect(await actsOf(accountId)).toHaveLength(1);
  await forgetActs(service.deps.pool, after(keptDays + 1));
  expect(await actsOf(accountId)).toEqual([]);
});
