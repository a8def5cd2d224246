import { describe, expect, test } from "vitest";
import { erased, tracesOf } from "./traces.ts";

const ana = tracesOf({
  emails: ["zoraida.q@example.com"],
  phones: ["+57 300 123 4567"],
  documents: ["1.020.456.789"],
  names: [{ name: "Zoraida Eulalia", last_name: "Quintanilla Nuñez" }],
});

describe("a person is recognized", () => {
  test.each([
    "ZORAIDA EULALIA QUINTANILLA NUNEZ",
    "zoraida  eulalia quintanilla, núñez",
    "Zoraida Quintanilla",
    "Eulalia Núñez",
    "Zoraida.Q@Example.com",
    "zoraida.q%40example.com",
    "300-123-4567",
    "3001234567",
    "573001234567",
    "1020456789",
    "1 020 456 789",
  ])("as %s", (text) => {
    expect(ana.clean(`Para ${text}, gracias`)).toBe(`Para ${erased}, gracias`);
    expect(new RegExp(ana.pattern ?? "", "i").test(text)).toBe(true);
  });

  test.each([
    "Zoraida",
    "Quintanilla",
    "Zoraida Eulalia",
    "azoraida.q@example.com",
    "91020456789",
    "10204567891",
    "2026-11-19",
  ])("but %s is not hers", (text) => {
    expect(ana.clean(text)).toBe(text);
  });

  test("by a part of her name in what is about her", () => {
    expect(ana.clean("La mesa de Zoraida", true)).toBe(`La mesa de ${erased}`);
  });
});

test("numbers, ids, instants and who works at the counter stay", () => {
  const value = {
    total: 1020456789,
    id: "10204567-1020-7456-8789-102045678910",
    at: "2026-11-19T05:00:00.000Z",
    opened_by: "Zoraida Quintanilla Núñez",
    notes: [null, { text: "doc 1020456789" }],
  };
  expect(ana.cleanValue(value)).toEqual({ ...value, notes: [null, { text: `doc ${erased}` }] });
  const other = { a: [1, "nada"] };
  expect(ana.cleanValue(other)).toBe(other);
});

test("a company, or a single word, is looked for nowhere else", () => {
  expect(
    tracesOf({ emails: [], phones: ["12"], documents: ["123"], names: [{ name: "Ana", last_name: null }] }).pattern,
  ).toBeUndefined();
});
