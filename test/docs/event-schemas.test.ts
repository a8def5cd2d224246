import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { deliveryBody, testBody } from "../../src/webhooks/sending/delivery-body.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";

const service = sharedService();
const shop = sharedShop(service);

// biome-ignore lint/suspicious/noExplicitAny: a schema is read as data
async function schemaOf(type: string): Promise<any> {
  const response = await fetch(`${service.baseUrl}/docs/schemas/${type}.json`);
  expect(response.status).toBe(200);
  return response.json();
}

/** A reader's own validator, which knows nothing of ours. */
function validatorOf(schema: object) {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
}

describe("the JSON Schema of", () => {
  test.each([...eventTypes, "webhook.test"])("%s takes its example and refuses another event", async (type) => {
    const schema = await schemaOf(type);
    const validate = validatorOf(schema);
    const [example] = schema.examples;
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...example, type: "sale.paid" })).toBe(false);
    expect(validate({ ...example, data: {} })).toBe(false);
    expect(validate({ ...example, added_later: 1 })).toBe(true);
    expect(JSON.stringify(schema)).not.toContain("#/components/");
  });

  test("an event takes what is really sent", async () => {
    await shop.api.post("/customers", { name: "Ana", metadata: { club: "oro" } });
    await shop.api.post("/products", { name: "Café", base_price: 18_000, variants: [{ label: "500 g" }] });
    const { rows } = await service.deps.pool.query<{ type: string; body: string }>(
      "select type, body::text from events",
    );
    expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(["customer.created", "product.created"]));
    for (const { type, body } of rows) {
      const validate = validatorOf(await schemaOf(type));
      expect(validate(JSON.parse(deliveryBody(body))), JSON.stringify(validate.errors)).toBe(true);
    }
    const validate = validatorOf(await schemaOf("webhook.test"));
    expect(validate(JSON.parse(testBody("019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23", new Date())))).toBe(true);
  });
});

test("the list has every event with its address", async () => {
  const { schemas } = (await (await fetch(`${service.baseUrl}/docs/schemas`)).json()) as {
    schemas: { type: string; description: string; url: string }[];
  };
  expect(schemas.map(({ type }) => type)).toEqual([...eventTypes, "webhook.test"]);
  for (const { url, description } of schemas) {
    expect(description).toMatch(/\S/);
    expect((await fetch(service.baseUrl + new URL(url).pathname)).status).toBe(200);
  }
});
