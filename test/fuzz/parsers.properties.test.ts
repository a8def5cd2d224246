import fc from "fast-check";
import { expect, test } from "vitest";
import { readCode } from "../../src/access/devices/create-enrolment-code.ts";
import { parseJson } from "../../src/api/http/body-parser.ts";
import { toApiError } from "../../src/api/http/error-handler.ts";
import { validatorCompiler } from "../../src/api/http/validation.ts";
import { decodeFeedCursor, encodeFeedCursor } from "../../src/api/sync/pull/cursor.ts";
import { readRecord } from "../../src/api/sync/push/read-record.ts";
import { instant } from "../../src/engine/resources/fields.ts";
import { canonicalJson, findUnstorable, isStorableText, limitDepth, storableText } from "../../src/lib/json.ts";
import { verifySignature } from "../../src/webhooks/endpoints/signature.ts";

const anyText = fc.string({ unit: "binary", maxLength: 300 });

test("whatever its bytes, a body is parsed as JSON.parse does, or refused with our own error", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((given) => Buffer.from(given)),
    fc.json().map((text) => Buffer.from(text)),
    fc.tuple(fc.json(), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
      const spoilt = Buffer.from(text);
      if (spoilt.length > 0) spoilt[at % spoilt.length] = byte;
      return spoilt;
    }),
  );
  fc.assert(
    fc.property(bytes, (raw) => {
      try {
        const value = parseJson(raw);
        expect(value).toEqual(JSON.parse(raw.toString("utf8")));
        expect(findUnstorable(value)).toBeUndefined();
      } catch (error) {
        expect(["INVALID_JSON", "VALIDATION_ERROR"]).toContain(toApiError(error).code);
      }
    }),
    { numRuns: 1000 },
  );
});

test("whatever a register sends as a record is parsed, or refused with a reason", () => {
  const types = fc.constantFrom(
    "sale",
    "product",
    "customer",
    "quote",
    "cash_session",
    "invoice",
    "__proto__",
    "toString",
  );
  const record = fc.record(
    {
      type: fc.oneof(types, fc.anything()),
      id: fc.oneof(fc.uuid(), fc.anything()),
      op: fc.oneof(fc.constantFrom("upsert", "delete"), fc.anything()),
      data: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(record, (given) => {
      const reading = readRecord({ device_seq: 1, ...given } as never, JSON.stringify(given), true);
      if (reading.readable === undefined) expect(reading.aside.reason.length).toBeLessThanOrEqual(300);
      else expect(reading.readable.id).toBe(String(given.id).toLowerCase());
    }),
    { numRuns: 1000 },
  );
});

const place = fc.record({ epoch: fc.uuid(), seq: fc.maxSafeNat() });

test("a feed cursor decodes to its position for its own account and for no other", () => {
  fc.assert(
    fc.property(place, fc.uuid(), fc.uuid(), (given, account, other) => {
      const owner = { key: "one key", accountId: account };
      const text = encodeFeedCursor(given, owner);
      expect(decodeFeedCursor(text, owner)).toEqual(given);
      expect(decodeFeedCursor(text, { ...owner, key: "another key" })).toBe("foreign");
      if (account !== other) expect(decodeFeedCursor(text, { ...owner, accountId: other })).toBe("foreign");
    }),
  );
});

test("no other text decodes to a position in the feed, and none crashes the parser", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.base64String()), fc.uuid(), (text, accountId) => {
      expect([undefined, "foreign"]).toContain(decodeFeedCursor(text, { key: "one key", accountId }));
    }),
    { numRuns: 1000 },
  );
});

test("only the signer's own header verifies", () => {
  const fields = fc.array(
    fc.constantFrom("t=1", "t=1700000000", "v1=", `v1=${"0".repeat(64)}`, "v0=x", ",", "=", "t", "v1"),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fields.map((parts) => parts.join(",")),
      ),
      anyText,
      (header, body) => {
        expect(verifySignature(body, header, "whsec_x", 1_700_000_000)).toBe(false);
      },
    ),
    { numRuns: 1000 },
  );
});

test("an instant that validation accepts is valid everywhere in the service", () => {
  const validate = validatorCompiler({ schema: instant(), httpPart: "body", method: "", url: "" }) as (
    text: string,
  ) => boolean;
  const digits = (least: number, most: number, width = 2) =>
    fc.integer({ min: least, max: most }).map((number) => String(number).padStart(width, "0"));
  const written = fc
    .tuple(
      digits(0, 9999, 4),
      digits(0, 13),
      digits(0, 32),
      digits(0, 24),
      digits(0, 60),
      digits(0, 60),
      fc.constantFrom("", ".1", ".123456789"),
      fc.constantFrom("Z", "z", "+14:00", "-05:00", "+14:59", "+15:00", "", "-00:00"),
    )
    .map(
      ([year, month, day, hour, minute, second, fraction, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
    );
  fc.assert(
    fc.property(fc.oneof(written, anyText), (text) => {
      if (!validate(text)) return;
      const at = new Date(text);
      expect(at.getTime()).not.toBeNaN();
      expect(validate(at.toISOString()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a typed code is parsed as ten letters of the alphabet, or refused", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.string({ unit: fc.constantFrom("a", "b", "2", "7", "-", "9", " ", "Z", "ı"), maxLength: 14 }),
      ),
      (text) => {
        const code = readCode(text);
        if (code !== undefined) expect(code).toMatch(/^[A-Z2-7]{10}$/);
      },
    ),
  );
});

test("text made storable can be stored and loses nothing else", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(isStorableText(storableText(text))).toBe(true);
      if (isStorableText(text)) expect(storableText(text)).toBe(text);
    }),
  );
});

test("a value of reasonable depth is not cut, and any other can still be serialized", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), fc.integer({ min: 1, max: 50_000 }), (value, levels) => {
      expect(limitDepth(value)).toEqual(value);
      const deep = JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
      expect(() => JSON.stringify(limitDepth(deep)) + canonicalJson(limitDepth(deep))).not.toThrow();
    }),
    { numRuns: 50 },
  );
});
