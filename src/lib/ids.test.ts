import fc from "fast-check";
import { expect, test } from "vitest";
import { isUuid, timeOfUuidv7, uuidv7 } from "./ids.ts";

const ms = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("an id is a version 7 UUID that contains its instant", () => {
  fc.assert(
    fc.property(ms, (time) => {
      const id = uuidv7(new Date(time));
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(isUuid(id)).toBe(true);
      expect(timeOfUuidv7(id)).toEqual(new Date(time));
    }),
  );
});

test("ids ascend with time and, within a millisecond, in the order they were created", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 2, maxLength: 500 }), (steps) => {
      let time = 1_790_000_000_000;
      const ids = steps.map((step) => {
        time += step;
        return uuidv7(new Date(time));
      });
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test("three thousand ids of one millisecond ascend, and thirty thousand are all different", () => {
  const at = new Date(1_790_000_000_123);
  const ids = Array.from({ length: 30_000 }, () => uuidv7(at));
  expect(ids.slice(0, 3000)).toEqual(ids.slice(0, 3000).toSorted());
  expect(new Set(ids).size).toBe(30_000);
});

test("an id of another version contains no instant", () => {
  fc.assert(
    fc.property(fc.uuid({ version: [1, 2, 3, 4, 5, 6, 8] }), (id) => {
      expect(timeOfUuidv7(id)).toBeUndefined();
    }),
  );
});

test("text that only resembles a UUID is not one", () => {
  const id = uuidv7(new Date());
  expect(isUuid(id.toUpperCase())).toBe(true);
  for (const text of [`${id}0`, id.slice(1), id.replaceAll("-", ""), `{${id}}`, `${id}\n`, id.replace(/.$/, "g"), ""]) {
    expect(isUuid(text), text).toBe(false);
  }
});
