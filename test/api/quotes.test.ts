import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { quotes } from "../../src/business/quotes/resource.ts";
import type { Quote } from "../../src/business/quotes/schema.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { quoteBody, quoteItemBody, store } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import type { Business } from "../support/service.ts";
import { stopClock } from "../support/time.ts";

const service = sharedService();
const clock = shared(() => stopClock(service, new Date("2026-10-01T15:04:05.678Z")));

async function quoted(business: Business, fields: Partial<Quote> = {}): Promise<Quote> {
  const [stored] = await store(service.deps, business.accountId, quotes, (at) => [{ body: quoteBody(at, fields) }]);
  return stored!;
}

/** An hour from now, and a quote of each kind that expires then. */
async function runningOut(statuses: readonly Quote["status"][]) {
  const business = await service.business();
  const end = new Date(clock.at.getTime() + 3_600_000);
  const stored: Quote[] = [];
  for (const status of statuses) stored.push(await quoted(business, { status, expires_at: end.toISOString() }));
  return { ...business, end, stored };
}

test("a quote reads byte by byte as it was stored, with its lines and breakdown", async () => {
  const business = await service.business();
  const converted = await quoted(business, {
    status: "converted",
    customer_id: randomUUID(),
    discount: 640,
    discount_percent: 10,
    notes: "Válida por «15 días»",
    items: [
      quoteItemBody({ discount_percent: 10 }),
      quoteItemBody({ product_id: null, item_kind: "free", taxes: null }),
    ],
    sale_id: randomUUID(),
    accepted_at: clock.at.toISOString(),
    converted_at: clock.at.toISOString(),
  });
  const bare = await quoted(business, {
    prefix: null,
    number: null,
    customer_name: null,
    tax_breakdown: null,
    sent_at: null,
  });
  const list = await business.api.get("/quotes");
  for (const body of [converted, bare]) {
    expect((await business.api.get(`/quotes/${body.id}`)).text).toBe(JSON.stringify(body));
    expect(list.text).toContain(JSON.stringify(body));
  }
});

test.each(["draft", "sent"] as const)(
  "a %s quote reads as expired from the exact instant of its expiry",
  async (status) => {
    const { api, end, stored } = await runningOut([status]);
    const path = `/quotes/${stored[0]!.id}`;
    clock.moveTo(end.getTime() - 1);
    expect((await api.get(path)).body).toEqual(stored[0]);
    clock.moveTo(end);
    const expired = { ...stored[0], status: "expired" };
    expect((await api.get(path)).body).toEqual(expired);
    expect((await api.get("/quotes")).body.data).toEqual([expired]);
  },
);

test("a quote that was answered, or that has no expiry date, does not expire", async () => {
  const { api, end, stored, accountId, key, keyId } = await runningOut(["accepted", "rejected", "converted"]);
  await quoted({ api, accountId, key, keyId }, { status: "sent", expires_at: null });
  clock.moveTo(end.getTime() + 86_400_000);
  const { body } = await api.get("/quotes");
  expect(body.data.map((quote: Quote) => quote.status)).toEqual(["sent", "converted", "rejected", "accepted"]);
  expect(body.data[3]).toEqual(stored[0]);
});

test("the status filter uses the status that is read", async () => {
  const { api, end } = await runningOut(["draft", "sent", "accepted", "expired"]);
  const found = async () => {
    const counts: Record<string, number> = {};
    for (const status of ["draft", "sent", "accepted", "rejected", "expired", "converted"]) {
      const { body } = await api.get(`/quotes?status=${status}`);
      expect(body.data.every((quote: Quote) => quote.status === status)).toBe(true);
      counts[status] = body.data.length;
    }
    return counts;
  };
  const before = { draft: 1, sent: 1, accepted: 1, rejected: 0, expired: 1, converted: 0 };
  clock.moveTo(end.getTime() - 1);
  expect(await found()).toEqual(before);
  clock.moveTo(end);
  expect(await found()).toEqual({ ...before, draft: 0, sent: 0, expired: 3 });
});

test("expiring changes the ETags of the quote and of the list, and nothing else", async () => {
  const { api, end, stored } = await runningOut(["sent"]);
  for (const path of [`/quotes/${stored[0]!.id}`, "/quotes"]) {
    clock.moveTo(end.getTime() - 1);
    const fresh = (await api.get(path)).headers.get("etag")!;
    expect((await api.get(path, { "if-none-match": fresh })).status).toBe(304);
    clock.moveTo(end);
    const expired = await api.get(path, { "if-none-match": fresh });
    expect(expired.status).toBe(200);
    expect(expired.text).toContain('"status":"expired"');
    expect((await api.get(path, { "if-none-match": expired.headers.get("etag")! })).status).toBe(304);
  }
});

test("expiring does not change updated_at: a client polling for changes does not see it", async () => {
  const { api, end, stored } = await runningOut(["sent"]);
  clock.moveTo(end.getTime() + 1000);
  expect((await api.get(`/quotes/${stored[0]!.id}`)).body.updated_at).toBe(stored[0]!.updated_at);
  expect((await api.get(`/quotes?updated_since=${end.toISOString()}`)).body.data).toEqual([]);
});

test("a note that contains the text of a status does not change how the quote is read", async () => {
  const { api, end, accountId, key, keyId } = await runningOut([]);
  const notes = '"status":"sent"';
  const quote = await quoted(
    { api, accountId, key, keyId },
    { status: "accepted", expires_at: end.toISOString(), notes },
  );
  clock.moveTo(end.getTime() + 1);
  expect((await api.get(`/quotes/${quote.id}`)).body).toEqual(quote);
});

test("customer_id finds a customer's quotes, also together with a status", async () => {
  const business = await service.business();
  const customer_id = randomUUID();
  const own = await quoted(business, { customer_id, status: "draft" });
  await quoted(business, { customer_id: randomUUID(), status: "draft" });
  const found = async (query: string) => (await business.api.get(`/quotes?${query}`)).body.data;
  expect(await found(`customer_id=${customer_id}`)).toEqual([own]);
  expect(await found(`customer_id=${customer_id}&status=draft`)).toEqual([own]);
  expect(await found(`customer_id=${customer_id}&status=sent`)).toEqual([]);
});

test("unknown statuses, ids and filters are refused", async () => {
  const { api } = await service.business();
  for (const [param, query] of [
    ["status", "status=vencida"],
    ["customer_id", "customer_id=ana"],
    ["number", "number=7"],
  ]) {
    expect(refusal(await api.get(`/quotes?${query}`))).toEqual([400, "VALIDATION_ERROR", param]);
  }
});

test("a quote that does not exist, or belongs to another account, is not found", async () => {
  const [owner, stranger] = [await service.business(), await service.business()];
  const quote = await quoted(owner);
  expect(refusal(await stranger.api.get(`/quotes/${quote.id}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await owner.api.get(`/quotes/${randomUUID()}`))).toEqual([404, "NOT_FOUND", "id"]);
});
