import { isDeepStrictEqual } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, escapedText, findUnstorable, isStorableText, mayHoldUnstorable, storableJson } from "./json.ts";

/** The same value with its keys in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

/** After a round trip through JSON: minus zero is zero. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe("canonicalJson", () => {
  test("does not cache the keys of objects that use ids as keys", () => {
    setFlagsFromString("--expose_gc");
    const collect = runInNewContext("gc") as () => void;
    const heapBytes = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heapBytes();
    for (let i = 0; i < 20; i++)
      canonicalJson(Object.fromEntries(Array.from({ length: 20_000 }, (_, j) => [`id-${i}-${j}`, j])));
    expect(heapBytes() - before).toBeLessThan(20_000_000);
  });

  test("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("is JSON of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isDeepStrictEqual(JSON.parse(canonicalJson(value)), plain(value))).toBe(true);
      }),
    );
  });

  test("is equal for equal values only", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(plain(a), plain(b)));
      }),
    );
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
    expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
    expect(canonicalJson({ "a\nb": 1 })).not.toBe(canonicalJson({ a: 1, b: 1 }));
    expect([canonicalJson({}), canonicalJson({ "": 1 }), canonicalJson({})]).toEqual(["{}", '{"":1}', "{}"]);
  });

  test("keeps a key called __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });
});

/** Any character of Unicode. fast-check's own "binary" unit takes seconds to set up. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

describe("isStorableText", () => {
  test("refuses control characters and half a surrogate pair anywhere, but neither tab nor line ends, nor anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.string({ unit: character }), (before, after) => {
        const isControl = (one: string) => one < " " || (one >= "\u007f" && one <= "\u009f");
        const isFine = ![...before, ...after].some((one) => isControl(one) && !"\t\n\r".includes(one));
        expect(isStorableText(before + after)).toBe(isFine);
        for (const bad of ["\u0000", "\u001b", "\u007f", "\u009b", "\ud800", "\udfff"]) {
          expect(isStorableText(`${before} ${bad} ${after}`)).toBe(false);
        }
      }),
    );
  });
});

test("JSON that encodes what may not be stored is always suspect", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: character }),
      fc.constantFrom("\u0000", "\b", "\f", "\u001b", "\u007f", "\u0085", "\ud800"),
      (text, bad) => {
        expect(mayHoldUnstorable(JSON.stringify({ name: `${text}${bad} x` }))).toBe(true);
      },
    ),
  );
  expect(mayHoldUnstorable(JSON.stringify({ name: 'dos\n\tlíneas «ñ» \\ " 🥛' }))).toBe(false);
});

test("a value made storable keeps what could be stored, and no field takes another's name", () => {
  const value = { total: 1, "to\u0000tal": 2, items: [{ name: "Pan\u001bp\ud800 ñ\n" }] };
  expect(storableJson(value)).toEqual({ total: 1, items: [{ name: "Panp\ufffd ñ\n" }] });
  expect(escapedText("Pan\u001bp\ud800 🥛\n")).toBe("Pan\\u001bp\\ud800 🥛\n");
});

describe("findUnstorable", () => {
  test.each([
    [{ name: "Ana" }, undefined],
    [{ name: "\u0000" }, "name"],
    [{ name: "\u001b" }, "name"],
    [{ notes: "dos\r\n\tlíneas" }, undefined],
    [{ variants: [{ label: "M" }, { label: "\ud800" }] }, "variants.1.label"],
    [{ name: "Ana", "\u0000": 1 }, "body"],
    [{ images: { "\udc00": 1 } }, "images"],
    ["\u0000", "body"],
    [null, undefined],
    [7, undefined],
  ])("%j is found at %s", (value, path) => {
    expect(findUnstorable(value)).toBe(path);
  });

  test("works at any depth", () => {
    const depth = 200_000;
    const deep = JSON.parse(`${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}`);
    expect(findUnstorable(deep)).toHaveLength(2 * depth - 1);
  });
});
