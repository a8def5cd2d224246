import { describe, expect, test } from "vitest";
import { shopPerTest, verifiedService } from "../support/fixtures.ts";
import { eventsOf } from "../support/product.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = verifiedService();
const shop = shopPerTest(service);
const stranger = shopPerTest(service);
const kinds = [
  ["/customers", { name: "Ana" }],
  ["/products", { name: "Pan", base_price: 800 }],
] as const;

describe.each(kinds)("own fields on %s", (path, input) => {
  const create = (fields: object = {}, of = shop) => of.api.post(path, { ...input, ...fields });

  test("are published, stored and announced as they were sent, tidied", async () => {
    const sent = { external_id: " CRM-1 ", metadata: { " club ": " oro ", nivel: "e\u0301lite", vacio: "" } };
    const kept = { external_id: "CRM-1", metadata: { club: "oro", nivel: "\u00e9lite" } };
    const { status, body } = await create(sent);
    expect([status, body]).toEqual([201, expect.objectContaining(kept)]);
    expect((await shop.api.get(`${path}/${body.id}`)).body).toMatchObject(kept);
    expect((await eventsOf(shop.api))[0]?.data.object).toMatchObject(kept);
  });

  test("are absent from a record without them", async () => {
    const { body } = await create({ external_id: "", metadata: {} });
    expect(body).not.toHaveProperty("external_id");
    expect(body).not.toHaveProperty("metadata");
    expect((await create({ external_id: null, metadata: null })).status).toBe(201);
  });

  test("are changed key by key, and removed by an empty text or null", async () => {
    const { body: made } = await create({ external_id: "A", metadata: { a: "1", b: "2", c: "3" } });
    const change = async (fields: object) => (await shop.api.patch(`${path}/${made.id}`, fields)).body;
    expect((await change({ metadata: { a: "uno", b: null, c: "" } })).metadata).toEqual({ a: "uno" });
    expect(await change({ external_id: "B" })).toMatchObject({ external_id: "B", metadata: { a: "uno" } });
    const before = await change({ metadata: { d: "4" } });
    expect(await change({ external_id: "B", metadata: { a: "uno", z: null } })).toEqual(before);
    expect(await change({ metadata: null })).not.toHaveProperty("metadata");
    expect(await change({ external_id: null })).not.toHaveProperty("external_id");
  });

  test("find their record, in this account only", async () => {
    const { body } = await create({ external_id: "caf\u00e9" });
    await create({ external_id: "CAF\u00c9" });
    await create({ external_id: "caf\u00e9" }, stranger);
    const { data } = (await shop.api.get(`${path}?external_id=${encodeURIComponent("cafe\u0301")}`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });

  test("an external id that another has is refused, and free again when it is given up", async () => {
    const [{ body: first }, { body: other }] = [await create({ external_id: "A" }), await create()];
    const taken = [409, "CONFLICT", "external_id"];
    expect(refusal(await create({ external_id: "A" }))).toEqual(taken);
    expect(refusal(await shop.api.patch(`${path}/${other.id}`, { external_id: "A" }))).toEqual(taken);
    const twins = await Promise.all([create({ external_id: "B" }), create({ external_id: "B" })]);
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
    await shop.api.patch(`${path}/${first.id}`, { external_id: null });
    expect((await shop.api.patch(`${path}/${other.id}`, { external_id: "A" })).status).toBe(200);
  });

  test.each([
    ["a long external id", { external_id: "x".repeat(101) }, "external_id"],
    ["an external id of two lines", { external_id: "a\nb" }, "external_id"],
    ["a number as external id", { external_id: 7 }, "external_id"],
    ["no object", { metadata: [] }, "metadata"],
    ["too many keys", { metadata: keys(51) }, "metadata"],
    ["a long key", { metadata: { ["k".repeat(41)]: "1" } }, `metadata.${"k".repeat(41)}`],
    ["an empty key", { metadata: { " ": "1" } }, "metadata."],
    ["a hidden character in a key", { metadata: { "a\u200bb": "1" } }, "metadata.a\u200bb"],
    ["a long value", { metadata: { a: "x".repeat(501) } }, "metadata.a"],
    ["a number as value", { metadata: { a: 1 } }, "metadata.a"],
    ["a control character in a value", { metadata: { a: "x\u0007" } }, "metadata.a"],
  ])("are refused with %s", async (_, fields, param) => {
    expect(refusal(await create(fields))).toEqual(refused(param));
  });

  test("never come to more than 50 keys", async () => {
    const { body } = await create({ metadata: keys(50) });
    expect(refusal(await shop.api.patch(`${path}/${body.id}`, { metadata: { más: "1" } }))).toEqual(
      refused("metadata"),
    );
    const swapped = await shop.api.patch(`${path}/${body.id}`, { metadata: { más: "1", k0: null } });
    expect(Object.keys(swapped.body.metadata)).toHaveLength(50);
  });

  test("may be called like what every object has", async () => {
    const metadata = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
    const { body } = await create({ metadata });
    expect(Object.entries(body.metadata)).toEqual(Object.entries(metadata));
  });
});

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "v"]));
}
