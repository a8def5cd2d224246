import { describe, expect, test } from "vitest";
import { openCounter } from "../../register/counter.ts";
import { type Fetch, Refusal } from "../../register/protocol.ts";
import { openRegister } from "../../register/register.ts";
import { planOf } from "../../register/returning.ts";
import { expectedCash } from "../../register/shift.ts";
import { type SyncStatus, synchronize } from "../../register/synchronize.ts";
import { freeLine, withLine } from "../../register/ticket.ts";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { setCounterSettings } from "../../src/business/counter/business-info.ts";
import { sql } from "../../src/db/sql.ts";
import { desks, enrolled, sell, storeKinds, upload } from "../support/desk.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { sharedService, verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { randomTickets } from "../support/random-tickets.ts";
import { ringUpTicket } from "../support/ring-up.ts";
import type { Service } from "../support/service.ts";

const service = verifiedService();
/** Its database is put back by hand, which `verify` would rightly complain about. */
const restored = sharedService();
const { open } = desks();

async function salesOf(
  accountId: string,
  on: Service = service,
): Promise<Map<string, { total: number; tax: number; payments: object[] }>> {
  const { rows } = await on.deps.pool.query(sql`
    select id, body, payments from sales where account_id = ${accountId}`);
  return new Map(rows.map((row) => [row.id, { ...JSON.parse(row.body), payments: JSON.parse(row.payments) }]));
}

async function flaggedIn(accountId: string): Promise<unknown[]> {
  const { rows } = await service.deps.pool.query(sql`
    select type, findings from flagged_records where account_id = ${accountId}`);
  return rows;
}

describe.each(storeKinds)("a counter over %s", (kind) => {
  test("sells whatever is asked, and the server finds nothing odd in it", async () => {
    const { accountId } = await service.business();
    await setCounterSettings(service.deps, accountId, {
      ticket_header: null,
      ticket_footer: null,
      color: null,
      cash_rounding: 50,
      tip_percent: 10,
      blind_count: false,
    });
    const desk = await open(kind, service, accountId);
    const { counter } = desk;
    expect(counter.state().business).toMatchObject({ name: "Tienda de prueba", cash_rounding: 50 });
    await counter.openShift(100_000);
    const samples = randomTickets(process.env.LONG ? 2_000 : 60);
    const totals = new Map<string, number>();
    for (const ticket of samples) {
      const { id, data } = await ringUpTicket(counter, ticket);
      totals.set(id, data.total);
    }
    await counter.moveCash("out", 20_000, "Hielo");
    const closed = await counter.closeShift(500_000);
    await upload(desk);
    const stored = await salesOf(accountId);
    expect(new Map([...stored].map(([id, { total }]) => [id, total]))).toEqual(totals);
    expect(await flaggedIn(accountId)).toEqual([]);
    const { rows } = await service.deps.pool.query(sql`select body from cash_sessions where account_id = ${accountId}`);
    const session = JSON.parse(rows[0].body);
    expect(session).toMatchObject({ status: "closed", sales_count: samples.length, counted_amount: 500_000 });
    expect(session.sales_total).toBe([...totals.values()].reduce((sum, total) => sum + total, 0));
    expect(session.payments).toEqual(closed.payments);
    desk.store.close();
  });

  test("uploads again what a restored server lost, without anything new to sell", async () => {
    const { accountId } = await restored.business();
    const desk = await open(kind, restored, accountId);
    await desk.counter.openShift(0);
    const ids = [await sell(desk, 1000), await sell(desk, 2000), await sell(desk, 3000)];
    await upload(desk);
    await restored.deps.pool.query(sql`delete from sales where account_id = ${accountId} and id = ${ids[2]!}`);
    // The last sale, and its shift after it.
    await restored.deps.pool.query(sql`
      update device_progress set acked_seq = acked_seq - 2 where account_id = ${accountId}`);
    const { rows } = await restored.deps.pool.query<{ epoch: string }>(
      "update installation set epoch = gen_random_uuid() returning epoch",
    );
    expect(rows).toHaveLength(1);
    while (await desk.register.pull(0));
    expect(desk.register.pending()).toBeGreaterThan(0);
    await upload(desk);
    expect([...(await salesOf(accountId, restored)).keys()].sort()).toEqual(ids.toSorted());
    desk.store.close();
  });

  test("keeps what is unsent when it is revoked, and uploads it once it is linked again", async () => {
    const { accountId } = await service.business();
    const desk = await open(kind, service, accountId);
    await desk.counter.openShift(0);
    const first = await sell(desk, 1000);
    await upload(desk);
    const second = await sell(desk, 2000);
    const { device_id } = desk.register.identity();
    await revokeDevice(service.deps, { accountId, deviceId: device_id }, theOperator);
    service.deps.access.clear();
    await expect(desk.register.push()).rejects.toThrow("DEVICE_REVOKED");
    expect(desk.register.pending(), "the sale and its shift").toBe(2);
    await desk.register.relink((await enrolled(service, accountId)).identity);
    const third = await sell(desk, 3000);
    await upload(desk);
    expect([...(await salesOf(accountId)).keys()].sort()).toEqual([first, second, third].sort());
    expect(await flaggedIn(accountId)).toEqual([]);
    const { rows } = await service.deps.pool.query(sql`select type from conflicts where account_id = ${accountId}`);
    expect(rows, "no former version of the shift looks like an edit that lost").toEqual([]);
    desk.store.close();
  });

  test("opens as it was left: the shift, the open tickets, the sales and their numbers", async () => {
    const { accountId } = await service.business();
    const desk = await open(kind, service, accountId);
    await desk.counter.openShift(50_000);
    await sell(desk, 1000);
    desk.counter.edit((ticket) => ({
      ...withLine(ticket, freeLine("a", "Café", 4000, "standard")),
      table_label: "Mesa 3",
    }));
    desk.counter.beginTicket();
    desk.counter.edit((ticket) => withLine(ticket, freeLine("b", "Pan", 900, "exempt")));
    await desk.store.commit({});
    const { client } = await enrolled(service, accountId);
    const now = () => new Date();
    const register = await openRegister({ store: desk.store, client, now });
    const again = await openCounter({
      store: desk.store,
      register,
      registerName: () => "Caja",
      now,
      newId: () => crypto.randomUUID(),
    });
    expect(again.state().shift).toMatchObject({ opening_amount: 50_000, sales_count: 1, last_number: 1 });
    expect(again.state().tickets.map(({ table_label, lines }) => [table_label, lines[0]!.description])).toEqual([
      ["Mesa 3", "Café"],
      [null, "Pan"],
    ]);
    expect(await again.salesOf(again.state().shift!.id)).toMatchObject([{ number: 1, data: { total: 1000 } }]);
    desk.store.close();
  });
});

test("a cursor that expired hides nothing that is not uploaded yet", async () => {
  const { accountId } = await restored.business();
  const desk = await open("IndexedDB", restored, accountId);
  const { catalog } = desk.register;
  const uploaded = await desk.counter.addCustomer({ name: "Eva" });
  await upload(desk);
  while (await desk.register.pull(0));
  const waiting = await desk.counter.addCustomer({ name: "Ana" });
  const known = () => catalog.all("customer").map(({ name }) => name);
  expect(known().sort()).toEqual(["Ana", "Eva"]);
  await restored.deps.pool.query("update installation set epoch = gen_random_uuid()");
  expect(await desk.register.pull(0)).toBe(true);
  expect(known()).toEqual(["Ana"]);
  expect((await desk.store.list<{ id: string }>("catalog")).map(({ id }) => id)).toEqual([waiting]);
  while (await desk.register.pull(0));
  await upload(desk);
  while (await desk.register.pull(0));
  expect(
    catalog
      .all("customer")
      .map(({ id }) => id)
      .sort(),
  ).toEqual([uploaded, waiting].sort());
  desk.store.close();
});

test("a cancelled sale gives back its stock and its money, and no other shift may cancel it", async () => {
  const { accountId } = await service.business();
  const desk = await open("IndexedDB", service, accountId);
  await desk.counter.openShift(10_000);
  await sell(desk, 5000);
  const shiftId = desk.counter.state().shift!.id;
  const [sale] = await desk.counter.salesOf(shiftId);
  await desk.counter.cancel(sale!);
  expect(desk.counter.state().shift).toMatchObject({ cash_sales: 0, sales_count: 0, payments: [] });
  const [cancelled] = await desk.counter.salesOf(shiftId);
  await expect(desk.counter.cancel(cancelled!)).rejects.toThrow();
  await upload(desk);
  expect([...(await salesOf(accountId)).values()]).toMatchObject([{ status: "cancelled", total: 5000 }]);
  await desk.counter.closeShift(10_000);
  await desk.counter.openShift(10_000);
  await expect(desk.counter.cancel(sale!)).rejects.toThrow();
  desk.store.close();
});

test("a return gives back what the server computes, to the peso, and the drawer still balances", async () => {
  const { accountId } = await fiscalBusiness(service);
  const desk = await open("IndexedDB", service, accountId);
  const { counter } = desk;
  await counter.openShift(100_000);
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  counter.edit((ticket) => ({
    ...withLine(
      withLine(ticket, { ...freeLine(one, "Camiseta", 33_333, "standard"), quantity: 3 }),
      freeLine(two, "Pan", 901, "exempt"),
    ),
    discount: { percent: 7 },
  }));
  const result = await counter.charge([]);
  if ("problem" in result) throw new Error(result.problem.kind);
  await upload(desk);
  await decideAll(service);
  let sale = await counter.takeBack(result.sale, [{ item_id: one, quantity: 1 }], "CASH", "Talla");
  sale = await counter.takeBack(sale, [{ item_id: one, quantity: 2 }], "CASH", "Color");
  expect(() => planOf(sale, [{ item_id: one, quantity: 1 }])).toThrow("ya se devolvió todo");
  await expect(counter.cancel(sale)).rejects.toThrow();
  const expected = expectedCash(counter.state().shift!);
  await counter.closeShift(expected);
  await upload(desk);
  expect(await flaggedIn(accountId)).toEqual([]);
  const { rows } = await service.deps.pool.query(sql`
    select r.body as return, c.body as session from returns r, cash_sessions c
    where r.account_id = ${accountId} and c.account_id = ${accountId} order by r.seq`);
  expect(rows.map((row) => JSON.parse(row.return).total)).toEqual(sale.returns!.map(({ total }) => total));
  expect(JSON.parse(rows[0].session)).toMatchObject({ expected_amount: expected, difference: 0 });
  desk.store.close();
});

test("a POS document becomes an invoice on request, and both come down to the ticket", async () => {
  const { accountId } = await fiscalBusiness(service);
  const desk = await open("IndexedDB", service, accountId);
  await desk.counter.openShift(0);
  const id = await sell(desk, 50_000);
  await upload(desk);
  await decideAll(service);
  const fields = {
    name: "Ferretería SAS",
    document_type: "NIT",
    document_number: "901234567-7",
    person_type: "company",
  };
  const customerId = await desk.counter.addCustomer(fields);
  const [sale] = await desk.counter.salesOf(desk.counter.state().shift!.id);
  await desk.counter.toInvoice(sale!, customerId);
  await upload(desk);
  await decideAll(service);
  await decideAll(service);
  while (await desk.register.pull(0));
  const documents = await desk.counter.documentsOf(id);
  expect(documents.map(({ document_type }) => document_type).sort()).toEqual([
    "electronic_invoice",
    "pos_adjustment_note",
    "pos_document",
  ]);
  expect(await flaggedIn(accountId)).toEqual([]);
  desk.store.close();
});

test("two taps on one button charge once", async () => {
  const { accountId } = await service.business();
  const desk = await open("IndexedDB", service, accountId);
  await desk.counter.openShift(0);
  desk.counter.edit((ticket) => withLine(ticket, freeLine("x".repeat(8), "Algo", 1000, "standard")));
  const results = await Promise.allSettled([desk.counter.charge([]), desk.counter.charge([])]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(desk.counter.state().shift).toMatchObject({ sales_count: 1, sales_total: 1000 });
  desk.store.close();
});

test("while the server says 503 the register waits as asked and counts; then everything goes up, however wrong its clock", async () => {
  const { accountId } = await service.business();
  let isAway = false;
  const flaky: Fetch = async (url, init) =>
    isAway
      ? new Response(JSON.stringify({ error: { code: "UNAVAILABLE", message: "" } }), {
          status: 503,
          headers: { "retry-after": "7" },
        })
      : fetch(url, init);
  const yesterday = () => new Date(Date.now() - 26 * 3_600_000);
  const desk = await open("IndexedDB", service, accountId, { fetchLike: flaky, now: yesterday });
  isAway = true;
  await desk.counter.openShift(0);
  const id = await sell(desk, 1000);
  const seen: SyncStatus[] = [];
  const waits: number[] = [];
  const sync = synchronize({
    register: desk.register,
    random: () => 0.5,
    onStatus: (status) => void seen.push(status),
    waitSeconds: 0,
    async delay(ms, stop) {
      waits.push(ms);
      if (waits.length === 6) isAway = false;
      // No time passes: only its measure is looked at.
      await new Promise((resolve) => setTimeout(resolve, stop.aborted ? 0 : 1));
    },
  });
  await expect.poll(() => desk.register.pending()).toBe(0);
  await expect.poll(() => sync.status().connection).toBe("online");
  sync.stop();
  expect(waits.slice(0, 6).every((ms) => ms >= 7_000)).toBe(true);
  expect(seen[0]).toMatchObject({ connection: "offline", waiting: 3 });
  expect([...(await salesOf(accountId)).keys()]).toEqual([id]);
  desk.store.close();
});

test("a response that is not the service's changes nothing", async () => {
  const { accountId } = await service.business();
  let isPortal = false;
  const hotel: Fetch = async (url, init) =>
    isPortal ? new Response("<html>Bienvenido al hotel</html>", { status: 200 }) : fetch(url, init);
  const desk = await open("IndexedDB", service, accountId, { fetchLike: hotel });
  await desk.counter.openShift(0);
  isPortal = true;
  await expect(desk.register.push()).rejects.toThrow(TypeError);
  await expect(desk.register.pull(0)).rejects.not.toBeInstanceOf(Refusal);
  expect(desk.register.pending()).toBe(1);
  desk.store.close();
});
