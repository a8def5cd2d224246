import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { reading } from "../../src/db/read.ts";
import { sql } from "../../src/db/sql.ts";
import { maxQueuedWrites } from "../../src/engine/writing/account-queue.ts";
import type { Write } from "../../src/engine/writing/write.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { breakWaiting, holdClock, waitingSessions } from "../support/hold-clock.ts";
import { interfere } from "../support/interfere.ts";

const service = verifiedService();

const shop = shopPerTest(service);

/** Requests that are all waiting for the account's clock when it is released, so that they are written together. */
async function atOnce<T>(
  requests: (() => Promise<T>)[],
  release = (held: { release(): Promise<void> }) => held.release(),
) {
  const held = await holdClock(service.deps, shop.accountId);
  const sent = requests.map((request) => request());
  // One session waits for all of them.
  await expect.poll(() => waitingSessions(service.deps)).toBeGreaterThan(0);
  await release(held);
  return Promise.all(sent);
}

const product = (sku: string) => () => shop.api.post("/products", { name: sku, sku, base_price: 1000 });

test("waiting writes of one account are committed together, one after the other in the account's order", async () => {
  const { rows: before } = await service.deps.pool.query<{ seq: number }>(
    sql`select seq from account_clock where account_id = ${shop.accountId}`,
  );
  const answers = await atOnce(Array.from({ length: 30 }, (_, i) => product(`SKU-${i}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
  const { rows } = await service.deps.pool.query<{ seq: number; events: number }>(sql`
    select p.seq, (select count(*) from events e where e.account_id = p.account_id and e.seq = p.seq) as events
    from products p where account_id = ${shop.accountId} order by seq`);
  expect(rows).toEqual(Array.from({ length: 30 }, (_, i) => ({ seq: before[0]!.seq + 1 + i, events: 1 })));
});

test("one that fails does not affect the others and leaves no gap in the account's order", async () => {
  const skus = Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? "REPETIDO" : `SKU-${i}`));
  const answers = await atOnce(skus.map(product));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body.error.code)).toEqual(Array(7).fill("SKU_ALREADY_EXISTS"));
  const { rows } = await service.deps.pool.query<{ made: number; seq: number }>(sql`
    select count(*) as made, max(c.seq) as seq from products p join account_clock c using (account_id)
    where account_id = ${shop.accountId}`);
  expect(rows[0]!.made).toBe(17);
  const { rows: seqs } = await service.deps.pool.query<{ seq: number }>(
    sql`select seq from products where account_id = ${shop.accountId} order by seq`,
  );
  expect(new Set(seqs.map(({ seq }, i) => seq - i)).size).toBe(1);
  expect(seqs.at(-1)!.seq).toBe(rows[0]!.seq);
});

test("a write whose clock was moved by another meanwhile, as when Citus moves the account, is done again after it", async () => {
  const clock = async () => {
    const { rows } = await service.deps.pool.query<{ seq: number }>(
      sql`select seq from account_clock where account_id = ${shop.accountId}`,
    );
    return rows[0]!.seq;
  };
  const before = await clock();
  const seqs: number[] = [];
  await writing(service.deps, shop.accountId, async (write) => {
    seqs.push(write.seq);
    // The lock of this transaction would keep everybody else from it, so it does it itself.
    if (seqs.length === 1)
      await write.client.query(sql`update account_clock set seq = seq + 1 where account_id = ${shop.accountId}`);
  });
  expect(seqs).toEqual([before + 1, before + 1]);
  expect(await clock()).toBe(before + 1);
});

test("what a write declares to read is read behind the lock", async () => {
  const held = await service.deps.pool.connect();
  await held.query("begin");
  await held.query(sql`update account_clock set seq = seq + 5 where account_id = ${shop.accountId}`);
  const others = reading(
    sql`select seq from account_clock where account_id = ${shop.accountId}`,
    (rows: { seq: number }[]) => rows[0]!.seq,
  );
  const work = async (write: Write) => ({ found: await write.read(others), seq: write.seq });
  const declared = { records: [], others };
  const written = writing(service.deps, shop.accountId, work, undefined, { declared });
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  await held.query("commit");
  held.release();
  const { found, seq } = await written;
  expect(seq).toBe(found + 1);
});

test("what a write declares to read, and one before it in the same transaction has changed, is read anew", async () => {
  const { body } = await shop.api.post("/customers", { name: "Ana" });
  const others = reading(
    sql`select body->>'name' as name from customers where account_id = ${shop.accountId} and id = ${body.id}`,
    (rows: { name: string }[]) => rows[0]!.name,
  );
  const declared = { records: [{ resource: customers, ids: [body.id] }], others };
  const found: string[] = [];
  const rename = (name: string) => () =>
    writing(
      service.deps,
      shop.accountId,
      async (write) => {
        const { body: current } = (await write.load(customers, body.id))!;
        found.push(`${current.name} ${await write.read(others)}`);
        write.put(customers, { body: { ...current, name } });
      },
      undefined,
      { declared },
    );
  await atOnce([rename("Bea"), rename("Carla"), rename("Diana")]);
  expect(found).toEqual(["Ana Ana", "Bea Bea", "Carla Carla"]);
});

test("one whose connection breaks while it waits for the lock has not begun", async () => {
  const held = await holdClock(service.deps, shop.accountId);
  let hasBegun = false;
  const others = reading(sql`select 1 as one`, () => undefined);
  const work = () => {
    hasBegun = true;
  };
  const written = writing(service.deps, shop.accountId, work, undefined, { declared: { records: [], others } });
  const failed = expect(written).rejects.toThrow("terminat");
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  await breakWaiting(service.deps);
  await failed;
  await held.release();
  expect(hasBegun).toBe(false);
});

test("what a write asks after its end is refused, and not sent on a connection that others use by then", async () => {
  const late: Promise<unknown>[] = [];
  await writing(service.deps, shop.accountId, async (write) => {
    await write.client.query(sql`select 1 as one`);
    late.push(delay(20).then(() => write.client.query(sql`select 2 as two`)));
  });
  await expect(late[0]).rejects.toThrow("has ended");
});

test("each write reads what the one before it wrote", async () => {
  const { body } = await shop.api.post("/products", { name: "Café", sku: "CAFE", base_price: 1000 });
  const answers = await atOnce([
    () => shop.api.patch(`/products/${body.id}`, { name: "Café molido" }),
    () => shop.api.patch(`/products/${body.id}`, { base_price: 2000 }),
    () => shop.api.patch(`/products/${body.id}`, { description: "250 g" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body: last } = await shop.api.get(`/products/${body.id}`);
  expect(last).toMatchObject({ name: "Café molido", base_price: 2000, description: "250 g" });
});

test("a repeated request among them learns the state of its operation and creates nothing", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const answers = await atOnce([
    ...Array.from({ length: 5 }, (_, i) => product(`SKU-${i}`)),
    ...Array.from({ length: 5 }, () => () => shop.api.post("/customers", { name: "Ana" }, headers)),
  ]);
  expect(answers.slice(5).map(({ status }) => status)).toContain(201);
  for (const { status, body } of answers.slice(5)) {
    if (status !== 201) expect(body.error.code).toBe("IDEMPOTENCY_IN_PROGRESS");
  }
  expect((await shop.api.get("/customers")).body.data).toHaveLength(1);
});

test("when their connection breaks, none of them is stored, and retries create each once", async () => {
  const keys = Array.from({ length: 10 }, () => randomUUID());
  const post = (key: string) => () => shop.api.post("/customers", { name: key }, { "idempotency-key": key });
  const broken = await atOnce(keys.map(post), async (held) => {
    await breakWaiting(service.deps);
    await held.release();
  });
  expect(new Set(broken.map(({ status }) => status))).toEqual(new Set([503]));
  expect((await shop.api.get("/customers")).body.data).toEqual([]);
  const again = await Promise.all(keys.map((key) => post(key)()));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await shop.api.get("/customers")).body.data).toHaveLength(10);
});

test("writes that come while others are being stored follow on the same connection", async () => {
  const { pool } = service.deps;
  const { connect } = pool;
  const post = (name: string) => shop.api.post("/customers", { name });
  const later: ReturnType<typeof post>[] = [];
  let connections = 0;
  interfere(pool, "insert into customers", async (run) => {
    later.push(...["Bea", "Carla", "Diana"].map(post));
    await delay(200);
    pool.connect = ((...parts: unknown[]) => {
      // With a callback it is the pool's own call for a single statement.
      if (parts.length === 0) connections += 1;
      return connect.apply(pool, parts as [() => void]);
    }) as typeof pool.connect;
    return run();
  });
  const answers = [await post("Ana"), ...(await Promise.all(later))];
  pool.connect = connect;
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(connections).toBe(0);
  const { body } = await shop.api.get("/customers");
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["Diana", "Carla", "Bea", "Ana"]);
});

test("only so many writes of one account may wait; the next ones are told when to retry, and other accounts are not affected", async () => {
  const neighbour = await service.business();
  const held = await holdClock(service.deps, shop.accountId);
  const first = shop.api.post("/customers", { name: "Primero" });
  await expect.poll(() => waitingSessions(service.deps)).toBe(1);
  const refused: unknown[] = [];
  const made: number[] = [];
  const others = Array.from({ length: maxQueuedWrites + 12 }, async (_, i) => {
    const { status, headers } = await shop.api.post("/customers", { name: `Cliente ${i}` });
    if (status === 201) made.push(status);
    else refused.push([status, headers.get("retry-after")]);
  });
  await expect.poll(() => refused).toEqual(Array(12).fill([503, "2"]));
  expect((await neighbour.api.post("/customers", { name: "Ana" })).status).toBe(201);
  await held.release();
  await Promise.all([first, ...others]);
  expect(made).toHaveLength(maxQueuedWrites);
});

test("edits of one record that are written together each announce their own version, and the last one stays", async () => {
  const { body } = await shop.api.post("/customers", { name: "Ana" });
  const names = Array.from({ length: 8 }, (_, i) => `Ana ${i}`);
  const answers = await atOnce(names.map((name) => () => shop.api.patch(`/customers/${body.id}`, { name })));
  expect(answers.map((answer) => answer.body.name)).toEqual(names);
  const { rows } = await service.deps.pool.query<{ body: string }>(sql`
    select body from events where account_id = ${shop.accountId} and type = 'customer.updated' order by seq`);
  const announced = rows.map((row) => JSON.stringify(JSON.parse(row.body).data.object));
  expect(announced.toSorted()).toEqual(answers.map(({ text }) => text).toSorted());
  expect((await shop.api.get(`/customers/${body.id}`)).text).toBe(announced.at(-1));
});

test("of two edits of the same version that are written together, the second is refused", async () => {
  const { body, headers } = await shop.api.post("/customers", { name: "Ana" });
  const { headers: read } = await shop.api.get(`/customers/${body.id}`);
  const version = { "if-match": read.get("etag") ?? headers.get("etag")! };
  const answers = await atOnce(
    ["Bea", "Carla", "Diana"].map((name) => () => shop.api.patch(`/customers/${body.id}`, { name }, version)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const stored = answers.find(({ status }) => status === 200);
  expect((await shop.api.get(`/customers/${body.id}`)).text).toBe(stored!.text);
});

test("one that the database refuses fails alone, and the others are stored in their order without a gap", async () => {
  await service.deps.pool.query("alter table customers add constraint poison check (body->>'name' <> 'Veneno')");
  const names = ["Ana", "Bea", "Veneno", "Carla", "Veneno", "Diana"];
  const answers = await atOnce(names.map((name) => () => shop.api.post("/customers", { name })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 500, 201, 500, 201]);
  const { rows } = await service.deps.pool.query<{ name: string; seq: number; last: number }>(sql`
    select c.body->>'name' as name, c.seq, k.seq as last from customers c join account_clock k using (account_id)
    where c.account_id = ${shop.accountId} order by c.seq`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["Ana", "Bea", "Carla", "Diana"]);
  expect(rows.at(-1)!.seq).toBe(rows[0]!.seq + 3);
  expect(rows[0]!.last).toBe(rows.at(-1)!.seq);
  await service.deps.pool.query("alter table customers drop constraint poison");
});

test("creating, editing and refusing in one transaction leaves what each of them was told", async () => {
  const { body: ana } = await shop.api.post("/customers", { name: "Ana" });
  const absent = randomUUID();
  const answers = await atOnce<{ status: number }>([
    () => shop.api.post("/customers", { name: "Bea" }),
    () => shop.api.patch(`/customers/${absent}`, { name: "Nadie" }),
    () => shop.api.patch(`/customers/${ana.id}`, { email: "ana@example.com" }),
    () => shop.api.patch(`/customers/${ana.id.toUpperCase()}`, { name: "Ana María" }),
    () => shop.api.post("/categories", { name: "Bebidas" }),
    () => shop.api.post("/products", { name: "Café", sku: "CAFE", base_price: 1000 }),
    () => shop.api.post("/products", { name: "Otro", sku: "CAFE", base_price: 1000 }),
  ]);
  expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([201, 404, 200, 200, 201]);
  expect(
    answers
      .slice(5)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([201, 409]);
  const { body } = await shop.api.get(`/customers/${ana.id}`);
  expect(body).toMatchObject({ name: "Ana María", email: "ana@example.com" });
  const { rows } = await service.deps.pool.query<{ seq: number }>(
    sql`select seq from events where account_id = ${shop.accountId} order by seq`,
  );
  // The category takes a place without an event; those that were refused take none.
  expect(rows).toHaveLength(5);
  expect(rows.at(-1)!.seq - rows[0]!.seq).toBeGreaterThanOrEqual(4);
  expect(rows.at(-1)!.seq - rows[0]!.seq).toBeLessThanOrEqual(5);
});
