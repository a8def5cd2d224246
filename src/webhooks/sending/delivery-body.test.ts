import { expect, test } from "vitest";
import { eventText } from "../../engine/events/record-event.ts";
import { deliveryBody } from "./delivery-body.ts";

test("the body is the event's own text, with the version and without its discriminator", () => {
  const object = '{"object":"customer","id":"x","name":"\\"data\\":{\\"id\\":","n":1.50}';
  const text = eventText({
    id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23",
    type: "customer.created",
    sequence: 7,
    createdAt: "1970-01-01T00:00:00.000Z",
    objectText: object,
  });
  expect(deliveryBody(text)).toBe(
    `{"id":"019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23","type":"customer.created","created_at":"1970-01-01T00:00:00.000Z","sequence":7,"api_version":"2026-09-28","data":{"object":${object}}}`,
  );
});
