import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText, keyLookup, queryNgrams, searchBits, searchKeys, searchPattern, searchText } from "./search-text.ts";

/** PostgreSQL's LIKE with its default escape, as far as patterns use it: %, _ and \. */
function like(text: string, pattern: string): boolean {
  const source = pattern.replace(/\\(.)|([%_])|([^\\%_]+)/gsu, (_all, escaped, wild, plain) =>
    wild ? (wild === "%" ? "[^]*" : "[^]") : literal(escaped ?? plain),
  );
  return new RegExp(`^${source}$`, "u").test(text);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const isFound = (q: string, ...fields: (string | null)[]) => like(searchText(fields), searchPattern(foldText(q)));

const spanish = fc.string({
  unit: fc.constantFrom(
    "a",
    "á",
    "A",
    "Á",
    "e",
    "é",
    "n",
    "ñ",
    "Ñ",
    "u",
    "ü",
    "o",
    "Ó",
    "b",
    "7",
    " ",
    "-",
    "%",
    "_",
    "\\",
    "🥛",
  ),
  maxLength: 12,
});
const character = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
const anything = fc.oneof(spanish, fc.string({ unit: character, maxLength: 12 }));

test.each([
  ["maría", "MARIA FERNANDA"],
  ["FERNANDA", "María Fernanda"],
  ["ñandu", "Ñandú"],
  ["nandu", "Ñandú"],
  ["ía f", "María Fernanda"],
  ["ri", "María"],
  ["Í", "María"],
  ["a  \t f", "María Fernanda"],
  ["100%", "Jugo 100% natural"],
  ["a_b", "REF A_B"],
  ["c:\\", "C:\\ventas"],
  ["🥛 l", "🥛 Leche"],
  ["🥛l", "🥛Leche"],
  ["🥛 ", "🥛"],
])("%s finds %s", (q, field) => {
  expect(isFound(q, field)).toBe(true);
});

test.each([
  ["_b", "ab"],
  ["a_c", "abc"],
  ["a%c", "abc"],
  ["%%", "abc"],
  ["\\b", "ab"],
  ["ac", "abc"],
  ["ba", "ab"],
])("%s does not find %s", (q, field) => {
  expect(isFound(q, field)).toBe(false);
});

test("a long word folds at once, whatever follows it", () => {
  expect(foldText(`${"Ñ".repeat(50_000)}面`)).toBe(`${"n".repeat(50_000)}面`);
});

describe("for any text", () => {
  test("a query finds exactly the records with a field that contains it", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), anything, (fields, q) => {
        fc.pre(foldText(q) !== "");
        const holds = fields.some((field) => foldText(field).includes(foldText(q)));
        expect(isFound(q, ...fields)).toBe(holds);
      }),
      { numRuns: 2000 },
    );
  });

  test("every part of a field finds it, in any case and without accents", () => {
    fc.assert(
      fc.property(spanish, fc.nat(), fc.integer({ min: 2, max: 6 }), (field, where, length) => {
        const characters = Array.from(field);
        const start = where % (characters.length + 1);
        const piece = characters.slice(start, start + length).join("");
        fc.pre(foldText(piece) !== "");
        const bare = piece.normalize("NFD").replace(/\p{Mn}/gu, "");
        for (const q of [piece, piece.toUpperCase(), piece.toLowerCase(), bare, piece.normalize("NFD")]) {
          expect(isFound(q, null, field), q).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("a text folds the same with and without a letter of another script behind it", () => {
    const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x17f }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(latin, (text) => {
        expect(foldText(`${text} 面`)).toBe(`${foldText(text)} 面`.trim());
      }),
      { numRuns: 2000 },
    );
  });

  test("folding twice is folding once", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 2000 },
    );
  });
});

const account = "0198c5a2-7c1e-7000-8000-00c0ffee0001";

describe("a record is found by any part of its fields", () => {
  const fieldAndPiece = fc.tuple(anything, fc.nat(), fc.integer({ min: 1, max: 100 })).map(([field, where, length]) => {
    const characters = Array.from(field);
    const start = where % (characters.length + 1);
    return { field, piece: foldText(characters.slice(start, start + length).join("")) };
  });

  test("keys: the record has all or one of those that are looked up", () => {
    fc.assert(
      fc.property(fieldAndPiece, anything, ({ field, piece }, other) => {
        const own = new Set(searchKeys(account, searchText([other, field])));
        const { operator, keys } = keyLookup(account, queryNgrams(piece));
        const isFound = operator === "@>" ? keys.every((key) => own.has(key)) : keys.some((key) => own.has(key));
        expect(isFound).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test("keys: a pair is found whatever follows it", () => {
    const { keys } = keyLookup(account, ["lu"]);
    for (const field of ["lu", "luz", "lu z", "lu.", "lu7", "lu面", "lu🥛", "luluz"])
      expect(
        new Set(searchKeys(account, searchText(["ana", field, "rojas"]))).isDisjointFrom(new Set(keys)),
        field,
      ).toBe(false);
    expect(new Set(searchKeys(account, searchText(["l", "u", "ul", "l u"]))).isDisjointFrom(new Set(keys))).toBe(true);
  });

  test("keys: of a long text, none comes twice", () => {
    const text = searchText(Array.from({ length: 3000 }, (_, i) => `cliente ${i}`));
    const keys = searchKeys(account, text);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(keyLookup(account, queryNgrams("te 2999")).keys));
  });

  test("bits: every bit of a query is one of the record's", () => {
    fc.assert(
      fc.property(fieldAndPiece, anything, ({ field, piece }, other) => {
        const bits = searchBits(searchText([other, field]));
        expect([...searchBits(piece)].filter((bit, i) => bit === "1" && bits[i] !== "1")).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ["a", []],
  ["zz", ["zz"]],
  ["caf", ["caf"]],
  ["cafe", ["caf", "afe"]],
  ["aaaaaa", ["aaa"]],
  ["1234", ["123", "234"]],
  ["12345", ["12345"]],
  ["1020304050", ["10203", "04050"]],
  ["300 123 4567", ["00 12", "23 45", "300", " 12", "3 4", "567"]],
  ["luz rojas", ["uz ro", "luz", " ro", "jas"]],
  ["a la b", ["a l", "a b"]],
  ["ana12345@x.co", ["12345", "ana", "@x.", ".co"]],
  ["a123456", ["12345", "23456"]],
  ["leche 🥛🥛", ["he 🥛🥛", "lec", "he ", " 🥛🥛"]],
])("%s is looked up by its longest n-grams", (q, ngrams) => {
  expect(queryNgrams(q)).toEqual(ngrams);
});

test("a query of two or more characters has at least one n-gram, and never many", () => {
  const text = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(3);
  for (let length = 2; length <= 100; length++) {
    const { length: count } = queryNgrams(text.slice(0, length));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(8);
  }
});

test("the same text has different keys in two accounts", () => {
  const other = account.replace(/1$/, "2");
  const keys = new Set(searchKeys(account, "camiseta negra"));
  expect(searchKeys(other, "camiseta negra").filter((key) => keys.has(key))).toEqual([]);
});

test("keys and bits never change, because they are stored", () => {
  expect(searchKeys(account, "ñu")).toEqual([-604995905]);
  // Records have no key of a pair that one of these follows.
  for (const follower of " -.0123456789@_abcdefghijklmnopqrstuvwxyz")
    expect(keyLookup(account, ["lu"]).keys).toContain(keyLookup(account, [`lu${follower}`]).keys[0]);
  // Records stored by 0.1.0 have the key of every pair.
  expect(keyLookup(account, ["ñu"]).keys).toContain(-604995905);
  expect(keyLookup(account, ["luz"])).toEqual({ operator: "@>", keys: [1169040372] });
  expect(Array.from(searchBits("cafe").matchAll(/1/g), ({ index }) => index)).toEqual([52, 73, 126]);
});
