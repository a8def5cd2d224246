import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText, searchPattern, searchText } from "./search-text.ts";

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

const isFound = (q: string, ...fields: (string | null)[]) => like(searchText(fields), searchPattern(q));

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

describe("whatever the text", () => {
  test("a query finds exactly the records one of whose fields holds it", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), anything, (fields, q) => {
        fc.pre(foldText(q) !== "");
        const holds = fields.some((field) => foldText(field).includes(foldText(q)));
        expect(isFound(q, ...fields)).toBe(holds);
      }),
      { numRuns: 2000 },
    );
  });

  test("every piece of a field finds it, in any case and without its accents", () => {
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

  test("folding twice is folding once", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 2000 },
    );
  });
});

test("a query of two characters is an index look-up: its pattern holds a whole fenced pair", () => {
  expect(searchPattern("RÍ")).toBe("%\u0001ri\u0001%");
  expect(searchText(["María"]).split("\u0001")).toEqual(["maria", "", "ma", "ar", "ri", "ia", ""]);
});
