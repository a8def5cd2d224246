import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ExportPage, newPageBuffer, readExportPage } from "../../src/api/exports/read-page.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { sharedService } from "../support/fixtures.ts";
import { change, quoteBody, saleBody, store } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import type { Answer, Business } from "../support/service.ts";

const service = sharedService();

interface Line {
  id: string;
  created_at: string;
  updated_at: string;
  status: string;
}

const linesOf = ({ text }: Pick<Answer, "text">): Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** A shop with `count` sales, many of them of one write, and the sales as the list returns them. */
async function shopWith(count: number): Promise<{ shop: Business; listed: Line[] }> {
  const shop = await service.business();
  for (let left = count; left > 0; left -= 700) {
    const size = Math.min(left, 700);
    await store(service.deps, shop.accountId, sales, (at) =>
      Array.from({ length: size }, () => ({ body: saleBody(at) })),
    );
  }
  return { shop, listed: await listAll(shop, "/sales?limit=100") };
}

async function listAll({ api }: Business, path: string): Promise<Line[]> {
  const found: Line[] = [];
  for (let next = ""; ; ) {
    const { body } = await api.get(path + next);
    found.push(...body.data);
    if (!body.has_more) return found;
    next = `&starting_after=${body.next_cursor}`;
  }
}

/** A response that the test reads at its own pace. */
async function open(shop: Business, path: string, baseUrl = service.baseUrl): Promise<IncomingMessage> {
  const asked = request(`${baseUrl}/public/v1${path}`, { headers: { authorization: `Bearer ${shop.key}` } });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return answer;
}

test("an export is the whole list, over any number of pages, and each line is the record as GET returns it", async () => {
  const { shop, listed } = await shopWith(2_345);
  const answer = await shop.api.get("/exports/sales");
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect(linesOf(answer)).toEqual(listed);
  const alone = await shop.api.get(`/sales/${listed[7]!.id}`);
  expect(answer.text.split("\n")[7]).toBe(alone.text);
});

test("an account without records exports nothing", async () => {
  const { api } = await service.business();
  const answer = await api.get("/exports/quotes");
  expect([answer.status, answer.text]).toEqual([200, ""]);
});

test("text with quotes, backslashes, line breaks and accents is exported as it was stored", async () => {
  const shop = await service.business();
  const texts = [
    'Doña "Ñata" \\ hijos',
    "línea\nnueva\ttabulada",
    "\\N",
    "\\.",
    "', ''); drop table sales; --",
    "🧾\u2028",
  ];
  for (const [i, description] of texts.entries()) await shop.api.post("/categories", { name: `Nº ${i}`, description });
  const answer = await shop.api.get("/exports/categories");
  const exported = linesOf(answer) as unknown as { description: string }[];
  expect(exported.map(({ description }) => description)).toEqual(texts.toReversed());
  await shop.api.post("/customers", { name: texts[0] });
  const found = await shop.api.get(`/exports/customers?q=${encodeURIComponent(`"Ñata" \\`)}`);
  expect(linesOf(found)).toHaveLength(1);
  const quoted = await shop.api.get(`/exports/customers?document_number=${encodeURIComponent("' or ''='")}`);
  expect([quoted.status, quoted.text]).toEqual([200, ""]);
});

test("the list's filters select the same records", async () => {
  const shop = await service.business();
  await store(service.deps, shop.accountId, sales, (at) =>
    ["completed", "open", "completed", "pending"].map((status) => ({ body: saleBody(at, { status }) })),
  );
  const since = encodeURIComponent(new Date(0).toISOString());
  for (const query of ["status=completed", "document_kind=invoice", `occurred_since=${since}&status=open`]) {
    const list = await shop.api.get(`/sales?${query}`);
    expect(linesOf(await shop.api.get(`/exports/sales?${query}`))).toEqual(list.body.data);
  }
  const unknown = await shop.api.get("/exports/sales?limit=5");
  expect(refusal(unknown)).toEqual([400, "VALIDATION_ERROR", "limit"]);
});

test("computed fields are computed here too: a quote past its date is expired", async () => {
  const shop = await service.business();
  await store(service.deps, shop.accountId, quotes, (at) => [{ body: quoteBody(at, { expires_at: at }) }]);
  expect(linesOf(await shop.api.get("/exports/quotes"))[0]!.status).toBe("expired");
});

test("events are exported in either order", async () => {
  const shop = await service.business();
  for (const name of ["Ana", "Beto", "Carla"]) await shop.api.post("/customers", { name });
  const newest = idsOf(linesOf(await shop.api.get("/exports/events")));
  const oldest = idsOf(linesOf(await shop.api.get("/exports/events?order=asc&type=customer.created")));
  expect(oldest).toEqual(newest.toReversed());
  const rest = await shop.api.get(`/exports/events?order=asc&starting_after=${oldest[0]}`);
  expect(idsOf(linesOf(rest))).toEqual(oldest.slice(1));
});

test("an export continues after the id of any line, or after a cursor of the list", async () => {
  const { shop, listed } = await shopWith(450);
  for (const at of [0, 199, 200, 201, 448, 449]) {
    const rest = await shop.api.get(`/exports/sales?starting_after=${listed[at]!.id}`);
    expect(idsOf(linesOf(rest))).toEqual(idsOf(listed.slice(at + 1)));
  }
  const { body } = await shop.api.get("/sales?limit=3");
  const rest = await shop.api.get(`/exports/sales?starting_after=${body.next_cursor}`);
  expect(idsOf(linesOf(rest))).toEqual(idsOf(listed.slice(3)));
});

test("a starting point from another account, from another filter or that does not exist is refused", async () => {
  const { shop } = await shopWith(5);
  const other = await shopWith(1);
  const { next_cursor } = (await shop.api.get("/sales?limit=1")).body;
  for (const place of [
    `starting_after=${other.listed[0]!.id}`,
    "starting_after=8f14e45f-ceea-467f-a8f2-9c1d3b1a0001",
    `starting_after=${next_cursor}&status=open`,
    "starting_after=nada",
    "starting_after=",
    `starting_after=${"a".repeat(201)}`,
  ]) {
    expect(refusal(await shop.api.get(`/exports/sales?${place}`))).toEqual([400, "INVALID_CURSOR", "starting_after"]);
  }
  const notSeven = await shop.api.get("/exports/events?starting_after=8f14e45f-ceea-467f-a8f2-9c1d3b1a0001");
  expect(refusal(notSeven)).toEqual([400, "INVALID_CURSOR", "starting_after"]);
});

test("an export is compressed with gzip on request", async () => {
  const { shop, listed } = await shopWith(900);
  const asked = request(`${service.baseUrl}/public/v1/exports/sales`, {
    headers: { authorization: `Bearer ${shop.key}`, "accept-encoding": "br;q=1, gzip;q=0.5" },
  });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await answer.toArray());
  expect(answer.headers["content-encoding"]).toBe("gzip");
  expect(answer.headers.vary).toBe("Accept-Encoding");
  expect(idsOf(linesOf({ text: gunzipSync(bytes).toString("utf8") }))).toEqual(idsOf(listed));
});

test("during writes, each record that existed at the start is exported once, and Export-As-Of finds every later change", async () => {
  const { shop, listed } = await shopWith(3_000);
  const answer = await open(shop, "/exports/sales");
  const asOf = answer.headers["export-as-of"] as string;
  // While the client pauses, records are added and changed, before and after what it has read.
  const [added] = await store(service.deps, shop.accountId, sales, (at) => [{ body: saleBody(at) }]);
  const touched = [listed[3]!, listed[2_990]!];
  for (const { id } of touched) await change(service.deps, shop.accountId, sales, id, () => ({ notes: "después" }));
  const text = Buffer.concat(await answer.toArray()).toString("utf8");
  expect(idsOf(linesOf({ text }))).toEqual(idsOf(listed));
  const later = linesOf(await shop.api.get(`/exports/sales?updated_since=${encodeURIComponent(asOf)}`));
  expect(idsOf(later)).toEqual(expect.arrayContaining(idsOf([added!, ...touched])));
});

test("an export by updated_since, read in two parts, leaves out what changed after it began", async () => {
  const { shop, listed } = await shopWith(6);
  const since = `updated_since=${encodeURIComponent(listed[5]!.updated_at)}`;
  const page = await shop.api.get(`/sales?limit=2&${since}`);
  await change(service.deps, shop.accountId, sales, listed[4]!.id, () => ({ notes: "después" }));
  const rest = linesOf(await shop.api.get(`/exports/sales?${since}&starting_after=${page.body.next_cursor}`));
  expect(idsOf(rest)).toEqual(idsOf([listed[2]!, listed[3]!, listed[5]!]));
});

test("an export counts as one request against the rate limit, however long it is", async () => {
  const limited = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "5" });
  try {
    const { shop } = await shopWith(2_000);
    const { headers } = await limited.client({ authorization: `Bearer ${shop.key}` }).get("/exports/sales");
    expect(headers.get("ratelimit-remaining")).toBe("4");
  } finally {
    await limited[Symbol.asyncDispose]();
  }
});

test("a slow client holds no database connection, and a client that disconnects ends its export", async () => {
  const { shop } = await shopWith(8_000);
  const { pool } = service.deps;
  const held = pool.totalCount - pool.idleCount;
  const answer = await open(shop, "/exports/sales");
  await once(answer, "readable");
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(held);
  const lastCopy = async () => {
    const text = "select max(query_start)::text as at from pg_stat_activity where query like 'copy (%'";
    return (await pool.query<{ at: string }>(text)).rows[0]!.at;
  };
  const before = await lastCopy();
  answer.destroy();
  await once(answer, "close");
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(held);
  expect(await lastCopy()).toBe(before);
  // A shutdown must not look like the end of the export: a second process stops while its export is running.
  const stopping = await service.sibling();
  const cut = await open(shop, "/exports/sales", stopping.baseUrl);
  await once(cut, "readable");
  const closed = stopping[Symbol.asyncDispose]();
  await expect(cut.toArray()).rejects.toThrow("aborted");
  await closed;
});

test("a page takes no more memory when the records after it are a hundred times as large", async () => {
  const shop = await service.business();
  const notes = "x".repeat(100_000);
  const stored = await store(service.deps, shop.accountId, sales, (at) =>
    Array.from({ length: 200 }, () => ({ body: { ...saleBody(at), notes } })),
  );
  const found: Line[] = [];
  for (let page: ExportPage | undefined; page?.hasMore ?? true; ) {
    const asked = { table: "sales", accountId: shop.accountId, conditions: [], order: "desc" as const, limit: 200 };
    page = await readExportPage(service.deps.pool, { ...asked, after: page?.end }, newPageBuffer(1024));
    expect(page.bytes.length).toBeLessThan(5 * 1024 * 1024);
    found.push(...linesOf({ text: page.bytes.toString() }));
  }
  expect(idsOf(found).toSorted()).toEqual(idsOf(stored).toSorted());
});

test("HEAD is refused: it would have to read the whole export", async () => {
  const { key } = await service.business();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${service.baseUrl}/public/v1/exports/sales`, { method: "HEAD", headers });
  expect([answer.status, answer.headers.get("allow")]).toEqual([404, "GET"]);
});
