import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { registerPerTest, sale } from "../support/registered-shop.ts";

const { rows, shop, till } = registerPerTest();

test("malformed records in a batch of 200 are quarantined and delay none of the others", async () => {
  const records = Array.from({ length: 200 }, () => {
    const data = sale();
    return { type: "sale", id: data.id, data: data as object };
  });
  const poisons = [
    { type: "sale", data: "not an object" },
    { type: "sale", data: { ...sale(), total: "3200" } },
    { type: "sale", id: "no-uuid", data: sale() },
    { type: "spaceship", data: {} },
    { type: "sale", op: "destroy", data: sale() },
    { type: "warehouse", op: "delete", data: {} },
    { type: "sale", edited_at: [{ toString: null, valueOf: null }], data: sale() },
    { type: "product", data: { base_price: 100 } },
    { type: "stock_movement", data: { product_id: randomUUID(), type: "in", quantity: 1e300 } },
  ];
  for (const [i, poison] of poisons.entries()) records.splice(i * 18, 1, poison as never);
  const { status, body } = await till.push(records);
  expect(status).toBe(200);
  const statuses = body.results.map((one: { status: string }) => one.status);
  expect(statuses.filter((one: string) => one === "applied")).toHaveLength(191);
  expect(poisons.map((_, i) => statuses[i * 18])).toEqual(poisons.map(() => "quarantined"));
  expect(body.acked_seq).toBe(200);
  const kept = await rows("select raw, reason from quarantined_records where account_id = $1 order by device_seq");
  expect(kept).toHaveLength(9);
  expect(JSON.parse(kept[1].raw).data.total).toBe("3200");
});

test("a record nested far too deeply is quarantined once, and the others are stored", async () => {
  const sent_at = new Date().toISOString();
  const deep = `{"device_seq":2,"type":"sale","id":"${randomUUID()}","op":"upsert","data":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
  const [first, third] = [1, 3].map((device_seq) =>
    JSON.stringify({ device_seq, type: "sale", id: randomUUID(), op: "upsert", data: sale() }),
  );
  const push = (records: (string | undefined)[]) =>
    till.send("POST", "/push", `{"sent_at":"${sent_at}","records":[${records.join(",")}]}`);
  const statuses = ({ body }: { body: { results: { status: string }[] } }) => body.results.map(({ status }) => status);
  expect(statuses(await push([first, deep, third]))).toEqual(["applied", "quarantined", "applied"]);
  expect(statuses(await push([deep, deep, third]))).toEqual(["duplicate", "duplicate", "duplicate"]);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toHaveLength(1);
});

test("a record over 256 KiB is quarantined, cut to that size, and the others are stored", async () => {
  const lines = Array.from({ length: 900 }, () => ({ ...sale().items[0]!, description: "x".repeat(300) }));
  const large = { ...sale(), items: lines };
  const { status, body } = await till.push([
    { type: "sale", data: sale() },
    { type: "sale", data: large },
    { type: "sale", data: sale() },
  ]);
  expect(status).toBe(200);
  expect(body.results.map((one: { status: string }) => one.status)).toEqual(["applied", "quarantined", "applied"]);
  const [kept] = await rows("select raw, reason from quarantined_records where account_id = $1");
  expect(Buffer.byteLength(kept.raw)).toBe(256 * 1024);
  expect(kept.reason).toMatch(/pesa \d+ KiB y el máximo es 256 KiB/);
});

test("a text that is too long is cut to the API's limit, and the full text is kept as a conflict", async () => {
  const notes = "ñ".repeat(6_000);
  const data = { ...sale({ notes }), ignored: notes };
  expect((await till.put("sale", data)).status).toBe("applied");
  expect((await shop.api.get(`/sales/${data.id}`)).body.notes).toBe("ñ".repeat(5_000));
  // The same upload again is a duplicate, not another version.
  expect((await till.put("sale", data)).status).toBe("duplicate");
  const id = randomUUID();
  const images = [`https://example.com/${"a".repeat(3_000)}`, "https://example.com/b.png"];
  await till.put("product", { id, name: "😀".repeat(201), base_price: 100, images });
  const product = (await shop.api.get(`/products/${id}`)).body;
  expect([product.name, product.images]).toEqual(["😀".repeat(200), ["https://example.com/b.png"]]);
  const kept = await rows(
    "select record_id, field, lost from conflicts where account_id = $1 order by found_at, field",
  );
  expect(kept.map((one) => [one.record_id, one.field, JSON.parse(one.lost)])).toEqual([
    [data.id, "notes", notes],
    [id, "images.0", images[0]],
    [id, "name", "😀".repeat(201)],
  ]);
});

test.each([
  ["NUL", "\u0000", "\\u0000"],
  ["ESC p, which opens a drawer", "\u001bp\u0000", "\\u001bp\\u0000"],
  ["a scanner's group separator", "\u001d", "\\u001d"],
  ["DEL and C1", "\u007f\u009b", "\\u007f\\u009b"],
  ["half a surrogate pair", "\ud800", "\\ud800"],
])("a sale with %s is stored without it, and the owner is told what came", async (_what, odd, written) => {
  const kept = odd === "\ud800" ? "\ufffd" : odd.replace(/\p{Cc}/gu, "");
  const data = sale({ notes: `dos\nlíneas\t${odd}` });
  const line = data.items[0]!;
  line.description = `Pan${odd} dulce`;
  const payments = [{ payment_method: `cash${odd}`, amount: data.total }];
  const unknown = { [`tot${odd}al`]: 1, extra: [`x${odd}`] };
  const record = { type: "sale", id: data.id, data: { ...unknown, ...data }, payments };
  const { body } = await till.push([record]);
  expect(body.results[0]).toMatchObject({ status: "applied" });
  const stored = (await shop.api.get(`/sales/${data.id}`)).body;
  expect([stored.total, stored.notes, stored.items[0].description]).toEqual([
    data.total,
    `dos\nlíneas\t${kept}`,
    `Pan${kept} dulce`,
  ]);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toEqual([]);
  const told = await rows("select field, kept, lost from conflicts where account_id = $1 order by field");
  expect(told.map((one) => [one.field, JSON.parse(one.kept), JSON.parse(one.lost)])).toEqual([
    ["items.0.description", `Pan${kept} dulce`, `Pan${written} dulce`],
    ["notes", `dos\nlíneas\t${kept}`, `dos\nlíneas\t${written}`],
  ]);
});

test("uploads that fit one by one cannot together make a shift larger than a mebibyte", async () => {
  const shift = { id: randomUUID(), status: "open", opened_at: new Date().toISOString() };
  const movements = () =>
    Array.from({ length: 1_300 }, () => ({ id: randomUUID(), type: "in", amount: 1, occurred_at: shift.opened_at }));
  const statuses = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await till.put("cash_session", { ...shift, movements: movements() })).status);
  expect(statuses).toEqual(["applied", "applied", "quarantined", "quarantined"]);
  expect((await shop.api.get(`/cash-sessions/${shift.id}`)).body.movements).toHaveLength(2_600);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toHaveLength(2);
});

test("a mebibyte of garbage gets a clear error and stores nothing", async () => {
  const junk = "x".repeat(1024 * 1024);
  const cases: [string, number, string][] = [
    [`${junk}x`, 413, "PAYLOAD_TOO_LARGE"],
    [junk.slice(0, 1000), 400, "INVALID_JSON"],
    ["[1,2,3]", 400, "VALIDATION_ERROR"],
    [JSON.stringify({ records: [{ device_seq: "1" }] }), 400, "VALIDATION_ERROR"],
    [
      JSON.stringify({ records: Array.from({ length: 201 }, (_, i) => ({ device_seq: i + 1 })) }),
      400,
      "VALIDATION_ERROR",
    ],
  ];
  for (const [body, status, code] of cases) {
    const answer = await till.send("POST", "/push", body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  }
  const unknown = await till.send("GET", "/nowhere");
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
});
