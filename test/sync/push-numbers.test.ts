import { expect, test } from "vitest";
import { enrol } from "../support/register.ts";
import { registerPerTest, sale } from "../support/registered-shop.ts";

const { eventTypes, rows, service, shop, till } = registerPerTest();

test("a push answers with the last sequence number it acknowledged", async () => {
  const answer = await till.push([
    { type: "sale", data: sale() },
    { type: "sale", data: sale() },
  ]);
  expect(answer.body).toMatchObject({ acked_seq: 2, epoch: expect.any(String), server_time: expect.any(String) });
  expect(answer.body.results.map((one: { device_seq: number }) => one.device_seq)).toEqual([1, 2]);
});

test("a repeated push is a duplicate and emits nothing, whatever the order of its keys", async () => {
  const data = sale();
  const first = await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  till.next = 1;
  const again = await till.push([
    {
      data: Object.fromEntries(Object.entries(data).reverse()),
      id: data.id,
      type: "sale",
      edited_at: null,
      base_seq: 9,
    },
  ]);
  expect(again.body.results).toMatchObject([{ device_seq: 1, status: "duplicate" }]);
  expect(again.body.acked_seq).toBe(first.body.acked_seq);
  expect(await eventTypes()).toEqual(["sale.created", "sale.completed"]);
});

test("a retry that also brings new records stores only the new ones", async () => {
  const [a, b] = [sale(), sale()];
  await till.push([{ type: "sale", id: a.id, data: a, edited_at: null }]);
  till.next = 1;
  const { body } = await till.push([
    { type: "sale", id: a.id, data: a, edited_at: null },
    { type: "sale", id: b.id, data: b, edited_at: null },
  ]);
  expect(body.results.map((one: { status: string }) => one.status)).toEqual(["duplicate", "applied"]);
  expect(await eventTypes()).toHaveLength(4);
});

test("a retry after the event log's thirty days still emits nothing", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await service.deps.pool.query("delete from events where account_id = $1", [shop.accountId]);
  till.next = 1;
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  const fresh = await enrol(service, shop.accountId);
  expect(await fresh.put("sale", data)).toMatchObject({ status: "duplicate" });
  expect(await eventTypes()).toEqual([]);
});

test("a sequence number reused with other content is a fork, and nothing is stored", async () => {
  await till.put("sale", sale());
  till.next = 1;
  const data = sale();
  const answer = await till.push([{ type: "sale", id: data.id, data }]);
  expect([answer.status, answer.body.error.code]).toEqual([409, "DEVICE_FORKED"]);
  expect((await shop.api.get(`/sales/${data.id}`)).status).toBe(404);
});

test("a skipped sequence number is a gap, and the error names the expected one", async () => {
  await till.put("sale", sale());
  till.next = 5;
  const answer = await till.push([{ type: "sale", data: sale() }]);
  expect([answer.status, answer.body.error.code, answer.body.error.expected]).toEqual([409, "DEVICE_SEQ_GAP", 2]);
});

test("a register restored from a backup enrols again, and what it pushes again are duplicates", async () => {
  const [known, lost, open] = [sale(), sale(), sale({ status: "open" })];
  await till.push([known, open, lost].map((data) => ({ type: "sale", id: data.id, data })));
  // The backup is older than `lost`, so its number now belongs to another sale.
  till.next = 3;
  const newer = sale();
  expect((await till.push([{ type: "sale", id: newer.id, data: newer }])).body.error.code).toBe("DEVICE_FORKED");

  const renewed = await enrol(service, shop.accountId);
  const all = [known, open, newer].map((data) => ({ type: "sale", id: data.id, data }));
  const again = await renewed.push(all);
  expect(again.body.results.map((one: { status: string }) => one.status)).toEqual([
    "duplicate",
    "duplicate",
    "applied",
  ]);
  const completed = await renewed.put("sale", { ...open, status: "completed" });
  expect(completed.status).toBe("applied");
  expect((await shop.api.get(`/sales/${open.id}`)).body.status).toBe("completed");
  expect(await eventTypes()).toEqual([
    ...["sale.created", "sale.completed", "sale.created", "sale.created", "sale.completed"],
    ...["sale.created", "sale.completed", "sale.updated", "sale.completed"],
  ]);
});

test("a push that changes nothing leaves the account's clock where it was", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  const clock = () => rows("select seq, ts from account_clock where account_id = $1");
  const before = await clock();
  till.next = 1;
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await till.push([]);
  expect(await clock()).toEqual(before);
});

test("registers that push at the same time each get a seq of their own, and none is skipped", async () => {
  const tills = await Promise.all(Array.from({ length: 4 }, () => enrol(service, shop.accountId)));
  await Promise.all(
    tills.map(async (one) => {
      for (let i = 0; i < 10; i++) await one.put("sale", sale());
    }),
  );
  const [{ seq }] = await rows("select seq from account_clock where account_id = $1");
  const seqs = await rows("select distinct seq from sales where account_id = $1 order by seq");
  expect(seqs.map((row) => row.seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(seq).toBe(40);
});

test("a sequence number whose receipt is gone counts as a fork, never as a duplicate", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await service.deps.pool.query("delete from push_receipts where account_id = $1", [shop.accountId]);
  await service.deps.pool.query("update device_progress set acked_seq = 0 where account_id = $1 and acked_seq < 0", [
    shop.accountId,
  ]);
  till.next = 1;
  const answer = await till.push([{ type: "sale", data: sale() }]);
  expect(answer.body.error.code).toBe("DEVICE_FORKED");
  await service.deps.pool.query("delete from device_progress where device_id = $1", [till.deviceId]);
});
