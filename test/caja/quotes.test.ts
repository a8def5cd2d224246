import { describe, expect, test } from "vitest";
import { paperText, quotePaper } from "../../register/quote-paper.ts";
import { freeLine, lineOf, withLine } from "../../register/ticket.ts";
import { sql } from "../../src/db/sql.ts";
import { furnishShop } from "../support/caja.ts";
import { desks, receive, storeKinds, upload } from "../support/desk.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";

const service = verifiedService();
const { open } = desks();

describe.each(storeKinds)("quotes over %s", (kind) => {
  test("a quote made at one register is sold at another for the sum that was offered", async () => {
    const { accountId } = await service.business();
    await furnishShop(service, accountId, ["Café molido", "Pan"]);
    const one = await open(kind, service, accountId);
    const other = await open(kind, service, accountId);
    const customerId = await one.counter.addCustomer({ name: "Marta", document_type: "CC", document_number: "1" });
    const [coffee] = one.register.catalog.search("cafe");
    one.counter.edit((ticket) => ({
      ...withLine(
        withLine(ticket, { ...lineOf(crypto.randomUUID(), coffee!, 3), discount_percent: 12.5 }),
        freeLine(crypto.randomUUID(), "Moler", 333, "service_19"),
      ),
      customer_id: customerId,
      discount: { percent: 7 },
      tip: 500,
    }));
    const made = await one.quotes.make({ days: 1, notes: "Entrega mañana" });
    expect(one.counter.state()).toMatchObject({ tickets: [], current: { lines: [] } });
    expect(made).toMatchObject({ number: 1, customer_name: "Marta", status: "sent" });
    expect(new Date(made.expires_at!).getTime()).toBeGreaterThan(Date.now());
    await upload(one);
    // The price changes afterwards; what was offered holds.
    const dearer = { ...coffee!, base_price: 9_000, final_price: 9_000 };
    await one.register.record([{ type: "product", id: dearer.id, data: dearer }]);
    await upload(one);
    await receive(other);
    const [found] = other.quotes.find("marta");
    expect(found).toMatchObject({ id: made.id, total: made.total });
    await other.counter.openShift(0);
    other.quotes.takeUp(found!);
    other.quotes.takeUp(found!);
    expect(other.counter.state().tickets).toHaveLength(1);
    expect(other.counter.totals().total).toBe(made.total);
    const result = await other.counter.charge([]);
    if ("problem" in result) throw new Error(result.problem.kind);
    expect(result.sale.customer_name).toBe("Marta");
    expect(() => other.quotes.takeUp(other.quotes.find()[0]!)).toThrow("sold already");
    await upload(other);
    await receive(one);
    expect(one.quotes.find()[0]).toMatchObject({ status: "converted", sale_id: result.sale.id });
    const { rows } = await service.deps.pool.query(sql`
      select body from quotes where account_id = ${accountId}`);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { status: "converted", sale_id: result.sale.id, total: made.total, notes: "Entrega mañana" },
    ]);
    for (const desk of [one, other]) desk.store.close();
  });
});

test("where prices are typed before taxes, a quote is sold for the sum that was offered too", async () => {
  const { accountId } = await fiscalBusiness(service);
  await service.deps.pool.query(sql`
    update fiscal_profiles set prices_include_tax = false where account_id = ${accountId}`);
  const desk = await open("IndexedDB", service, accountId);
  expect(desk.counter.state().business.prices_include_tax).toBe(false);
  desk.counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Silla", 100_000, "standard")));
  const first = await desk.quotes.make({ days: 15, notes: null });
  expect(first.total).toBe(119_000);
  desk.quotes.takeUp(first);
  expect(desk.counter.totals().total).toBe(119_000);
  desk.counter.drop(desk.counter.state().current.id);
  desk.counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Mesa", 1_000, "standard")));
  const second = await desk.quotes.make({ days: 15, notes: null });
  expect([first.number, second.number, first.prefix]).toEqual([1, 2, second.prefix]);
  const text = paperText(quotePaper(first, desk.counter.state().business, new Date()));
  expect(text).toContain(`COTIZACIÓN ${first.prefix}1`);
  expect(text).toContain("TOTAL: $119.000");
  expect(text).toContain("no es una factura");
  await upload(desk);
  desk.store.close();
});
