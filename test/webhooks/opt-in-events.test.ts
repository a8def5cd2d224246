import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type EventType, eventTypes } from "../../src/engine/events/event-types.ts";
import { customerBody, productBody, quoteBody, saleBody } from "../support/records.ts";
import { ableToReturn, enrol, upload } from "../support/register.ts";
import { returnOf } from "../support/returning.ts";
import { sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();

/** All that there was when the first endpoints were made. */
const former: EventType[] = [
  "sale.created",
  "sale.updated",
  "sale.completed",
  "sale.cancelled",
  "product.created",
  "product.updated",
  "customer.created",
  "customer.updated",
  "inventory.movement.created",
  "invoice.issued",
  "invoice.rejected",
  "cash_session.closed",
];
const later: EventType[] = ["product.deleted", "customer.deleted", "return.created", "quote.created", "quote.updated"];

test("what came later reaches whoever names it, and nobody who took everything before", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId, { capabilities: ableToReturn });
  const [everything, named] = [
    await hooks.endpoint(business, { types: former }),
    await hooks.endpoint(business, { types: later }),
  ];
  const at = new Date().toISOString();
  const [product, customer, sale] = [productBody(at), customerBody(at), saleBody(at)];
  const quote = quoteBody(at, { status: "draft" });
  await till.put("quote", upload(quote));
  await till.put("quote", { ...upload(quote), status: "sent", sent_at: at });
  await till.put("quote", upload(quote), { op: "delete" });
  await till.put("sale", upload(sale));
  const taken = returnOf(sale, [1]);
  await till.put("return", taken);
  for (const [type, body] of [["product", product] as const, ["customer", customer] as const]) {
    await till.put(type, upload(body));
    await till.put(type, { id: body.id }, { op: "delete" });
    // Once more, from a register that did not hear the answer.
    await till.put(type, { id: body.id }, { op: "delete" });
  }
  // After all others.
  await till.put("customer", upload(customerBody(at, { name: "Última" })));

  const last = await hooks.receiver.arrivals(named.path, 5);
  expect(last.map(({ body }) => [body.type, body.data.object.id]).toSorted()).toEqual(
    [
      ["quote.created", quote.id],
      ["quote.updated", quote.id],
      ["return.created", taken.id],
      ["product.deleted", product.id],
      ["customer.deleted", customer.id],
    ].toSorted(),
  );
  for (const { body } of last.filter(({ body: { type } }) => type.endsWith(".deleted")))
    expect(body.data.object.deleted_at).toBe(body.data.object.updated_at);
  const others = await hooks.receiver.arrivals(everything.path, 7);
  expect(others.filter(({ body }) => (later as string[]).includes(body.type))).toEqual([]);
  const { body: log } = await business.api.get(`/events?type=${later.join(",")}`);
  expect(log.data).toHaveLength(5);
  expect(eventTypes).toEqual(expect.arrayContaining([...former, ...later]));
});

test("a product that a register brings back may be deleted again", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const id = randomUUID();
  const base_seq = async () => (await till.pull()).body.changes.find((one: { id: string }) => one.id === id).seq;
  await till.put("product", { id, name: "Pan", base_price: 1000, final_price: 1000 });
  await till.put("product", { id }, { op: "delete" });
  await till.put("product", { id, deleted_at: null }, { base_seq: await base_seq(), changed: ["deleted_at"] });
  expect((await business.api.get(`/products/${id}`)).status).toBe(200);
  await till.put("product", { id }, { op: "delete", base_seq: await base_seq() });
  const { data } = (await business.api.get("/events?type=product.deleted")).body;
  expect(data.map(({ data: { object } }: { data: { object: { id: string } } }) => object.id)).toEqual([id, id]);
});
