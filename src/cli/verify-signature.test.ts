import { expect, test } from "vitest";
import { signatureHeader } from "../webhooks/endpoints/signature.ts";
import { whyInvalid } from "./verify-signature.ts";

const secret = "whsec_prueba";
const at = 1_790_000_000;
const body = '{"id":"1","type":"sale.completed"}';
const header = signatureHeader(body, [secret], at);
const why = (text: string, given = secret, now = at, signed = header) =>
  whyInvalid(Buffer.from(text), signed, given, now);

test("a signed body is valid", () => {
  expect(why(body)).toBeNull();
  expect(why(body, "whsec_viejo", at, signatureHeader(body, [secret, "whsec_viejo"], at))).toBeNull();
});

test.each([
  ["an extra line break", why(`${body}\n`), /salto de línea/],
  ["JSON that was serialized again", why(JSON.stringify(JSON.parse(body), null, 2)), /se volvió a escribir/],
  ["a secret without its prefix", why(body, "prueba"), /no empieza por whsec_/],
  ["another secret", why(body, "whsec_otro"), /ningún v1 corresponde/],
  ["a late clock", why(body, secret, at + 400), /a 400 s del reloj/],
  ["no time", why(body, secret, at, header.replace(/t=\d+,/, "")), /no tiene t=/],
  ["no v1", why(body, secret, at, `t=${at}`), /ningún v1 de 64/],
])("explains what is wrong: %s", (_what, reason, expected) => {
  expect(reason).toMatch(expected);
});
