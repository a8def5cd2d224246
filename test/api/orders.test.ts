import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lineOf, newTicket, totalsOf } from "../../register/ticket.ts";
import { endDueOrders } from "../../src/business/orders/expire.ts";
import { minute } from "../../src/lib/clock.ts";
import { orderingShop } from "../support/orders.ts";
import { newProduct } from "../support/product.ts";
import { refusal, refused } from "../support/refusal.ts";

const { service, shop, product, place, read, events } = orderingShop();

describe("POST /orders", () => {
  test("keeps what was ordered at the business's prices, with its taxes, and tells of it once", async () => {
    const contact = { name: "Ana", phone: "300" };
    const order = await place({ contact, delivery_fee: 5000, tip: 1000, discount: 400, notes: "Sin afán" });
    expect(order).toMatchObject({
      object: "order",
      number: 1,
      status: "placed",
      contact: { name: "Ana", phone: "300", email: null },
      fulfilment: { type: "pickup" },
      prices: "current",
      items: [{ product_id: product.id, quantity: 2, unit_price: 3200, price_differs: false, subtotal: 6400 }],
      subtotal: 11_400,
      discount: 400,
      tip: 1000,
      total: 12_000,
      payment: null,
      sale_id: null,
      location_id: shop.accountId,
      version: 1,
    });
    expect(order.source).not.toBe("");
    expect((await place()).number).toBe(2);
    expect(await read(order.id)).toEqual(order);
    expect(await events()).toEqual(["order.placed", "order.placed"]);
  });

  test("an external id makes one order for each source, whatever is sent again", async () => {
    const first = await place({ external_id: "WC-1", source: "Tienda" });
    const again = await place({ external_id: "WC-1", source: "Tienda", notes: "otra vez" });
    expect(again).toEqual(first);
    const other = await place({ external_id: "WC-1", source: "Domicilios" });
    expect(other.id).not.toBe(first.id);
    expect(await events()).toEqual(["order.placed", "order.placed"]);
    const found = await shop.api.get("/orders?external_id=WC-1&source=Tienda");
    expect(found.body.data).toEqual([first]);
  });

  test("an order that was there before says so, whatever came with its external id by another key", async () => {
    const items = [{ sku: "GAS", quantity: 1 }];
    const pair = { external_id: "WC-2", source: "Tienda" };
    expect(product.sku).toBe("GAS");
    const first = await shop.api.post("/orders", { ...pair, items });
    const same = await shop.api.post("/orders", { ...pair, items });
    const otherwise = { ...pair, items: [{ sku: "GAS", quantity: 9 }], payment: { status: "paid", method: "NEQUI" } };
    const key = { "idempotency-key": "otra" };
    const other = [await shop.api.post("/orders", otherwise, key), await shop.api.post("/orders", otherwise, key)];
    const replayed = [first, same, ...other].map(({ headers }) => headers.get("idempotent-replayed"));
    expect(replayed).toEqual([null, "true", "true", "true"]);
    for (const { status, text, headers } of [same, ...other])
      expect([status, text, headers.get("location")]).toEqual([201, first.text, first.headers.get("location")]);
  });

  test("a key makes one order, however often it is sent", async () => {
    const items = [{ sku: "GAS", quantity: 1 }];
    const key = { "idempotency-key": "una" };
    const [first, second] = [
      await shop.api.post("/orders", { items }, key),
      await shop.api.post("/orders", { items }, key),
    ];
    expect([second.text, second.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expect(first.headers.get("location")).toBe(`/public/v1/orders/${first.body.id}`);
  });

  test("a product is named by its id, its sku or any of its codes, and a pack orders its units at its price", async () => {
    const codes = [{ code: "CAJA24", units: 24, price: 70_000 }];
    const beer = await newProduct(shop.api, { name: "Cerveza", base_price: 3000, barcodes: codes });
    const shirt = await newProduct(shop.api, {
      name: "Camisa",
      base_price: 20_000,
      variants: [{ label: "M", sku: "CAM-M", final_price: 25_000 }],
    });
    const { items, total } = await place({
      items: [
        { barcode: "CAJA24", quantity: 1 },
        { sku: "CAM-M", quantity: 1 },
      ],
    });
    expect(items.map((one: { quantity: number; unit_price: number }) => [one.quantity, one.unit_price])).toEqual([
      [8, 2916],
      [16, 2917],
      [1, 25_000],
    ]);
    expect(total).toBe(95_000);
    expect(items.map((one: { product_id: string }) => one.product_id)).toEqual([beer.id, beer.id, shirt.id]);
    expect(items[2]).toMatchObject({ variant_id: shirt.variants[0].id, description: "Camisa · M" });
  });

  test("given prices are kept, and a difference from ours is marked and never refused", async () => {
    const order = await place({
      prices: "given",
      items: [{ sku: "GAS", quantity: 2, unit_price: 3000, discount: 100 }],
    });
    expect(order).toMatchObject({
      price_differs: true,
      total: 5800,
      items: [{ unit_price: 3000, discount: 100, catalog_price: 3200, price_differs: true, subtotal: 5800 }],
    });
  });

  test.each<[string, object, string]>([
    ["an unknown product", { items: [{ product_id: randomUUID(), quantity: 1 }] }, "items.0.product_id"],
    ["an unknown code", { items: [{ sku: "NADA", quantity: 1 }] }, "items.0.sku"],
    ["no product", { items: [{ quantity: 1 }] }, "items.0"],
    ["two names", { items: [{ sku: "GAS", barcode: "GAS", quantity: 1 }] }, "items.0"],
    ["half a piece", { items: [{ sku: "GAS", quantity: 0.5 }] }, "items.0.quantity"],
    ["a variant of nothing", { items: [{ sku: "GAS", quantity: 1, variant_id: randomUUID() }] }, "items.0.variant_id"],
    ["a price of ours", { items: [{ sku: "GAS", quantity: 1, unit_price: 5 }] }, "items.0.unit_price"],
    ["too large a discount", { items: [{ sku: "GAS", quantity: 1 }], discount: 9_000_000 }, "discount"],
    [
      "a delivery to nowhere",
      { items: [{ sku: "GAS", quantity: 1 }], fulfilment: { type: "delivery" } },
      "fulfilment.address",
    ],
    [
      "an end before anybody may accept",
      { items: [{ sku: "GAS", quantity: 1 }], accept_by: "2099-01-02T00:00:00Z", expires_at: "2099-01-01T00:00:00Z" },
      "accept_by",
    ],
    ["the counter's own source", { items: [{ sku: "GAS", quantity: 1 }], source: " caja " }, "source"],
    ["a past end", { items: [{ sku: "GAS", quantity: 1 }], expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [
      "a payment without means",
      { items: [{ sku: "GAS", quantity: 1 }], payment: { status: "paid" } },
      "payment.method",
    ],
  ])("%s is refused by its field", async (_, fields, param) => {
    expect(product.sku).toBe("GAS");
    expect(refusal(await shop.api.post("/orders", fields))).toEqual([400, "VALIDATION_ERROR", param]);
    expect((await shop.api.get("/orders")).body.data).toEqual([]);
  });

  const most = 999_999_999_999;
  test.each<[string, object, string]>([
    ["a line", { prices: "given", items: [{ sku: "GAS", quantity: 1000, unit_price: most }] }, "items.0"],
    [
      "lines together",
      {
        prices: "given",
        items: [
          { sku: "GAS", quantity: 1, unit_price: most },
          { sku: "GAS", quantity: 1, unit_price: 1 },
        ],
      },
      "items",
    ],
    ["the delivery", { items: [{ sku: "GAS", quantity: 1 }], delivery_fee: most }, "delivery_fee"],
    ["the tip", { items: [{ sku: "GAS", quantity: 1 }], tip: most }, "tip"],
  ])("%s above what a sale may hold is refused, before it is placed too", async (_, fields, param) => {
    expect(product.sku).toBe("GAS");
    const answers = [await shop.api.post("/orders", fields), await shop.api.post("/orders/preview", fields)];
    for (const answer of answers) {
      expect(refusal(answer)).toEqual(refused(param));
      expect(answer.body.error.message).toContain("$999.999.999.999");
    }
    const { id } = await place();
    const { prices: _prices, ...changes } = fields as { prices?: string; tip?: number };
    if (changes.tip !== undefined)
      expect(refusal(await shop.api.patch(`/orders/${id}`, { tip: changes.tip }))).toEqual(refused("tip"));
  });

  test("a source is the same in capitals and with spaces around it, wherever it is compared", async () => {
    const first = await place({ external_id: "WC-9", source: "Tienda" });
    expect(await place({ external_id: "WC-9", source: " TIENDA " })).toEqual(first);
    const found = async (source: string) =>
      (await shop.api.get(`/orders?source=${encodeURIComponent(source)}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect([await found("tienda"), await found(" Tienda "), await found("Tiend")]).toEqual([
      [first.id],
      [first.id],
      [],
    ]);
  });

  test("says what is wrong as people write it", async () => {
    const items = [{ sku: "GAS", quantity: 1 }];
    const said = async (fields: object) => (await shop.api.post("/orders", fields)).body.error.message;
    expect(product.sku).toBe("GAS");
    expect(await said({ items, discount: 9000 })).toContain("$3.200");
    expect(await said({ items: [] })).toContain("al menos 1 elemento.");
  });

  test("a product that is not on sale, and one without its variant, are refused", async () => {
    const off = await newProduct(shop.api, { name: "Vieja", base_price: 1, active: false });
    const varied = await newProduct(shop.api, { name: "Camisa", base_price: 1, variants: [{ label: "M" }] });
    const order = (product_id: string) => shop.api.post("/orders", { items: [{ product_id, quantity: 1 }] });
    expect(refusal(await order(off.id))).toEqual([400, "VALIDATION_ERROR", "items.0.product_id"]);
    expect(refusal(await order(varied.id))).toEqual([400, "VALIDATION_ERROR", "items.0.variant_id"]);
  });

  test("a sede and a customer of nobody here do not exist", async () => {
    const items = [{ sku: "GAS", quantity: 1 }];
    expect(product.sku).toBe("GAS");
    for (const param of ["location_id", "customer_id"])
      expect(refusal(await shop.api.post("/orders", { items, [param]: randomUUID() }))).toEqual([
        404,
        "NOT_FOUND",
        param,
      ]);
  });

  test("the totals are those that a register charges for the same", async () => {
    const kinds = ["standard", "reduced_5", "excluded", "bag", "service_19"] as const;
    const goods = [];
    for (const [i, tax_class] of kinds.entries())
      goods.push(await newProduct(shop.api, { name: tax_class, base_price: 1111 * (i + 1), tax_class }));
    const quantities = [3, 7, 2, 1, 5];
    const items = goods.map(({ id }, i) => ({ product_id: id, quantity: quantities[i] }));
    const order = await place({ items, discount: 777, tip: 500 });
    const ticket = {
      ...newTicket("t", new Date(order.created_at)),
      lines: goods.map((one, i) => lineOf(`${i}`, one, quantities[i])),
      discount: { pesos: 777 },
      tip: 500,
    };
    const charged = totalsOf(ticket, { regime: "iva", pricesIncludeTax: true }, new Date(order.created_at));
    const { subtotal, discount, tax, total, tax_breakdown } = charged;
    expect(order).toMatchObject({ subtotal, discount, tax, total, tax_breakdown });
    expect(order.items.map((one: { taxes: object[] }) => one.taxes)).toEqual(charged.lines.map(({ taxes }) => taxes));
  });
});

describe("a key that may write orders and not read them", () => {
  const contact = { name: "Ana", phone: "300 123 4567", email: "ana@example.com" };
  const fulfilment = { type: "delivery", address: "Cl 10 # 43-20", notes: "Portería" };
  const hidden = { contact: null, notes: null, fulfilment: { type: "delivery", address: null, notes: null } };

  test("is answered what it wrote, and of orders that were there before nothing of the person", async () => {
    const { api } = await service.key(shop.accountId, { scopes: ["orders:write"] });
    const fields = { external_id: "R-1", source: "Rappi", contact, fulfilment, notes: "Timbre dos veces" };
    const order = await place(fields);
    const items = [{ sku: "GAS", quantity: 1 }];
    const key = { "idempotency-key": "cancelar" };
    const again = await api.post("/orders", { external_id: "R-1", source: "Rappi", items });
    expect(again.body).toMatchObject({ id: order.id, number: order.number, total: order.total, ...hidden });
    const noted = await api.patch(`/orders/${order.id}`, { notes: "Sin timbre" });
    expect(noted.body).toMatchObject({ ...hidden, notes: "Sin timbre", version: 2 });
    const renamed = await api.patch(`/orders/${order.id}`, { contact: { name: "Eva" } });
    expect(renamed.body).toMatchObject({ ...hidden, contact: { name: "Eva" } });
    const cancelled = [
      await shop.api.post(`/orders/${order.id}/cancel`, {}, key),
      await api.post(`/orders/${order.id}/cancel`, {}, key),
    ];
    expect(cancelled.map(({ body }) => body.contact?.name)).toEqual(["Eva", undefined]);
    const own = { contact, fulfilment, items };
    expect((await api.post("/orders", own)).body).toMatchObject({ contact, fulfilment });
    expect(await read(order.id)).toMatchObject({ contact: { name: "Eva" }, notes: "Sin timbre" });
  });
});

describe("PATCH /orders/{id}", () => {
  test("before it is accepted changes lines, contact and notes, under If-Match", async () => {
    const { id } = await place();
    const etag = (await shop.api.get(`/orders/${id}`)).headers.get("etag") ?? "";
    const changed = await shop.api.patch(
      `/orders/${id}`,
      { items: [{ sku: "GAS", quantity: 5 }], contact: { name: "Eva" }, notes: "Rápido" },
      { "if-match": etag },
    );
    expect(changed.body).toMatchObject({ total: 16_000, contact: { name: "Eva" }, notes: "Rápido", version: 2 });
    expect(refusal(await shop.api.patch(`/orders/${id}`, { notes: "x" }, { "if-match": etag }))[1]).toBe("CONFLICT");
    expect(await events()).toEqual(["order.placed"]);
  });

  test("a new tip keeps the lines and their prices", async () => {
    const { id } = await place({ prices: "given", items: [{ sku: "GAS", quantity: 2, unit_price: 3000 }] });
    const { body } = await shop.api.patch(`/orders/${id}`, { tip: 500 });
    expect(body).toMatchObject({ total: 6500, tip: 500, items: [{ unit_price: 3000, quantity: 2 }] });
  });
});

describe("POST /orders/{id}/cancel", () => {
  test("ends it once, and again says the same", async () => {
    const { id } = await place();
    const first = await shop.api.post(`/orders/${id}/cancel`, { reason: "No alcanza" });
    expect(first.body).toMatchObject({ status: "cancelled", cancelled_reason: "No alcanza" });
    expect((await shop.api.post(`/orders/${id}/cancel`, {})).text).toBe(first.text);
    expect(await events()).toEqual(["order.placed", "order.cancelled"]);
    expect(refusal(await shop.api.patch(`/orders/${id}`, { notes: "x" }))).toEqual([409, "CONFLICT", "notes"]);
  });
});

describe("POST /orders/{id}/cancel without a body", () => {
  test.each<[string, Record<string, string>]>([
    ["and without its type", {}],
    ["with its type", { "content-type": "application/json" }],
  ])("%s cancels as an empty object does; what needs a body still asks for it", async (_, type) => {
    const { id } = await place();
    const headers = { authorization: `Bearer ${shop.key}`, "idempotency-key": "sin-cuerpo", ...type };
    const post = (path: string) => fetch(`${service.baseUrl}/public/v1${path}`, { method: "POST", headers });
    expect([(await post(`/orders/${id}/cancel`)).status, (await read(id)).status]).toEqual([200, "cancelled"]);
    const again = await shop.api.post(`/orders/${id}/cancel`, {}, { "idempotency-key": "sin-cuerpo" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await ((await post("/orders")).json() as Promise<{ error: object }>)).error).toMatchObject({
      code: "INVALID_JSON",
    });
  });
});

describe("POST /orders/preview", () => {
  test("computes what the order would be, and stores nothing", async () => {
    const asked = { items: [{ sku: "GAS", quantity: 60 }], tip: 100 };
    const { status, body } = await shop.api.post("/orders/preview", asked);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        location_id: shop.accountId,
        total: 192_100,
        availability: [{ product_id: product.id, requested: 60, available: 50, is_enough: false }],
      }),
    ]);
    expect((await shop.api.get("/orders")).body.data).toEqual([]);
    expect((await place(asked)).total).toBe(body.total);
    expect(await events()).toEqual(["order.placed"]);
  });

  test("refuses what placing it would refuse", async () => {
    expect(refusal(await shop.api.post("/orders/preview", { items: [{ sku: "NADA", quantity: 1 }] }))).toEqual(
      refused("items.0.sku"),
    );
  });
});

describe("by itself", () => {
  test("an order that nobody accepted by then is over, once, however many processes look", async () => {
    const in5 = new Date(Date.now() + 5 * minute).toISOString();
    const late = new Date(Date.now() + 60 * minute).toISOString();
    const { id } = await place({ accept_by: in5, expires_at: late });
    expect(await endDueOrders(service.deps)).toBe(0);
    service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 6 * minute);
    try {
      await using sibling = await service.sibling();
      const ended = await Promise.all([
        endDueOrders(service.deps),
        endDueOrders(sibling.deps),
        endDueOrders(service.deps),
      ]);
      expect(ended.toSorted()).toEqual([0, 0, 1]);
      expect(await read(id)).toMatchObject({ status: "expired" });
      expect(await events()).toEqual(["order.placed", "order.expired"]);
    } finally {
      service.deps.clock.shiftTo(0);
    }
  });
});
