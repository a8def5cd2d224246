import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { shared } from "../support/fixtures.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import type { Business } from "../support/service.ts";
import { sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
const shop = shared((): Promise<Business> => hooks.service.business());
const owner = shared((): Promise<Portal> => openAgain(hooks.service, shop, `${shop.accountId}@example.com`));
let endpoint: TestEndpoint;
const path = () => `/webhook-endpoints/${endpoint.id}`;
const setHeaders = (headers: object[]) => owner.patch(`${path()}/sending`, { headers });
beforeAll(async () => {
  endpoint = await hooks.endpoint(shop, { types: ["customer.created"] });
});

async function nextArrival(name: string) {
  const before = hooks.receiver.on(endpoint.path).length;
  await shop.api.post("/customers", { name });
  const arrived = await hooks.receiver.arrivals(endpoint.path, before + 1);
  return arrived.find(({ body }) => body.data.object.name === name);
}

describe("an endpoint's own headers", () => {
  test("go with every delivery, beside ours, from the moment they are set", async () => {
    expect((await nextArrival("Sin"))?.headers["x-clave"]).toBeUndefined();
    const set = await setHeaders([
      { name: "X-Clave", value: "s3creta: con dos puntos" },
      { name: "Authorization", value: "Basic abc==" },
    ]);
    expect([set.status, set.body.header_names]).toEqual([200, ["X-Clave", "Authorization"]]);
    expect((await nextArrival("Con"))?.headers).toMatchObject({
      "x-clave": "s3creta: con dos puntos",
      authorization: "Basic abc==",
      "service-event-type": "customer.created",
    });
  });

  test("are stored sealed, and shown by their name alone, in the history and the audit log too", async () => {
    const read = await owner.get(path());
    expect(read.text).not.toContain("s3creta");
    const { rows } = await hooks.service.deps.pool.query<{ row: string }>(
      sql`select row_to_json(e)::text as row from webhook_endpoints e where id = ${endpoint.id}`,
    );
    expect(rows[0]?.row).not.toContain(Buffer.from("s3creta").toString("hex"));
    const [delivery] = await hooks.deliveries(endpoint);
    const sent = await owner.get(`/deliveries/${delivery?.id}/request`);
    expect(sent.status).toBe(200);
    expect(sent.body.headers["X-Clave"]).toBe("(oculto)");
    const audit = await owner.get("/audit-log");
    expect(audit.text).toContain("X-Clave");
    expect(audit.text).not.toContain("s3creta");
  });

  test("stay as they are where no value is sent, and go where they are left out", async () => {
    await setHeaders([{ name: "x-clave", value: null }]);
    const arrived = await nextArrival("Queda");
    expect([arrived?.headers["x-clave"], arrived?.headers.authorization]).toEqual([
      "s3creta: con dos puntos",
      undefined,
    ]);
    await setHeaders([]);
    expect((await nextArrival("Ninguna"))?.headers["x-clave"]).toBeUndefined();
  });

  test.each([
    ["ours", { name: "Service-Signature", value: "x" }, /la pone Mostrador/],
    ["the connection's", { name: "Host", value: "otro.example" }, /la pone Mostrador o la conexión/],
    ["a length", { name: "content-length", value: "1" }, /la pone Mostrador/],
    ["a line end", { name: "X-A", value: "a\r\nX-B: b" }, /admite letras sin tilde|caracteres/],
    ["a tilde", { name: "X-A", value: "ñ" }, /admite letras sin tilde/],
    ["a name with a space", { name: "X A", value: "b" }, /letras sin tilde, números y guiones/],
    ["no value to keep", { name: "X-Nueva", value: null }, /Falta el valor/],
  ])("%s is refused", async (_what, header, message) => {
    const refused = await setHeaders([header]);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
    expect((await owner.get(path())).body.header_names).toEqual([]);
  });

  test("twice the same name, and more than ten, are refused", async () => {
    const twice = await setHeaders([
      { name: "X-A", value: "1" },
      { name: "x-a", value: "2" },
    ]);
    expect(twice.body.error.message).toMatch(/dos veces/);
    const many = Array.from({ length: 11 }, (_, i) => ({ name: `X-${i}`, value: "1" }));
    expect((await setHeaders(many)).status).toBe(400);
  });
});

describe("an endpoint of some sedes", () => {
  test("gets what happens there and what belongs to no sede, and nothing of the others", async () => {
    const north = (await owner.post("/locations", { name: "Norte" })).body.id as string;
    const all = await hooks.endpoint(shop, { types: ["inventory.movement.created", "customer.created"] });
    const here = await hooks.endpoint(shop, { types: ["inventory.movement.created", "customer.created"] });
    const set = await owner.patch(`/webhook-endpoints/${here.id}/sending`, { location_ids: [north] });
    expect(set.body.location_ids).toEqual([north]);
    const shelf = async (location_id?: string) =>
      (await shop.api.post("/warehouses", { name: `Bodega ${location_id ?? ""}`, ...(location_id && { location_id }) }))
        .body.id;
    const [first, other] = [await shelf(shop.accountId), await shelf(north)];
    const { body: product } = await shop.api.post("/products", { name: "Pan", base_price: 500 });
    for (const [i, warehouse_id] of [first, other, first, other].entries())
      await shop.api.post("/inventory/movements", {
        product_id: product.id,
        type: "in",
        quantity: i + 1,
        warehouse_id,
      });
    await shop.api.post("/customers", { name: "De nadie" });
    await hooks.receiver.arrivals(all.path, 5);
    const quantities = (await hooks.receiver.arrivals(here.path, 3))
      .map(({ body }) => body.data.object.quantity ?? body.data.object.name)
      .toSorted();
    expect(quantities).toEqual([2, 4, "De nadie"]);
    await hooks.looked();
    expect(hooks.receiver.on(here.path)).toHaveLength(3);
    expect((await owner.patch(`/webhook-endpoints/${here.id}/sending`, { location_ids: null })).body.location_ids).toBe(
      null,
    );
  });

  test("names sedes of its own business", async () => {
    const refused = await owner.patch(`${path()}/sending`, { location_ids: ["019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c99"] });
    expect([refused.status, refused.body.error.param]).toEqual([404, "location_ids"]);
    expect((await owner.patch(`${path()}/sending`, { location_ids: [] })).status).toBe(400);
  });
});
