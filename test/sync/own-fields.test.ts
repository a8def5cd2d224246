import { describe, expect, test } from "vitest";
import { customerBody, productBody, quoteBody, saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { type Flag, now, registerPerTest } from "../support/registered-shop.ts";

const { flagged, service, shop, till } = registerPerTest();
const own = { external_id: "WEB-1", metadata: { canal: "tienda" } };

const kinds = [
  ["customer", customerBody, "/customers"],
  ["product", productBody, "/products"],
  ["sale", saleBody, "/sales"],
  ["quote", quoteBody, "/quotes"],
] as const;

describe.each(kinds)("the own fields of a %s", (type, body, path) => {
  const record = (fields: object = {}) => ({ ...upload(body(now())), ...fields });
  const read = async (id: unknown) => (await shop.api.get(`${path}/${String(id)}`)).body;

  test("come up from a register, and stay when it says nothing of them", async () => {
    const data = record(own);
    expect(await till.put(type, data)).toMatchObject({ status: "applied" });
    expect(await read(data.id)).toMatchObject(own);
    const { external_id, metadata, ...rest } = data;
    await till.put(type, { ...rest, notes: "otra", name: "otro" });
    expect(await read(data.id)).toMatchObject(own);
    await till.put(type, { ...rest, metadata: { canal: null, mesero: "Ana" }, external_id: null });
    const changed = await read(data.id);
    expect(changed.metadata).toEqual({ mesero: "Ana" });
    expect(changed).not.toHaveProperty("external_id");
    const found = (await shop.api.get(`${path}?external_id=WEB-1`)).body.data;
    expect(found).toEqual([]);
  });

  test("are the same upload when they come again", async () => {
    const data = record(own);
    await till.put(type, data);
    const before = await read(data.id);
    await till.put(type, data);
    expect(await read(data.id)).toEqual(before);
  });

  test("leave out an external id that another record has, which is flagged", async () => {
    const [first, second, third] = [record(own), record(own), record(own)];
    await till.put(type, first);
    const other = await enrol(service, shop.accountId);
    expect(await other.put(type, second)).toMatchObject({ status: "applied" });
    await till.push([
      { type, id: third.id, data: third },
      { type, data: record({ external_id: "WEB-2" }) },
      { type, data: record({ external_id: "WEB-2" }) },
    ]);
    const found = (await shop.api.get(`${path}?external_id=WEB-1`)).body.data;
    expect(found.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    expect((await shop.api.get(`${path}?external_id=WEB-2`)).body.data).toHaveLength(1);
    expect(await read(third.id)).toMatchObject({ metadata: own.metadata });
    const findings = (await flagged()).flatMap((flag: Flag) => flag.findings);
    expect(
      findings.map(({ field, got }: { field: string; got?: unknown }) => `${field} ${String(got)}`).sort(),
    ).toEqual(["external_id WEB-1", "external_id WEB-2"]);
  });

  test("leave out what is beyond the limits, which is flagged, and never keep the record out", async () => {
    const metadata = { a: 1, ["k".repeat(41)]: "x", b: "x".repeat(501), c: "bien" };
    const data = record({ external_id: "x".repeat(101), metadata });
    expect(await till.put(type, data)).toMatchObject({ status: "applied" });
    const stored = await read(data.id);
    expect(stored.metadata).toEqual({ c: "bien" });
    expect(stored).not.toHaveProperty("external_id");
    const [{ findings }] = await flagged();
    expect(findings.map(({ field }: { field: string }) => field)).toEqual(["external_id", "metadata"]);
    expect(await till.put(type, record({ external_id: {}, metadata: "texto" }))).toMatchObject({ status: "applied" });
  });
});

test("a deleted record's external id is free, and the record comes back without it", async () => {
  const [first, second] = [upload(customerBody(now(), own)), upload(customerBody(now(), own))];
  await till.put("customer", first);
  await till.push([{ type: "customer", id: first.id, op: "delete" }]);
  await till.put("customer", second);
  expect((await shop.api.get("/customers?external_id=WEB-1")).body.data).toMatchObject([{ id: second.id }]);
  expect(await till.put("customer", { ...first, deleted_at: null })).toMatchObject({ status: "applied" });
  expect((await shop.api.get("/customers?external_id=WEB-1")).body.data).toMatchObject([{ id: second.id }]);
});

test("they go down with customers and quotes, and with products behind a capability", async () => {
  await shop.api.post("/customers", { name: "Ana", ...own });
  await shop.api.post("/products", { name: "Pan", base_price: 800, ...own });
  const down = async (register: typeof till) =>
    (await register.pull()).body.changes.filter(
      ({ type }: { type: string }) => type === "customer" || type === "product",
    );
  const [customer, product] = await down(till);
  expect(customer.data).toMatchObject(own);
  expect(product.data.set).not.toHaveProperty("external_id");
  const knowing = await enrol(service, shop.accountId, { capabilities: ["product.remote_edit.1", "own_fields.1"] });
  expect((await down(knowing)).at(-1).data.set).toMatchObject(own);
});
