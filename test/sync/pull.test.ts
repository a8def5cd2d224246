import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { purgeTombstones } from "../../src/api/sync/pull/purge-tombstones.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { day } from "../../src/lib/clock.ts";
import { customerBody, movementBody, productBody, saleBody, store, warehouseBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { now, registerPerTest } from "../support/registered-shop.ts";

const { service, shop, till } = registerPerTest();

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a register would
type Change = any;
const types = (changes: Change[]) => changes.map((change) => change.type);

test("an empty cursor returns everything a register needs, each record once, and nothing else", async () => {
  const warehouse = upload(warehouseBody(now()));
  await till.put("warehouse", warehouse);
  const category = (await shop.api.post("/categories", { name: "Panadería" })).body;
  const product = (
    await shop.api.post("/products", { name: "Pan", base_price: 500, initial_stock: 5, category_id: category.id })
  ).body;
  const customer = (await shop.api.post("/customers", { name: "Ana" })).body;
  await shop.api.patch(`/customers/${customer.id}`, { phone: "300" });
  await till.put("sale", upload(saleBody(now())));
  await till.put("stock_movement", upload(movementBody(now(), { product_id: product.id })));

  const { body } = await till.pull();
  expect(types(body.changes)).toEqual(["warehouse", "category", "product", "stock_movement", "customer"]);
  expect(body).toMatchObject({ has_more: false, acked_seq: 3, epoch: expect.any(String) });
  const seqs = body.changes.map((change: Change) => change.seq);
  expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => a - b));
  expect(body.changes.at(-1)).toMatchObject({
    deleted: false,
    data: { ...customer, phone: "300", updated_at: expect.any(String), version: 2 },
  });
  const next = (await till.pull(`?cursor=${body.cursor}`)).body;
  expect(next.changes).toEqual([]);
});

test("a product is sent as fields to overwrite and fields for a new product only, never with its stock or cost", async () => {
  await till.put("warehouse", upload(warehouseBody(now())));
  const made = (await shop.api.post("/products", { name: "Pan", base_price: 500, initial_stock: 5, unit_cost: 300 }))
    .body;
  const change = (await till.pull()).body.changes.find((one: Change) => one.type === "product");
  expect(change.data).toEqual({
    set: {
      name: "Pan",
      description: "",
      description_short: "",
      sku: null,
      category_id: null,
      base_price: 500,
      final_price: 500,
      percent_discount: 0,
      tax_class: "standard",
      active: true,
      sellable: true,
      images: [],
      variants: [],
    },
    init: { kind: "simple", base_unit: "und", sold_by_weight: false },
  });
  expect(change.id).toBe(made.id);
});

test("a sale changes a product's stock without sending the product to registers again", async () => {
  const product = (await shop.api.post("/products", { name: "Pan", base_price: 500 })).body;
  const { cursor } = (await till.pull()).body;
  await till.put("stock_movement", upload(movementBody(now(), { product_id: product.id })));
  expect((await shop.api.get(`/products/${product.id}`)).body.stock).toBe(-2);
  expect((await till.pull(`?cursor=${cursor}`)).body.changes).toEqual([]);
  await shop.api.patch(`/products/${product.id}`, { base_price: 600 });
  expect((await till.pull(`?cursor=${cursor}`)).body.changes).toMatchObject([{ data: { set: { base_price: 600 } } }]);
});

test("paging does not split what was written together", async () => {
  const group = () =>
    Array.from({ length: 7 }, () => ({ type: "customer", data: upload(customerBody(now())), id: randomUUID() }));
  const groups = [group(), group(), group()];
  for (const records of groups) await till.push(records);
  const sizes: number[] = [];
  const seen: string[] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const { body } = await till.pull(`?limit=5&cursor=${cursor}`);
    sizes.push(body.changes.length);
    seen.push(...body.changes.map((change: Change) => change.id));
    expect(new Set(body.changes.map((change: Change) => change.seq)).size).toBe(1);
    ({ cursor, has_more: more } = body);
  }
  expect(sizes).toEqual([7, 7, 7]);
  expect(seen.toSorted()).toEqual(
    groups
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  );
});

test("a page ends before the change that would make it larger than 2 MiB, and never contains part of one", async () => {
  const sizes = [2, 1, 3, 1];
  const written: string[][] = [];
  for (const size of sizes) {
    const made = await store(service.deps, shop.accountId, customers, (at) =>
      Array.from({ length: size }, () => ({ body: customerBody(at) })),
    );
    written.push(made.map(({ id }) => id).sort());
  }
  await service.deps.pool.query("update customers set body_bytes = 900000 where account_id = $1", [shop.accountId]);
  const pages: string[][] = [];
  for (let cursor = "", hasMore = true; hasMore; ) {
    const { body } = await till.pull(`?cursor=${cursor}`);
    pages.push(body.changes.map((change: { id: string }) => change.id));
    ({ cursor, has_more: hasMore } = body);
  }
  expect(pages).toEqual(written);
});

test("any cursor plus the feed equals the snapshot", async () => {
  const replay = (changes: Change[], from = new Map<string, Change>()) => {
    for (const { id, deleted, data } of changes) deleted ? from.delete(id) : from.set(id, data);
    return from;
  };
  const cursors: { cursor: string; state: Map<string, Change> }[] = [{ cursor: "", state: new Map() }];
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    if (i % 4 === 3) await till.put("customer", {}, { id: ids[i % 3]!, op: "delete" });
    else if (i % 3 === 2) await shop.api.patch(`/customers/${ids.at(-1)}`, { phone: String(i) });
    else ids.push((await shop.api.post("/customers", { name: `Cliente ${i}` })).body.id);
    const last = cursors.at(-1)!;
    const { body } = await till.pull(`?cursor=${last.cursor}`);
    cursors.push({ cursor: body.cursor, state: replay(body.changes, new Map(last.state)) });
  }
  const snapshot = replay((await till.pull()).body.changes);
  for (const { cursor, state } of cursors) {
    const { body } = await till.pull(`?cursor=${cursor}`);
    expect(Object.fromEntries(replay(body.changes, new Map(state)))).toEqual(Object.fromEntries(snapshot));
  }
});

test("a stale, foreign or malformed cursor gets a clear error", async () => {
  const { cursor } = (await till.pull()).body;
  const code = async (text: string, one = till) => {
    const { status, body } = await one.pull(`?cursor=${text}`);
    return [status, body.error?.code];
  };
  expect(await code("nonsense")).toEqual([400, "INVALID_CURSOR"]);
  const other = await service.business();
  expect(await code(cursor, await enrol(service, other.accountId))).toEqual([410, "CURSOR_EXPIRED"]);
  const { pool } = service.deps;
  const { rows } = await pool.query("select epoch from installation");
  await pool.query("update installation set epoch = gen_random_uuid()");
  expect(await code(cursor)).toEqual([410, "CURSOR_EXPIRED"]);
  await pool.query("update installation set epoch = $1", [rows[0].epoch]);
  expect(await code(cursor)).toEqual([200, undefined]);
  await shop.api.post("/customers", { name: "Ana" });
  const ahead = (await till.pull()).body.cursor;
  await pool.query("update account_clock set seq = seq - 1 where account_id = $1", [shop.accountId]);
  expect(await code(ahead)).toEqual([410, "CURSOR_EXPIRED"]);
  await pool.query("update account_clock set seq = seq + 1 where account_id = $1", [shop.accountId]);
});

test("a cursor from another installation, made by hand or from an earlier version makes its register reload", async () => {
  await shop.api.post("/customers", { name: "Ana" });
  await shop.api.post("/customers", { name: "Eva" });
  const codes = async (text: string) => {
    const { status, body } = await till.pull(`?cursor=${text}`);
    return [status, body.error?.code];
  };
  for (const { cursor } of [(await till.pull()).body, (await till.pull("?limit=1")).body]) {
    expect(await codes(cursor)).toEqual([200, undefined]);
    const bytes = Buffer.from(cursor, "base64url");
    for (let i = 0; i < bytes.length; i += 5) {
      const forged = Buffer.from(bytes);
      forged[i]! ^= 1;
      expect(await codes(forged.toString("base64url"))).toEqual([410, "CURSOR_EXPIRED"]);
    }
    // Epoch, the account's checksum and the seq: anybody could make one up.
    const { rows } = await service.deps.pool.query("select epoch from installation");
    const former = Buffer.alloc(bytes.length === 40 ? 28 : 36);
    former.write(rows[0].epoch.replaceAll("-", ""), 0, "hex");
    former.writeUInt32BE(crc32(shop.accountId), 16);
    former.writeBigUInt64BE(1n, 20);
    expect(await codes(former.toString("base64url"))).toEqual([410, "CURSOR_EXPIRED"]);
  }
});

test("a tombstone is kept for 180 days; an older cursor must reload, a newer one continues", async () => {
  const kept = (await shop.api.post("/customers", { name: "Queda" })).body;
  const gone = (await shop.api.post("/customers", { name: "Se va" })).body;
  const before = (await till.pull()).body.cursor;
  await till.put("customer", {}, { id: gone.id, op: "delete" });
  const after = (await till.pull(`?cursor=${before}`)).body;
  expect(after.changes).toMatchObject([{ id: gone.id, deleted: true, data: null }]);

  const purge = (days: number) => purgeTombstones(service.deps.pool, new Date(Date.now() + days * day));
  await purge(179);
  expect((await till.pull(`?cursor=${before}`)).status).toBe(200);
  await purge(181);
  expect((await till.pull(`?cursor=${before}`)).body.error.code).toBe("CURSOR_EXPIRED");
  expect((await till.pull(`?cursor=${after.cursor}`)).status).toBe(200);
  const snapshot = (await till.pull()).body.changes;
  expect(snapshot.map((change: Change) => change.id)).toEqual([kept.id]);
  expect((await shop.api.get(`/customers/${gone.id}?include_deleted=true`)).status).toBe(200);
  await purge(182);
});

test("a snapshot of several pages continues past purged tombstones", async () => {
  const ids: string[] = [];
  for (const name of ["Ana", "Beto", "Carla"]) ids.push((await shop.api.post("/customers", { name })).body.id);
  const gone = (await shop.api.post("/customers", { name: "Se va" })).body;
  const overtaken = (await till.pull("?limit=1")).body.cursor;
  await till.put("customer", {}, { id: gone.id, op: "delete" });
  await purgeTombstones(service.deps.pool, new Date(Date.now() + 181 * day));

  const seen: string[] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const { status, body } = await till.pull(`?limit=1&cursor=${cursor}`);
    expect(status).toBe(200);
    seen.push(...body.changes.map((change: Change) => change.id));
    ({ cursor, has_more: more } = body);
  }
  expect(seen).toEqual(ids);
  // A snapshot that began before a tombstone that has since been purged is stale.
  expect((await till.pull(`?cursor=${overtaken}`)).body.error.code).toBe("CURSOR_EXPIRED");
});

test("invalid query parameters get an error that states the limits", async () => {
  for (const query of ["?wait=26", "?limit=0", "?limit=501", "?wait=-1"])
    expect((await till.pull(query)).body.error.code).toBe("VALIDATION_ERROR");
});

test("two edits of one product in one push are sent down once", async () => {
  const product = upload(productBody(now()));
  await till.push([
    { type: "product", id: product.id, data: product },
    { type: "product", id: product.id, data: { name: "Pan" }, changed: ["name"] },
  ]);
  expect((await till.pull()).body.changes).toMatchObject([{ id: product.id, data: { set: { name: "Pan" } } }]);
});
