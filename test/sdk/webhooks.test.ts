import { expect, test } from "vitest";
import { parseWebhook, receiveWebhook, verifyWebhook, WebhookSignatureError } from "../../sdk/src/index.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";

const body = JSON.stringify({
  id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23",
  type: "sale.completed",
  created_at: "2026-09-28T19:05:09.120Z",
  api_version: "2026-09-28",
  data: { object: { object: "sale", total: 6400, notes: "Año ñandú" } },
});
const [secret, other] = ["whsec_nuevo", "whsec_viejo"];
const now = 1_790_622_309;
const at = { nowSeconds: now };

test("what the service signs is accepted, as text and as bytes", async () => {
  const header = signatureHeader(body, [secret], now);
  expect(await verifyWebhook(body, header, secret, at)).toBe(true);
  expect(await verifyWebhook(Buffer.from(body), header, secret, at)).toBe(true);
  expect(await verifyWebhook(new Uint8Array(Buffer.from(body)).buffer, header, secret, at)).toBe(true);
});

test("during a rotation either secret is enough, on either side", async () => {
  const both = signatureHeader(body, [secret, other], now);
  expect(await verifyWebhook(body, both, other, at)).toBe(true);
  expect(await verifyWebhook(body, both, secret, at)).toBe(true);
  expect(await verifyWebhook(body, signatureHeader(body, [secret], now), [other, secret], at)).toBe(true);
});

test("300 seconds are tolerated in both directions, not one more", async () => {
  const header = signatureHeader(body, [secret], now);
  const answers = [-301, -300, 300, 301].map((shift) =>
    verifyWebhook(body, header, secret, { nowSeconds: now + shift }),
  );
  expect(await Promise.all(answers)).toEqual([false, true, true, false]);
  expect(await verifyWebhook(body, header, secret, { nowSeconds: Number.NaN })).toBe(false);
  expect(await verifyWebhook(body, header, secret, { nowSeconds: now + 5, toleranceSeconds: 4 })).toBe(false);
});

test.each([
  ["another body", `${body} `, signatureHeader(body, [secret], now), secret],
  ["another secret", body, signatureHeader(body, [secret], now), "whsec_otro"],
  ["an empty secret", body, signatureHeader(body, [secret], now), ""],
  ["no secret", body, signatureHeader(body, [secret], now), []],
  ["no header", body, undefined, secret],
  ["no time", body, signatureHeader(body, [secret], now).replace(/^t=\d+,/, ""), secret],
  ["two times", body, `t=${now},${signatureHeader(body, [secret], now)}`, secret],
  ["no v1", body, `t=${now}`, secret],
  ["capital hexadecimal", body, signatureHeader(body, [secret], now).replace(/v1=.*/, (v) => v.toUpperCase()), secret],
])("%s is refused", async (_what, raw, header, given) => {
  expect(await verifyWebhook(raw, header, given, at)).toBe(false);
  await expect(receiveWebhook(raw, header, given, at)).rejects.toBeInstanceOf(WebhookSignatureError);
});

test("a received event has the type of its object", async () => {
  const event = await receiveWebhook(body, signatureHeader(body, [secret], now), secret, at);
  expect(event.type === "sale.completed" && event.data.object.total).toBe(6400);
  expect(() => parseWebhook("{}")).toThrow("no es un evento");
});
