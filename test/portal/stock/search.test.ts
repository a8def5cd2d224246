import { beforeAll, expect, test } from "vitest";
import { invoices } from "../../../src/business/invoices/resource.ts";
import { quotes } from "../../../src/business/quotes/resource.ts";
import { sales } from "../../../src/business/sales/resource.ts";
import { setProfile } from "../../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../../src/fiscal/profile/set-range.ts";
import { sampleRecord } from "../../suites/samples.ts";
import { expectError } from "../../support/expect-error.ts";
import { softwarePin } from "../../support/fiscal.ts";
import { sharedService } from "../../support/fixtures.ts";
import { call, openPortal, type Portal } from "../../support/portal.ts";
import { newProduct } from "../../support/product.ts";
import { store } from "../../support/records.ts";
import { enrol } from "../../support/register.ts";

const service = sharedService();
let owner: Portal;
let other: Portal;
const cufe = "a1b2c3d4".repeat(12);
let ids: { sale: string; document: string; quote: string };
beforeAll(async () => {
  owner = await openPortal(service);
  other = await openPortal(service);
  const api = owner.business.api;
  await newProduct(api, { name: "Jabón azul", sku: "JAB-77" });
  await newProduct(api, { name: "Camisa", variants: [{ label: "M", sku: "CAM-M" }] });
  await api.post("/customers", { name: "Íngrid", last_name: "Peña", document_number: "1030555777" });
  const { accountId } = owner;
  const record = <R extends Parameters<typeof sampleRecord>[0]>(resource: R, at: string, fields: object) => {
    const sample = sampleRecord(resource, at);
    return { ...sample, body: { ...sample.body, ...fields } };
  };
  const put = async (resource: Parameters<typeof sampleRecord>[0], fields: object) =>
    (await store(service.deps, accountId, resource, (at) => [record(resource, at, fields)] as never))[0]!.id;
  ids = {
    sale: await put(sales as never, {}),
    document: await put(invoices as never, { prefix: "EPOS", number: 1204, cufe }),
    quote: await put(quotes as never, { prefix: "COT", number: 88 }),
  };
});

async function found(q: string, portal = owner): Promise<string[]> {
  const { status, body, text } = await portal.get(`/search?q=${encodeURIComponent(q)}`);
  expect(status, text).toBe(200);
  return body.data.map(({ kind, name, number, id }: Record<string, string>) => `${kind} ${name ?? number ?? id}`);
}

test("one search finds products, customers, sales, documents and quotes by what people know of them", async () => {
  expect(await found("JABON")).toEqual(["product Jabón azul"]);
  expect(await found("JAB-77")).toEqual(["product Jabón azul"]);
  expect(await found("CAM-M")).toEqual(["product Camisa"]);
  expect(await found("ingrid")).toEqual(["customer Íngrid"]);
  expect(await found("1030555777")).toContain("customer Íngrid");
  for (const q of ["epos 1204", "EPOS-1204", "epos1204", "1204", "#1204"])
    expect(await found(q)).toContain("document 1204");
  expect(await found("FE 1204")).toEqual([]);
  expect(await found("cot 88")).toEqual(["quote 88"]);
  expect(await found(cufe)).toEqual(["document 1204"]);
  expect(await found(cufe.slice(0, 12))).toEqual(["document 1204"]);
  expect(await found(ids.sale)).toEqual([`sale ${ids.sale}`]);
  expect(await found(ids.sale.slice(0, 13))).toContain(`sale ${ids.sale}`);
});

test("nobody finds what belongs to another account", async () => {
  for (const q of ["jabon", "ingrid", "epos 1204", "cot 88", cufe, ids.sale]) expect(await found(q, other)).toEqual([]);
});

test("a search that cannot be one is refused, and a strange one finds nothing", async () => {
  for (const q of ["", "q=", "q=a", "q=%20%20", `q=${"x".repeat(101)}`, "q=%00%00", "q=ab&limit=1"]) {
    const answer = await owner.get(`/search?${q}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  }
  for (const q of ["%%", "__", "´´", "\\\\", "' or 1=1", "9".repeat(100), "f".repeat(33), "-".repeat(9)])
    expect(await found(q)).toEqual([]);
  expectError(await owner.get("/search?q=%ff"), "VALIDATION_ERROR", { param: "q" });
  expect((await call(service, "GET", "/search?q=ab")).status).toBe(401);
});

test("each first step knows by itself when it is done", async () => {
  const shop = await openPortal(service);
  const done = async () =>
    (await shop.get("/start")).body.steps.flatMap((one: { step: string; is_done: boolean }) =>
      one.is_done ? [one.step] : [],
    );
  expect(await done()).toEqual([]);
  await setProfile(service.deps, shop.accountId, { nit: "900373923-8", regime: "iva", softwarePin });
  expect(await done()).toEqual(["tax_data"]);
  await setRange(service.deps, shop.accountId, {
    kind: "pos",
    prefix: "EPOS",
    first: 1,
    last: 9,
    validUntil: "2098-12-31",
  });
  const till = await enrol(service, shop.accountId);
  await till.pull();
  await newProduct(shop.business.api);
  expect(await done()).toEqual(["tax_data", "numbering", "register", "product"]);
  expect((await shop.get("/start")).body.is_done).toBe(false);
  const made = [sales, invoices].map((resource) => resource as never as Parameters<typeof sampleRecord>[0]);
  for (const resource of made)
    await store(service.deps, shop.accountId, resource, (at) => [sampleRecord(resource, at)] as never);
  expect((await shop.get("/start")).body).toMatchObject({ is_done: true, is_hidden: false });
});

test("the first steps can be put away and brought back", async () => {
  expect((await other.put("/start", { is_hidden: true })).status).toBe(204);
  expect((await other.get("/start")).body.is_hidden).toBe(true);
  expect((await owner.get("/start")).body.is_hidden).toBe(false);
  await other.put("/start", { is_hidden: false });
  expect((await other.get("/start")).body.is_hidden).toBe(false);
  expectError(await other.put("/start", { is_hidden: 1 }), "VALIDATION_ERROR", { param: "is_hidden" });
});
