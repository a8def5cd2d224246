import { expect, test } from "vitest";
import { allMeans, legibleMeans, meansOf, meansOffered, paymentName } from "./means.ts";

test("every means has words of its own, an account and a row at the provider", () => {
  expect(new Set(allMeans.map(paymentName)).size).toBe(allMeans.length);
  for (const code of allMeans) {
    expect(paymentName(code)).not.toBe(code);
    expect(meansOf(code).account).toMatch(/^\d{6}$/);
    expect(meansOf(code).providerId).toBeGreaterThan(0);
  }
});

test("a means of payment that nobody named keeps its own word and counts as another one", () => {
  expect([paymentName("NEQUI"), paymentName("OTHER"), paymentName("VALES")]).toEqual(["Nequi", "Otro medio", "VALES"]);
  expect([meansOf("VALES"), meansOf("constructor")]).toEqual([meansOf("OTHER"), meansOf("OTHER")]);
});

test.each(["", " ", "\u0000", "\u200b", "\u202e\u00a0\t"])("a means %j that nobody can read is another one", (code) => {
  expect([paymentName(code), legibleMeans(code), legibleMeans(`${code}VALES`)]).toEqual([
    "Otro medio",
    "OTHER",
    `${code}VALES`,
  ]);
});

test("the counter offers what was paid at once", () => {
  expect(meansOffered("counter")).toEqual(["CASH", "CARD", "TRANSFER", "NEQUI", "DAVIPLATA", "OTHER"]);
  expect(meansOffered("counter").filter((code) => meansOf(code).isCredit)).toEqual([]);
});
