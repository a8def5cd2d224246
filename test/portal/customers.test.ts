import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { quotes } from "../../src/business/quotes/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { customerBody, quoteBody, saleBody, store } from "../support/records.ts";

const service = verifiedService();
const owner: Portal = perTest(() => openPortal(service));

const once = () => ({ "idempotency-key": randomUUID() });
const eventTypes = async () =>
  (await owner.business.api.get("/events")).body.data.map(({ type }: { type: string }) => type);

describe("the owner", () => {
  test("makes a customer as the API does, with its event", async () => {
    const made = await owner.post(
      "/customers",
      { name: "Ana", document_type: "NIT", document_number: "900373923-8" },
      once(),
    );
    expect([made.status, made.body.contact_channel]).toEqual([201, "none"]);
    expect((await owner.business.api.get(`/customers/${made.body.id}`)).body).toEqual(made.body);
    expect(await eventTypes()).toEqual(["customer.created"]);
  });

  test("makes one customer however often the form is sent", async () => {
    const key = once();
    const [first, second] = await Promise.all([
      owner.post("/customers", { name: "Ana" }, key),
      owner.post("/customers", { name: "Ana" }, key),
    ]);
    const again = await owner.post("/customers", { name: "Ana" }, key);
    const made = [first, second, again].filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(new Set(made).size).toBe(1);
    expect((await owner.get("/records/customers")).body.data).toHaveLength(1);
  });

  test("edits a customer unless somebody else changed it meanwhile", async () => {
    const { body: made } = await owner.post("/customers", { name: "Ana" }, once());
    const { version } = (await owner.get(`/customers/${made.id}`)).body;
    const edited = await owner.patch(`/customers/${made.id}`, { phone: "300 123 4567" }, { "if-match": version });
    expect([edited.status, edited.body.phone]).toEqual([200, "300 123 4567"]);
    const late = await owner.patch(`/customers/${made.id}`, { phone: "311" }, { "if-match": version });
    expect([late.status, late.body.error.code]).toEqual([409, "CONFLICT"]);
    expect((await owner.get(`/customers/${made.id}`)).body.customer.phone).toBe("300 123 4567");
    expect(await eventTypes()).toEqual(["customer.updated", "customer.created"]);
  });

  test.each([
    [{}, "name"],
    [{ name: "   " }, "name"],
    [{ name: "x".repeat(121) }, "name"],
    [{ name: "Ana", email: "ana" }, "email"],
    [{ name: "Ana", document_type: "RUT" }, "document_type"],
    [{ name: "Ana\u0000" }, "name"],
    [{ name: "Ana", nota: 1 }, "nota"],
  ])("is refused %j with the field named", async (body, param) => {
    const { status, body: answer } = await owner.post("/customers", body, once());
    expect([status, answer.error.param]).toEqual([400, param]);
  });

  test("sees a customer with what it bought and was quoted", async () => {
    const { accountId } = owner;
    const [customer] = await store(service.deps, accountId, customers, (at) => [{ body: customerBody(at) }]);
    const { id: customer_id } = customer!;
    await store(service.deps, accountId, sales, (at) => [
      { body: saleBody(at, { customer_id }) },
      { body: saleBody(at, { customer_id, status: "cancelled" }) },
      { body: saleBody(at) },
    ]);
    const [quote] = await store(service.deps, accountId, quotes, (at) => [
      { body: quoteBody(at, { customer_id, customer_name: "María Gómez", expires_at: "2020-01-01T00:00:00.000Z" }) },
      { body: quoteBody(at, { number: 8, customer_name: "Otro" }) },
    ]);
    const { body } = await owner.get(`/customers/${customer_id}`);
    expect(body.totals).toMatchObject({ tickets: 1, net: 6_400, uncounted: { count: 1 } });
    const quoted = (await owner.get(`/quotes?customer_id=${customer_id}`)).body.data;
    expect(quoted).toMatchObject([{ id: quote!.id, status: "expired", number: 7, lines: 1 }]);
    expect((await owner.get(`/quotes/${quote!.id}`)).body).toMatchObject({
      quote: { status: "expired", number: 7 },
      customer: { id: customer_id },
    });
  });

  test("is told a NIT's check digit, and when it is wrong", async () => {
    expect((await owner.get("/nit?number=900373923")).body).toMatchObject({ kind: "valid", checkDigit: 8 });
    expect((await owner.get("/nit?number=900373923-1")).body).toMatchObject({
      kind: "wrong_check_digit",
      checkDigit: 8,
    });
    expect((await owner.get("/nit?number=abc")).body).toEqual({ kind: "unreadable" });
    expect((await owner.get("/nit")).body.error.param).toBe("number");
  });
});

test("a customer of another account does not exist", async () => {
  const { body: made } = await owner.post("/customers", { name: "Ana" }, once());
  const stranger = await openPortal(service);
  expect((await stranger.get(`/customers/${made.id}`)).status).toBe(404);
  expect((await stranger.patch(`/customers/${made.id}`, { name: "Otra" })).status).toBe(404);
  expect((await owner.patch("/customers/nada", { name: "Otra" })).body.error.param).toBe("id");
});

describe("quotes", () => {
  test.each([
    ["q=maria", [7]],
    ["q=COT%207", [7]],
    ["q=12", [12]],
    ["status=accepted", [12]],
    ["status=sent", [7]],
    ["", [12, 7]],
  ])("are found by %s", async (filter, found) => {
    await store(service.deps, owner.accountId, quotes, (at) => [
      { body: quoteBody(at, { customer_name: "María Gómez" }) },
    ]);
    await store(service.deps, owner.accountId, quotes, (at) => [
      { body: quoteBody(at, { number: 12, status: "accepted", customer_name: null, total: 10_000 }) },
    ]);
    const { data } = (await owner.get(`/quotes?${filter}`)).body;
    expect(data.map(({ number }: { number: number }) => number)).toEqual(found);
    const { body } = await owner.get(`/quotes/totals?${filter}`);
    expect([body.count, body.total]).toEqual([
      found.length,
      data.reduce((sum: number, one: { total: number }) => sum + one.total, 0),
    ]);
    const file = (await owner.download(`/tables/quotes.csv?${filter}`)).bytes.toString("utf8");
    expect(file.trimEnd().split("\r\n")).toHaveLength(1 + found.length);
  });

  test("of another account do not exist, and bad filters are named", async () => {
    const [quote] = await store(service.deps, owner.accountId, quotes, (at) => [{ body: quoteBody(at) }]);
    const stranger = await openPortal(service);
    expect((await stranger.get(`/quotes/${quote!.id}`)).status).toBe(404);
    expect((await stranger.get("/quotes")).body.data).toEqual([]);
    expect((await owner.get("/quotes?status=perdida")).body.error.param).toBe("status");
    expect((await owner.get("/quotes?q=a")).body.error.param).toBe("q");
  });
});
