import fc from "fast-check";
import { expect, test } from "vitest";
import { readResponse } from "./response.ts";

const wrapped = (result: unknown) =>
  JSON.stringify({ "s:Envelope": { "s:Body": { SendBillSyncResponse: { SendBillSyncResult: result } } } });

test.each<[unknown, string]>([
  ["true", "accepted"],
  [true, "accepted"],
  [{ _value: "true" }, "accepted"],
  ["True", "accepted"],
  ["false", "processing"],
  [false, "processing"],
  [{ _attributes: { nil: "true" } }, "processing"],
  [undefined, "processing"],
  ["yes", "processing"],
])("IsValid %j means %s, whatever else the response says", (IsValid, kind) => {
  expect(readResponse(200, wrapped({ IsValid, StatusDescription: "Procesado Correctamente." })).kind).toBe(kind);
});

test("a message that sounds like success is no verdict", () => {
  const text = JSON.stringify({ message: "Documento enviado con éxito", cufe: "a".repeat(96) });
  expect(readResponse(200, text).kind).toBe("unavailable");
});

test("the code that the authority registered is returned", () => {
  const key = "ab".repeat(48);
  expect(readResponse(200, wrapped({ IsValid: "true", XmlDocumentKey: key.toUpperCase() }))).toMatchObject({
    cufe: key,
  });
  expect(readResponse(200, wrapped({ IsValid: "true", XmlDocumentKey: "short" }))).not.toHaveProperty("cufe");
});

test.each([
  ["PEludm9pY2U+ZjwvSW52b2ljZT4=", "PEludm9pY2U+ZjwvSW52b2ljZT4="],
  ["without its padding", "PEludm9pY2U+ZjwvSW52b2ljZT4"],
  ["broken into lines", "PEludm9pY2U+\nZjwvSW52b2ljZT4=\r\n"],
])("the signed document is handed on in base64 that a database reads, also %s", (_name, invoicexml) => {
  const body = { ...JSON.parse(wrapped({ IsValid: "true" })), invoicexml };
  expect(readResponse(200, JSON.stringify(body))).toMatchObject({ xml: "PEludm9pY2U+ZjwvSW52b2ljZT4=" });
});

test("reading any response never throws, and only IsValid accepts", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, text) => {
      expect(["unavailable", "misconfigured", "rejected"]).toContain(readResponse(status, text).kind);
    }),
    { numRuns: 1000 },
  );
});
