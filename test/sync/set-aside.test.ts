import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { tryDueRecords } from "../../src/api/sync/set-aside/due.ts";
import { minute } from "../../src/lib/clock.ts";
import { newMetrics } from "../../src/lib/metrics.ts";
import { observeQueues } from "../../src/operations/start/observe-process.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { openAgain } from "../support/portal.ts";
import { saleBody } from "../support/records.ts";
import { refuseRecords } from "../support/refuse-records.ts";
import { enrol, type Record, upload } from "../support/register.ts";
import { registerPerTest, sale } from "../support/registered-shop.ts";

// A distributed table takes no trigger.
describe.skipIf(process.env.CITUS_URL)("what a fault of ours keeps from being stored", () => {
  const { rows, service, shop, till, eventTypes } = registerPerTest();
  const passed = { ms: 0 };
  let mend = async () => {};

  afterEach(async () => {
    await mend();
    mend = async () => {};
  });

  function later(ms: number): void {
    passed.ms += ms;
    service.deps.clock.shiftTo(passed.ms);
  }

  async function refuse(table: string, code: string, ids?: string[]): Promise<void> {
    const stop = await refuseRecords(service.deps.pool, table, code, ids);
    mend = async () => {
      mend = async () => {};
      await stop();
    };
  }

  /** The register tries the same push again and again, as registers do. */
  async function pushUntilTaken(records: Record[], tries: number, everyMs: number) {
    const seq = till.next;
    const kept = records.map((record) => ({ edited_at: new Date().toISOString(), ...record }));
    const statuses: number[] = [];
    for (let i = 0; i < tries; i++) {
      till.next = seq;
      const answer = await till.push(kept);
      statuses.push(answer.status);
      if (answer.status === 200) return { statuses, answer };
      expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
      later(everyMs);
    }
    return { statuses, answer: undefined };
  }

  const sales = (ids: readonly string[]) => ids.map((id) => ({ type: "sale", id, data: sale({ id }) }));
  const isListed = async (id: string) => (await shop.api.get(`/sales/${id}`)).status === 200;
  const aside = () =>
    rows("select device_seq, state, tries from quarantined_records where account_id = $1 order by device_seq");

  test("one sale that goes on failing lets the others pass after a minute, is told, and comes back by itself", async () => {
    const [first, victim, behind] = [randomUUID(), randomUUID(), randomUUID()];
    await refuse("sales", "42703", [victim]);
    const { statuses, answer } = await pushUntilTaken(sales([first, victim, behind]), 20, 20_000);
    expect(statuses).toEqual([503, 503, 503, 200]);
    expect(answer?.body.results.map((one: { status: string }) => one.status)).toEqual([
      "duplicate",
      "quarantined",
      "applied",
    ]);
    expect(answer?.body.results[1].code).toBe("SERVER_FAULT");
    expect([await isListed(first), await isListed(victim), await isListed(behind)]).toEqual([true, false, true]);
    expect(await aside()).toEqual([{ device_seq: 2, state: "waiting", tries: 0 }]);

    const owner = await openAgain(service, shop, "");
    const concerns = (await owner.get("/attention")).body.data as { kind: string }[];
    expect(concerns.find(({ kind }) => kind === "records_waiting")).toMatchObject({ count: 1 });
    const [device] = (await owner.get("/devices")).body.data;
    expect(device).toMatchObject({ quarantined: 1, waiting: 1 });
    const metrics = newMetrics();
    observeQueues(metrics, service.deps);
    expect(await metrics.render()).toContain('mostrador_set_aside_records{state="waiting"} 1');
    const report = await verify(service.deps.pool);
    expect(report.problems).toEqual([expect.stringContaining(`caja ${till.deviceId}, envío 2`)]);
    expect(report.set_aside).toEqual({ waiting: 1, refused: 0 });

    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toEqual({ stored: 0, refused: 0, waiting: 1 });
    expect(await aside()).toEqual([{ device_seq: 2, state: "waiting", tries: 1 }]);
    await mend();
    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toEqual({ stored: 1, refused: 0, waiting: 0 });
    expect([await isListed(victim), await aside()]).toEqual([true, []]);
    const created = (await eventTypes()).filter((type) => type === "sale.created");
    expect(created).toHaveLength(3);
    expect((await verify(service.deps.pool)).problems).toEqual([]);
  });

  test("a fault that concerns every sale sets none aside, however long it lasts", async () => {
    const ids = Array.from({ length: 30 }, () => randomUUID());
    await refuse("sales", "42501");
    const { statuses } = await pushUntilTaken(sales(ids), 12, 20 * minute);
    expect(statuses).toEqual(Array(12).fill(503));
    expect(await aside()).toEqual([]);
    await mend();
    till.next = 1;
    expect((await till.push(sales(ids))).status).toBe(200);
    expect((await shop.api.get("/sales?limit=100")).body.data).toHaveLength(30);
  });

  test("a fault of one table is waited for ten minutes before a record of another kind may pass", async () => {
    const [victim, buyer] = [randomUUID(), randomUUID()];
    await refuse("sales", "42P01");
    const records = [...sales([victim]), { type: "customer", id: buyer, data: { name: "Ana" } }];
    const { statuses } = await pushUntilTaken(records, 30, minute);
    expect(statuses).toEqual([...Array(10).fill(503), 200]);
    expect((await shop.api.get(`/customers/${buyer}`)).status).toBe(200);
    await mend();
    later(2 * minute);
    await tryDueRecords(service.deps);
    expect(await isListed(victim)).toBe(true);
  });

  test("a lone sale stays with its register until another follows it", async () => {
    const [victim, behind] = [randomUUID(), randomUUID()];
    await refuse("sales", "XX000", [victim]);
    expect((await pushUntilTaken(sales([victim]), 10, 10 * minute)).answer).toBeUndefined();
    expect(await aside()).toEqual([]);
    till.next = 1;
    const { body } = await till.push(sales([victim, behind]));
    expect(body.results.map((one: { status: string }) => one.status)).toEqual(["quarantined", "applied"]);
    await mend();
    const owner = await openAgain(service, shop, "");
    const { body: tried } = await owner.post(`/devices/${till.deviceId}/quarantined/retry`, {});
    expect(tried).toEqual({ stored: 1, refused: 0, waiting: 0 });
    const log = (await owner.get("/audit-log")).body.data as { action: string }[];
    expect(log.map(({ action }) => action)).toContain("records.retried");
  });

  test("several that fail one after another are passed together", async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    await refuse("sales", "P0001", ids.slice(1, 4));
    const { answer } = await pushUntilTaken(sales(ids), 10, minute);
    expect(answer?.body.results.map((one: { status: string }) => one.status)).toEqual([
      "duplicate",
      ...Array(3).fill("quarantined"),
      ...Array(2).fill("applied"),
    ]);
    await mend();
    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toMatchObject({ stored: 3 });
  });

  test("what comes back does not undo a later version, and comes back for a withdrawn register too", async () => {
    const [victim, other] = [randomUUID(), randomUUID()];
    const open = { ...upload(saleBody(new Date().toISOString(), { id: victim, status: "open" })), notes: "mesa 4" };
    await refuse("sales", "42703", [victim]);
    const first = { type: "sale", id: victim, data: open };
    const movement = { type: "stock_movement", id: other, data: { product_id: randomUUID(), type: "in", quantity: 2 } };
    expect((await pushUntilTaken([first, movement, ...sales([randomUUID()])], 10, 6 * minute)).answer).toBeDefined();
    await mend();
    await till.put("sale", { ...open, status: "completed", notes: "pagada" });
    const owner = await openAgain(service, shop, "");
    await owner.delete(`/devices/${till.deviceId}`);
    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toMatchObject({ stored: 1 });
    expect((await shop.api.get(`/sales/${victim}`)).body).toMatchObject({ status: "completed", notes: "pagada" });
  });

  test("what an earlier version set aside by its own fault is stored at the first start of this one, once", async () => {
    const data = sale();
    const raw = JSON.stringify({ device_seq: 7, type: "sale", id: data.id, op: "upsert", edited_at: null, data });
    const second = await enrol(service, shop.accountId, { name: "Caja 2" });
    await service.deps.pool.query(
      `insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw)
       values ($1, $2, 7, now(), 'sale', $3, 'no se pudo guardar: permission denied for table sales', $4)`,
      [shop.accountId, second.deviceId, data.id, raw],
    );
    const tried = await Promise.all([tryDueRecords(service.deps), tryDueRecords(service.deps)]);
    expect(tried.map(({ waiting, refused }) => waiting + refused)).toEqual([0, 0]);
    expect(tried[0]!.stored + tried[1]!.stored).toBe(1);
    expect(await isListed(data.id)).toBe(true);
    expect((await eventTypes()).filter((type) => type === "sale.created")).toHaveLength(1);
    expect(await aside()).toEqual([]);
  });

  test("an edit without a time of its own that comes back does not overwrite what was edited since", async () => {
    const id = randomUUID();
    await till.put("product", { id, name: "Pan", base_price: 500 });
    const raw = JSON.stringify({
      device_seq: 9,
      type: "product",
      id,
      op: "upsert",
      changed: ["name"],
      data: { name: "Viejo" },
    });
    await service.deps.pool.query(
      `insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw, state)
       values ($1, $2, 9, $5, 'product', $3, 'fallo', $4, 'waiting')`,
      [shop.accountId, till.deviceId, id, raw, service.deps.clock.now()],
    );
    later(minute);
    expect((await shop.api.patch(`/products/${id}`, { name: "Nuevo" })).status).toBe(200);
    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toMatchObject({ stored: 1 });
    expect((await shop.api.get(`/products/${id}`)).body.name).toBe("Nuevo");
  });

  test("an account that cannot be written keeps no other from being tried", async () => {
    const other = await service.business();
    const otherTill = await enrol(service, other.accountId);
    const ids = [randomUUID(), randomUUID()];
    for (const [i, [accountId, deviceId]] of [
      [shop.accountId, till.deviceId],
      [other.accountId, otherTill.deviceId],
    ].entries()) {
      const id = ids[i]!;
      const raw = JSON.stringify({
        device_seq: 1,
        type: "sale",
        id,
        op: "upsert",
        edited_at: null,
        data: sale({ id }),
      });
      await service.deps.pool.query(
        `insert into quarantined_records (account_id, device_id, device_seq, received_at, type, record_id, reason, raw, state)
         values ($1, $2, 1, now(), 'sale', $3, 'fallo', $4, 'waiting')`,
        [accountId, deviceId, id, raw],
      );
    }
    const holder = await service.deps.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("select from account_clock where account_id = $1 for update", [shop.accountId]);
      await expect(tryDueRecords(service.deps)).rejects.toThrow("lock timeout");
      expect((await other.api.get(`/sales/${ids[1]}`)).status).toBe(200);
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    await tryDueRecords(service.deps);
    expect(await isListed(ids[0]!)).toBe(true);
  });

  test("what cannot be read is not tried again by the version that could not read it", async () => {
    await till.push([{ type: "sale", data: { total: "x" } }]);
    expect(await aside()).toEqual([{ device_seq: 1, state: "refused", tries: 0 }]);
    later(2 * minute);
    expect(await tryDueRecords(service.deps)).toEqual({ stored: 0, refused: 0, waiting: 0 });
    const owner = await openAgain(service, shop, "");
    expect((await owner.post(`/devices/${till.deviceId}/quarantined/retry`, {})).body).toMatchObject({ refused: 1 });
    expect((await owner.post(`/devices/${randomUUID()}/quarantined/retry`, {})).status).toBe(404);
  });
});
