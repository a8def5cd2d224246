import { beforeAll, describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import type { Customer } from "../../src/business/customers/schema.ts";
import { foldText, keyLookup } from "../../src/engine/search/search-text.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { customerBody, remove, store } from "../support/records.ts";

const size = 3_000;
const batch = 500;

const service = sharedService();
const shop = sharedShop(service);
/** All customers of the shop as the list sorts them. */
let all: Customer[];
beforeAll(async () => {
  const twin = await service.business();
  const made: Customer[] = [];
  for (let from = 0; from < size; from += batch) {
    const some = (at: string) =>
      Array.from({ length: batch }, (_, i) =>
        customerBody(at, { name: nameOf(from + i), phone: `300${from + i}`, document_number: `9${from + i}` }),
      );
    const stored = await store(service.deps, shop.accountId, customers, (at) => some(at).map((body) => ({ body })));
    await store(service.deps, twin.accountId, customers, (at) => some(at).map((body) => ({ body })));
    made.push(...stored);
  }
  const deleted = await remove(service.deps, shop.accountId, customers, made[20]!.id);
  made[20] = deleted;
  all = made.toSorted((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
});

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Of the oldest, with "kj" before each kind of character that may follow it. */
const endings = ["kj", "kj a", "kjz", "kj7", "kj-a", "kj面", "kj🥛"];

/**
 * Every second name has Ñandú, every fiftieth Sombrero, five of the oldest Wálter, one at each end Xiomara, and some of the oldest one
 * of the endings.
 */
function nameOf(number: number): string {
  const words = [number % 2 === 0 ? "Ñandú" : "Cóndor"];
  if (number % 50 === 0) words.push("Sombrero");
  if (number < 50 && number % 10 === 0) words.push("Wálter");
  if (number === 1 || number === size - 1) words.push("Xiomara");
  words.push(...endings.slice(number, number + 1));
  return words.join(" ");
}

function expected(q: string, holds: (customer: Customer) => boolean = (customer) => customer.deleted_at === null) {
  const isFound = ({ name, phone }: Customer) => [name, phone!].some((field) => foldText(field).includes(foldText(q)));
  return all.filter((customer) => holds(customer) && isFound(customer)).map(({ id }) => id);
}

/** The ids of all pages, in order. */
async function found(q: string, limit: number, more = ""): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ; ) {
    const { body } = await shop.api.get(`/customers?q=${encodeURIComponent(q)}&limit=${limit}${more}${after}`);
    ids.push(...body.data.map(({ id }: Customer) => id));
    if (!body.has_more) return ids;
    after = `&starting_after=${encodeURIComponent(body.next_cursor)}`;
  }
}

describe("a search finds each record once, newest first, and none of another account, when it matches", () => {
  test.each([
    ["every second record", "NANDU", 100],
    ["every second record, by two letters", "ñ", 100],
    ["one in fifty, fewer than the first pass suggests", "sombrero", 30],
    ["one in fifty, on small pages", "u sombr", 7],
    ["five of the oldest", "walter", 3],
    ["the newest and one of the oldest", "xiomara", 1],
    ["the newest and one of the oldest, by two letters", "xi", 1],
    ["some of the oldest, by two letters, whatever follows them", "kj", 2],
    ["one, by a part of its number", "3002999", 5],
    ["none", "fernando", 5],
    ["none, though each of its trigrams occurs", "sombrero nandu", 5],
  ])("%s", async (_what, q, limit) => {
    const term = q.length === 1 ? `${q}${q.normalize("NFD").slice(1)}` : q;
    expect(await found(term, limit)).toEqual(expected(term));
  });
});

test("two letters find a record that was stored with a key for each of its pairs", async () => {
  const [pair] = keyLookup(shop.accountId, ["kj"]).keys;
  // No other test looks for it by its name.
  const { id } = all.find(({ name }) => name === "Cóndor kj7")!;
  await service.deps.pool.query("update customers set search_keys = array[$3::int] where account_id = $1 and id = $2", [
    shop.accountId,
    id,
    pair,
  ]);
  expect(await found("kj", 5)).toEqual(expected("kj"));
});

describe("a search can be combined with", () => {
  test("a filter that hides how common two letters are", async () => {
    const { id } = all.find((customer) => customer.document_number === "97")!;
    expect(await found("nd", 5, "&document_number=97")).toEqual([id]);
    expect(await found("xi", 5, "&document_number=97")).toEqual([]);
  });

  test("deleted records", async () => {
    expect(await found("walter", 2, "&include_deleted=true")).toEqual(expected("walter", () => true));
    expect(expected("walter", () => true)).toHaveLength(5);
  });

  test("a time window at the far end of the list", async () => {
    const until = all[size - batch]!.created_at;
    const oldest = ({ created_at, deleted_at }: Customer) => deleted_at === null && created_at < until;
    expect(await found("nandu", 40, `&created_until=${until}`)).toEqual(expected("nandu", oldest));
    expect(await found("sombrero", 40, `&created_since=${until}`)).toEqual(
      expected("sombrero", ({ created_at }) => created_at >= until),
    );
  });

  test("changes since an instant", async () => {
    const since = all[batch]!.created_at;
    const recent = ({ updated_at, deleted_at }: Customer) => deleted_at === null && updated_at >= since;
    expect(await found("sombrero", 9, `&updated_since=${since}`)).toEqual(expected("sombrero", recent));
  });
});

test.each(["sombrero", "kj"])("an export with the same search has the same records: %s", async (q) => {
  const answer = await fetch(`${service.baseUrl}/public/v1/exports/customers?q=${q}`, {
    headers: { authorization: `Bearer ${shop.key}` },
  });
  const lines = (await answer.text()).trim().split("\n");
  const ids = lines.map((line) => (JSON.parse(line) as Customer).id);
  expect(ids.toSorted()).toEqual(expected(q).toSorted());
});
