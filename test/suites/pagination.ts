import { beforeAll, describe, expect, test } from "vitest";
import type { Answer, ApiClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import type { Business, Service } from "../support/service.ts";

/** A record as the suite knows it: `rank` orders records of one created_at. */
export interface Item {
  key: string;
  created_at: string;
  rank: string;
}

/** One list, and how a test fills it. */
export interface ListUnderTest {
  path: string;
  /** A query that every request of this suite has, for instance "order=asc". */
  always?: string;
  order: "asc" | "desc";
  /** Stores records in one write, each with the next millisecond as its created_at. */
  add(service: Service, shop: Business, count: number): Promise<Item[]>;
  /** What identifies a record of the list: its id, or for an event its object's id. */
  // biome-ignore lint/suspicious/noExplicitAny: any record of any list
  keyOf(record: any): string;
  /** Changes a record and its updated_at; absent where nothing ever changes. */
  touch?(service: Service, shop: Business, key: string): Promise<{ updated_at: string }>;
  /** Deletes a record; absent where the list does not offer include_deleted. */
  remove?(service: Service, shop: Business, key: string): Promise<unknown>;
  /** A filter of this list that its records match, and the same one with another value. */
  filter: { passing: string; other: string };
}

/** What every list promises (decisions, 6). Each list of the API runs all of it. */
export function passesPagination(started: () => Service, list: ListUnderTest): void {
  describe(`GET ${list.path}${list.always ? `?${list.always}` : ""}`, () => {
    let service: Service;
    let shop: Business;
    let items: Item[];
    const url = (...query: string[]) => `${list.path}?${[list.always ?? "", ...query].filter(Boolean).join("&")}`;
    const keys = (answer: Answer) => answer.body.data.map(list.keyOf);
    const keysOf = (some: readonly Item[]) => some.map((item) => item.key);

    async function fill(business: Business, sizes: readonly number[]): Promise<Item[]> {
      const made: Item[] = [];
      for (const size of sizes) made.push(...(await list.add(service, business, size)));
      return inOrder(made, list.order);
    }

    beforeAll(async () => {
      service = started();
      shop = await service.business();
      items = await fill(shop, [1, 5, 1, 7, 3, 9, 4]);
    });

    test("an account without records has an empty list", async () => {
      const { api } = await service.business();
      const { status, text } = await api.get(url());
      expect(status).toBe(200);
      expect(text).toBe('{"object":"list","data":[],"has_more":false,"next_cursor":null}');
    });

    test("a page has 25 records by default", async () => {
      const { body } = await shop.api.get(url());
      expect(body.data.map(list.keyOf)).toEqual(keysOf(items.slice(0, 25)));
      expect(body).toMatchObject({ object: "list", has_more: true, next_cursor: expect.any(String) });
    });

    test("a page has from 1 to 100 records", async () => {
      expect(keys(await shop.api.get(url("limit=1")))).toEqual(keysOf(items.slice(0, 1)));
      expect(keys(await shop.api.get(url("limit=100")))).toEqual(keysOf(items));
      for (const limit of ["0", "101", "-1", "2.5", "x", ""]) {
        const answer = await shop.api.get(url(`limit=${limit}`));
        expect([limit, ...refusal(answer)]).toEqual([limit, 400, "VALIDATION_ERROR", "limit"]);
      }
    });

    test("has_more is true exactly while more records follow", async () => {
      for (const [limit, follows] of [
        [29, true],
        [30, false],
        [31, false],
      ] as const) {
        const { body } = await shop.api.get(url(`limit=${limit}`));
        expect([limit, body.has_more]).toEqual([limit, follows]);
        // In ascending order the cursor stays at the end, from where new records will follow.
        expect(typeof body.next_cursor).toBe(follows || list.order === "asc" ? "string" : "object");
      }
    });

    test("the pages together are the whole list", async () => {
      for (const limit of [1, 4, 7, 29]) {
        const pages = await walk(shop.api, url(`limit=${limit}`));
        expect(pages.flatMap(keys)).toEqual(keysOf(items));
        expect(pages.slice(0, -1).every((page) => page.body.data.length === limit)).toBe(true);
      }
    });

    test("the page size may change between pages", async () => {
      const first = await shop.api.get(url("limit=2"));
      const second = await shop.api.get(url("limit=11", `starting_after=${first.body.next_cursor}`));
      const third = await shop.api.get(url(`starting_after=${second.body.next_cursor}`));
      expect([first, second, third].flatMap(keys)).toEqual(keysOf(items));
    });

    test("a cursor continues from its position after new records arrive", async () => {
      const busy = await service.business();
      const before = await fill(busy, [2, 3]);
      const first = await busy.api.get(url("limit=3"));
      const added = await fill(busy, [2]);
      const rest = await walk(busy.api, url("limit=3", `starting_after=${first.body.next_cursor}`));
      const expected = list.order === "desc" ? before : [...before, ...added];
      expect([first, ...rest].flatMap(keys)).toEqual(keysOf(expected));
    });

    test("a cursor of another route, account or filter is refused", async () => {
      const cursor = (await shop.api.get(url("limit=2"))).body.next_cursor;
      const filtered = (await shop.api.get(url("limit=2", list.filter.passing))).body.next_cursor;
      const stranger = await service.business();
      const otherRoute = list.path === "/sales" ? "/quotes" : "/sales";
      const attempts: [string, ApiClient, string][] = [
        ["another route", shop.api, `${otherRoute}?starting_after=${cursor}`],
        ["another account", stranger.api, url(`starting_after=${cursor}`)],
        ["a filter it did not have", shop.api, url(list.filter.passing, `starting_after=${cursor}`)],
        ["a filter it no longer has", shop.api, url(`starting_after=${filtered}`)],
        ["another value of its filter", shop.api, url(list.filter.other, `starting_after=${filtered}`)],
        ["a time window", shop.api, url("created_since=2020-01-01T00:00:00Z", `starting_after=${cursor}`)],
      ];
      for (const [what, api, path] of attempts) expect([what, ...refusal(await api.get(path))]).toEqual(refused(what));
      expect((await shop.api.get(url(list.filter.passing, `starting_after=${filtered}`))).status).toBe(200);
    });

    test("a cursor that was tampered with is refused", async () => {
      const cursor: string = (await shop.api.get(url("limit=2"))).body.next_cursor;
      const altered = [0, 7, 15, 29, 40, cursor.length - 1].map((at) => {
        const letter = cursor[at] === "A" ? "B" : "A";
        return cursor.slice(0, at) + letter + cursor.slice(at + 1);
      });
      for (const bad of [
        ...altered,
        `${cursor}A`,
        cursor.slice(0, -1),
        `${cursor}=`,
        "",
        "x",
        "x".repeat(201),
        `${cursor}${"A".repeat(10_000)}`,
        "null",
        "%20",
        "1' or 1=1",
      ]) {
        expect([bad, ...refusal(await shop.api.get(url(`starting_after=${bad}`)))]).toEqual(refused(bad));
      }
    });

    test("created_since is inclusive and created_until exclusive, to the millisecond", async () => {
      const at = items[15]!.created_at;
      const after = shifted(at, 1);
      const since = items.filter((item) => item.created_at >= at);
      const until = items.filter((item) => item.created_at < at);
      expect(since.length).toBeGreaterThan(0);
      expect(until.length).toBeGreaterThan(0);
      const all = "limit=100";
      expect(keys(await shop.api.get(url(all, `created_since=${at}`)))).toEqual(keysOf(since));
      expect(keys(await shop.api.get(url(all, `created_until=${at}`)))).toEqual(keysOf(until));
      expect(keys(await shop.api.get(url(all, `created_since=${after}`)))).toEqual(
        keysOf(items.filter((item) => item.created_at > at)),
      );
      expect(keys(await shop.api.get(url(all, `created_since=${at}`, `created_until=${after}`)))).toEqual(
        keysOf(items.filter((item) => item.created_at === at)),
      );
      const bogota = encodeURIComponent(inBogota(at));
      expect(keys(await shop.api.get(url(all, `created_since=${bogota}`)))).toEqual(keysOf(since));
    });

    test("a filter narrows the list, and the result is paged like it", async () => {
      const pages = await walk(shop.api, url(list.filter.passing, "limit=8"));
      expect(pages.flatMap(keys)).toEqual(keysOf(items));
      expect(keys(await shop.api.get(url(list.filter.other)))).toEqual([]);
    });

    test("a page ends before it exceeds 2 MiB, has at least one record, and the next one continues there", async () => {
      const busy = await service.business();
      const made = await fill(busy, [2, 3, 2]);
      const { pool } = service.deps;
      const told = `update ${tableOf(list.path)} set body_bytes = $2 where account_id = $1`;
      await pool.query(told, [busy.accountId, 900_000]);
      const pages = await walk(busy.api, url("limit=5"));
      expect(pages.map((page) => page.body.data.length)).toEqual([2, 2, 2, 1]);
      expect(pages.flatMap(keys)).toEqual(keysOf(made));
      await pool.query(told, [busy.accountId, 3_000_000]);
      const single = await walk(busy.api, url(list.filter.passing));
      expect(single.map((page) => page.body.data.length)).toEqual([1, 1, 1, 1, 1, 1, 1]);
      expect(single.flatMap(keys)).toEqual(keysOf(made));
    });

    test("the list never has a record of another account", async () => {
      const neighbour = await service.business();
      const own = await fill(neighbour, [2, 1]);
      expect(keys(await neighbour.api.get(url("limit=100")))).toEqual(keysOf(own));
      expect(keys(await shop.api.get(url("limit=100")))).toEqual(keysOf(items));
    });

    const { touch, remove } = list;
    if (touch) {
      test("updated_since is inclusive, to the millisecond, and follows the order of the writes", async () => {
        const busy = await service.business();
        const made = await fill(busy, [3, 3]);
        const chosen = [made[4]!, made[0]!];
        const times: string[] = [];
        for (const item of chosen) times.push((await touch(service, busy, item.key)).updated_at);
        expect(times[0]! < times[1]!).toBe(true);
        const since = async (at: string) => keys(await busy.api.get(url(`updated_since=${at}`)));
        expect(await since(times[0]!)).toEqual(keysOf(inOrder(chosen, list.order)));
        expect(await since(shifted(times[0]!, 1))).toEqual([chosen[1]!.key]);
        expect(await since(times[1]!)).toEqual([chosen[1]!.key]);
        expect(await since(shifted(times[1]!, 1))).toEqual([]);
      });

      test("pages by updated_since leave out what changes after the first page", async () => {
        const busy = await service.business();
        const made = await fill(busy, [3, 3]);
        const from = `updated_since=${made.at(-1)!.created_at}`;
        const first = await busy.api.get(url(from, "limit=2"));
        const changedLater = made[4]!;
        const { updated_at } = await touch(service, busy, changedLater.key);
        const rest = await walk(busy.api, url(from, "limit=2", `starting_after=${first.body.next_cursor}`));
        expect([first, ...rest].flatMap(keys)).toEqual(keysOf(made.filter((item) => item !== changedLater)));
        const seen: string[] = [first, ...rest].flatMap((page) => page.body.data.map(updatedAt));
        const next = await busy.api.get(url(`updated_since=${seen.sort().at(-1)}`));
        expect(keys(next)).toContain(changedLater.key);
        expect(next.body.data.map(updatedAt)).toContain(updated_at);
      });
    } else {
      test("updated_since is refused where nothing changes", async () => {
        const answer = await shop.api.get(url("updated_since=2020-01-01T00:00:00Z"));
        expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "updated_since"]);
      });
    }

    if (remove) {
      test("deleted records are listed only on request", async () => {
        const busy = await service.business();
        const made = await fill(busy, [2, 2]);
        const gone = made[1]!;
        await remove(service, busy, gone.key);
        const living = made.filter((item) => item !== gone);
        expect(keys(await busy.api.get(url()))).toEqual(keysOf(living));
        expect(keys(await busy.api.get(url("include_deleted=false")))).toEqual(keysOf(living));
        const all = await busy.api.get(url("include_deleted=true"));
        expect(keys(all)).toEqual(keysOf(made));
        expect(all.body.data.map((record: { deleted_at: string | null }) => record.deleted_at !== null)).toEqual(
          made.map((item) => item === gone),
        );
      });
    } else {
      test("include_deleted is refused where nothing is deleted", async () => {
        const answer = await shop.api.get(url("include_deleted=true"));
        expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "include_deleted"]);
      });
    }
  });
}

/** Every page from this path on, following next_cursor as a client would. */
export async function walk(api: ApiClient, path: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let next = path; ; ) {
    const page = await api.get(next);
    expect(page.status, page.text).toBe(200);
    pages.push(page);
    expect(pages.length, "a walk that never ends").toBeLessThan(1000);
    if (!page.body.has_more) return pages;
    const [route, query] = path.split("?");
    const kept = new URLSearchParams(query);
    kept.set("starting_after", page.body.next_cursor);
    next = `${route}?${kept.toString()}`;
  }
}

function inOrder(items: readonly Item[], order: "asc" | "desc"): Item[] {
  const place = (item: Item) => `${item.created_at} ${item.rank}`;
  const ascending = items.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return order === "asc" ? ascending : ascending.toReversed();
}

/** The table behind a list. */
function tableOf(path: string): string {
  return path === "/inventory/movements" ? "stock_movements" : path.slice(1).replace("-", "_");
}

function refused(what: string): unknown[] {
  return [what, 400, "INVALID_CURSOR", "starting_after"];
}

function shifted(instant: string, byMs: number): string {
  return new Date(Date.parse(instant) + byMs).toISOString();
}

function inBogota(instant: string): string {
  return shifted(instant, -5 * 3_600_000).replace("Z", "-05:00");
}

function updatedAt(record: { updated_at: string }): string {
  return record.updated_at;
}
