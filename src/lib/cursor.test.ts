import fc from "fast-check";
import { expect, test } from "vitest";
import { type CursorScope, decodeCursor, encodeCursor, type Position } from "./cursor.ts";

const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });
const position: fc.Arbitrary<Position> = fc.record({
  createdAt: instant,
  id: fc.uuid(),
  asOf: fc.option(instant, { nil: undefined }),
});
const scope: CursorScope = {
  key: "k".repeat(32),
  route: "/public/v1/customers",
  accountId: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11",
  filters: '{"q":"ana"}',
};

test("a cursor decodes to the position it was made from", () => {
  fc.assert(
    fc.property(position, (place) => {
      expect(decodeCursor(encodeCursor(place, scope), scope)).toEqual(place);
    }),
  );
});

test("a cursor needs no escaping in a URL and stays under the 200 characters that a list accepts", () => {
  fc.assert(
    fc.property(position, (place) => {
      expect(encodeCursor(place, scope)).toMatch(/^[\w-]{1,200}$/);
    }),
  );
});

test("a cursor with any character changed, added or removed is invalid", () => {
  const edit = fc.tuple(
    fc.nat(),
    fc.constantFrom("change", "add", "remove"),
    fc.constantFrom("A", "b", "7", "-", "=", " "),
  );
  fc.assert(
    fc.property(position, edit, (place, [where, kind, character]) => {
      const cursor = encodeCursor(place, scope);
      const at = where % cursor.length;
      const rest = cursor.slice(kind === "add" ? at : at + 1);
      const edited = cursor.slice(0, at) + (kind === "remove" ? "" : character) + rest;
      fc.pre(edited !== cursor);
      expect(decodeCursor(edited, scope)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test("no other text is accepted as a cursor", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ minLength: 51, maxLength: 59 })), (text) => {
      expect(decodeCursor(text, scope)).toBeUndefined();
    }),
  );
});

test("a cursor is valid only for its own route, account, filters and installation", () => {
  fc.assert(
    fc.property(
      position,
      fc.constantFrom("key", "route", "accountId", "filters"),
      fc.string(),
      (place, part, other) => {
        fc.pre(other !== scope[part as keyof CursorScope]);
        expect(decodeCursor(encodeCursor(place, scope), { ...scope, [part]: other })).toBeUndefined();
      },
    ),
  );
});

test("the instant of the first page cannot be added to a cursor or removed from it", () => {
  fc.assert(
    fc.property(position, (place) => {
      const bytes = Buffer.from(encodeCursor(place, scope), "base64url");
      const mac = bytes.subarray(-16);
      const content = bytes.subarray(0, -16);
      const other = place.asOf ? content.subarray(0, 22) : Buffer.concat([content, Buffer.alloc(6, 1)]);
      expect(decodeCursor(Buffer.concat([other, mac]).toString("base64url"), scope)).toBeUndefined();
    }),
  );
});
