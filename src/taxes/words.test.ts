import { expect, test } from "vitest";
import { grouped, instantText, lineTaxText, money, rateText } from "./words.ts";

test.each([
  [0, "$ 0"],
  [999, "$ 999"],
  [1_234_567, "$ 1.234.567"],
  [-20_000, "-$ 20.000"],
  [999_999_999_999, "$ 999.999.999.999"],
])("%i pesos are written %s", (pesos, text) => {
  expect(money(pesos)).toBe(text);
});

test("quantities keep their decimals", () => {
  expect([grouped(1.735), grouped(1234.5), grouped(12)]).toEqual(["1,735", "1.234,5", "12"]);
});

test("an instant is written in Bogotá's time", () => {
  expect(instantText("2026-11-17T04:59:59.000Z")).toBe("16/11/2026 23:59:59");
});

test("taxes are written by rate", () => {
  const tax = { code: "01", rate: 19, per_unit: null };
  expect(rateText(tax)).toBe("IVA 19 %");
  expect(rateText({ ...tax, rate: 0 })).toBe("IVA 0 % (exento)");
  expect(rateText({ code: "22", rate: null, per_unit: 73 })).toBe("INC bolsas $ 73 c/u");
  expect(rateText({ code: "99", rate: 0.966, per_unit: null })).toBe("Impuesto 99 0,966 %");
  expect([lineTaxText("excluded", []), lineTaxText("passthrough", [])]).toEqual(["Excluido", "De terceros"]);
  expect(lineTaxText("standard", [])).toBe("Sin IVA");
});
