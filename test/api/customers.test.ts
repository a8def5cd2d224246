import { afterAll, beforeAll, expect, test } from "vitest";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
beforeAll(async () => {
  service = await startService();
  shop = await service.business();
});
afterAll(() => service[Symbol.asyncDispose]());

test("a customer is created with its defaults and read back byte by byte", async () => {
  const created = await shop.api.post("/customers", { name: "María Fernanda" });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    object: "customer",
    name: "María Fernanda",
    person_type: "person",
    contact_channel: "none",
  });
  const read = await shop.api.get(`/customers/${created.body.id}`);
  expect(read.text).toBe(created.text);
  const list = await shop.api.get("/customers?q=maria");
  expect(list.body.data).toEqual([created.body]);
  const patched = await shop.api.patch(`/customers/${created.body.id}`, { last_name: "Gómez" });
  expect(patched.body.last_name).toBe("Gómez");
  expect(patched.body.updated_at > created.body.updated_at).toBe(true);
  console.log(list.text, Object.fromEntries(list.headers));
});
