import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { hour, second } from "../../src/lib/clock.ts";
import type { Answer, ApiClient } from "../support/client.ts";
import { sharedService } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { refusal } from "../support/refusal.ts";
import { type Business, startService } from "../support/service.ts";
import { stopClock } from "../support/time.ts";

const service = sharedService();

const inProgress = [409, "IDEMPOTENCY_IN_PROGRESS", undefined];
const reused = [422, "IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"];
const keyed = (key: string) => ({ "idempotency-key": key });
const replayed = (answer: Answer) => answer.headers.get("idempotent-replayed");

async function counts({ api }: Business): Promise<{ records: number; events: number }> {
  const [records, events] = await Promise.all([api.get("/customers?limit=100"), api.get("/events?limit=100")]);
  return { records: records.body.data.length, events: events.body.data.length };
}

/** A well-behaved client: while the same operation is in progress, it tries again. */
async function persistently(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 409) return answer;
    expect(refusal(answer)).toEqual(inProgress);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
}

test("50 identical requests at the same time create one record and one event, and all get the same response", async () => {
  const business = await service.business();
  const send = () => business.api.post("/customers", { name: "Ana", phone: "300" }, keyed("fifty"));
  const atOnce = await Promise.all(Array.from({ length: 50 }, send));
  for (const answer of atOnce) {
    if (answer.status === 201) continue;
    expect(refusal(answer)).toEqual(inProgress);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  const made = atOnce.filter((answer) => answer.status === 201);
  expect(made.filter((answer) => replayed(answer) === null).length).toBe(1);
  expect(made.filter((answer) => replayed(answer) === "true").length).toBe(made.length - 1);
  // Once it is done, nobody waits any more, not even for another replay.
  const retried = await Promise.all(Array.from({ length: 50 }, send));
  expect(new Set([...made, ...retried].map((answer) => answer.text)).size).toBe(1);
  expect(new Set([...made, ...retried].map((answer) => answer.headers.get("location"))).size).toBe(1);
  expect(retried.every((answer) => answer.status === 201 && replayed(answer) === "true")).toBe(true);
  expect(await counts(business)).toEqual({ records: 1, events: 1 });
});

test("while the first request runs, the second is told to retry; afterwards it gets the first one's response", async () => {
  const business = await service.business();
  // The account's clock is held, so the first request waits for it after taking its idempotency key.
  const clock = await holdClock(service.deps, business.accountId);
  const send = () => business.api.post("/customers", { name: "Ana" }, keyed("waits"));
  const first = send();
  while ((await waitingSessions(service.deps)) === 0);
  expect(refusal(await send())).toEqual(inProgress);
  await clock.release();
  const { status, text } = await first;
  expect(status).toBe(201);
  const again = await send();
  expect([again.status, again.text, replayed(again)]).toEqual([201, text, "true"]);
});

test("a replay returns the same bytes, even after the record changed, and does nothing", async () => {
  const business = await service.business();
  const send = () => business.api.post("/customers", { name: "Ana" }, keyed("same"));
  const first = await send();
  await business.api.patch(`/customers/${first.body.id}`, { name: "Eva" });
  const before = await business.api.get("/events");
  const second = await send();
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
  expect([replayed(first), replayed(second)]).toEqual([null, "true"]);
  expect((await business.api.get("/events")).text).toBe(before.text);
  expect((await business.api.get(`/customers/${first.body.id}`)).body.name).toBe("Eva");
});

test("a key stands for one operation: another body or path is refused and does nothing", async () => {
  const business = await service.business();
  await business.api.post("/customers", { name: "Ana" }, keyed("once"));
  expect(refusal(await business.api.post("/customers", { name: "Eva" }, keyed("once")))).toEqual(reused);
  expect(refusal(await business.api.post("/customers", { name: "Ana", phone: "1" }, keyed("once")))).toEqual(reused);
  expect(refusal(await business.api.post("/categories", { name: "Ana" }, keyed("once")))).toEqual(reused);
  expect(await counts(business)).toEqual({ records: 1, events: 1 });
  expect((await business.api.get("/categories")).body.data).toEqual([]);
});

test("the order of JSON keys and white space do not make it another operation", async () => {
  const business = await service.business();
  const send = (json: string) =>
    business.api.send("POST", "/products", { "content-type": "application/json", ...keyed("order") }, json);
  const first = await send('{"name":"Camisa","base_price":1000,"variants":[{"label":"S","sku":"1"}]}');
  const second = await send('{ "variants" : [{"sku":"1","label":"S"}],\n "base_price" : 1e3, "name" : "Camisa" }');
  expect([second.status, second.text, replayed(second)]).toEqual([201, first.text, "true"]);
  const third = await send('{"name":"Camisa","base_price":1000,"variants":[{"label":"S","sku":"2"}]}');
  expect(refusal(third)).toEqual(reused);
});

test("a request that fails releases its key", async () => {
  const business = await service.business();
  const post = (path: string, body: object) => business.api.post(path, body, keyed("freed"));
  const taken = { name: "Gaseosa", base_price: 1, sku: "UNO" };
  await business.api.post("/products", taken);
  const { body } = await business.api.post("/warehouses", { name: "Sur" });
  await business.api.patch(`/warehouses/${body.id}`, { active: false });
  expect(refusal(await post("/customers", { name: "" }))).toEqual([400, "VALIDATION_ERROR", "name"]);
  expect(refusal(await post("/products", taken))).toEqual([409, "SKU_ALREADY_EXISTS", "sku"]);
  expect(refusal(await post("/products", { ...taken, sku: "DOS", initial_stock: 1 }))).toEqual([
    409,
    "NO_WAREHOUSE",
    "warehouse_id",
  ]);
  const made = await post("/customers", { name: "Ana" });
  expect([made.status, replayed(made)]).toEqual([201, null]);
});

test("two accounts may use the same key", async () => {
  const businesses = [await service.business(), await service.business()];
  const answers = await Promise.all(
    businesses.map(({ api }) => api.post("/customers", { name: "Ana" }, keyed("shared"))),
  );
  expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
    [201, null],
    [201, null],
  ]);
  expect(answers[0]!.body.id).not.toBe(answers[1]!.body.id);
});

test("two API keys of one account share its idempotency keys", async () => {
  const business = await service.business();
  const { api: second } = await service.key(business.accountId);
  const first = await business.api.post("/customers", { name: "Ana" }, keyed("both"));
  const again = await second.post("/customers", { name: "Ana" }, keyed("both"));
  expect([again.text, replayed(again)]).toEqual([first.text, "true"]);
});

test("PATCH ignores the header", async () => {
  const business = await service.business();
  const { body } = await business.api.post("/customers", { name: "Ana" }, keyed("patch"));
  const edit = (name: string) => business.api.patch(`/customers/${body.id}`, { name }, keyed("patch"));
  const answers = [await edit("Eva"), await edit("Eva"), await edit("Iris")];
  expect(answers.map((answer) => [answer.status, answer.body.name, replayed(answer)])).toEqual([
    [200, "Eva", null],
    [200, "Eva", null],
    [200, "Iris", null],
  ]);
  // The second changes nothing, so there is nothing to announce.
  expect((await counts(business)).events).toBe(3);
});

test("every POST takes a key and stores a response of its own", async () => {
  const business = await service.business();
  const sends: [string, object][] = [
    ["/customers", { name: "Ana" }],
    ["/categories", { name: "Bebidas" }],
    ["/products", { name: "Gaseosa", base_price: 1 }],
  ];
  for (const [path, body] of sends) {
    const key = keyed(randomUUID());
    const [first, second] = [await business.api.post(path, body, key), await business.api.post(path, body, key)];
    expect([second.status, second.text, replayed(second)]).toEqual([201, first.text, "true"]);
    expect((await business.api.get(path)).body.data.length).toBe(1);
  }
});

test("a key may have up to 255 characters of any kind, and its case matters", async () => {
  const business = await service.business();
  const post = (key: string) => business.api.post("/customers", { name: "Ana" }, keyed(key));
  const longest = "aZ9_-:.".repeat(37).slice(0, 255);
  const first = await post(longest);
  expect((await post(longest)).text).toBe(first.text);
  expect((await post(longest.toUpperCase())).text).not.toBe(first.text);
});

test("another process on the same database replays the response", async () => {
  const business = await service.business();
  await using sibling = await service.sibling();
  const elsewhere: ApiClient = sibling.client({ authorization: `Bearer ${business.key}` });
  const first = await business.api.post("/customers", { name: "Ana" }, keyed("across"));
  const second = await elsewhere.post("/customers", { name: "Ana" }, keyed("across"));
  expect([second.status, second.text, replayed(second)]).toEqual([201, first.text, "true"]);
  const race = (i: number) =>
    persistently(() => (i % 2 ? elsewhere : business.api).post("/customers", { name: "Eva" }, keyed("race")));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => race(i)));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(await counts(business)).toEqual({ records: 2, events: 2 });
});

test("a key lives for 24 hours and not longer", async () => {
  await using own = await startService();
  const clock = stopClock(own, new Date("2026-10-01T15:04:05.678Z"));
  const business = await own.business();
  const send = () => business.api.post("/customers", { name: "Ana" }, keyed("daily"));
  const first = await send();
  const began = Date.parse(first.body.created_at);
  clock.moveTo(began + 24 * hour - second);
  expect(replayed(await send())).toBe("true");
  clock.moveTo(began + 24 * hour - 1);
  expect((await send()).text).toBe(first.text);
  // After midnight the partition of its day may be dropped, but the key is still in force.
  await own.deps.partitions.dropExpired(clock.at);
  expect((await send()).text).toBe(first.text);

  clock.moveTo(began + 24 * hour);
  const next = await send();
  expect([next.status, replayed(next)]).toEqual([201, null]);
  expect(next.body.id).not.toBe(first.body.id);
  expect((await send()).text).toBe(next.text);
  expect(refusal(await business.api.post("/customers", { name: "Eva" }, keyed("daily")))).toEqual(reused);
  expect(await counts(business)).toEqual({ records: 2, events: 2 });
});
