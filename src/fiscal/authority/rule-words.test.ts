import { expect, test } from "vitest";
import { explainRules } from "./rule-words.ts";

test("each rule of a message has its code, what the authority said, what it means and what to do", () => {
  const [rejection, notice] = explainRules(
    "Regla: FAD06, Rechazo: Valor del CUFE no está calculado correctamente. | Regla: FAJ43b, Notificación: Nombre informado no corresponde.",
  );
  expect(rejection).toMatchObject({
    code: "FAD06",
    said: "Valor del CUFE no está calculado correctamente.",
    is_notice: false,
  });
  expect(rejection!.next).toContain("reenvíe");
  expect(notice).toMatchObject({ code: "FAJ43b", is_notice: true });
  expect(notice!.means).toContain("RUT");
});

test.each([
  ["FAB05b", "no es uno que la DIAN tenga"],
  ["FAB05c", "no está asociado al software"],
  ["FAB07a", "anterior al primer día"],
  ["DEAB08b", "último día"],
  ["DEAB10b", "prefijo"],
  ["FAB11b", "primer número del rango"],
  ["DEAB12b", "último número del rango"],
  ["FAJ44a", "no está autorizado"],
])("the rule %s says what the authority's own table says", (code, words) => {
  expect(explainRules(`Regla: ${code}, Rechazo: algo.`)[0]!.means).toContain(words);
});

test.each([
  ["CAD06", "código único"],
  ["DEAD06", "código único"],
  ["NAB10a", "prefijo"],
  ["FAU99", "Los totales"],
  ["FAK21", "comprador"],
  ["ZB05", "forma que exige"],
  ["XYZ1", "no aceptó un dato"],
])("the rule %s, which is not in the list, is explained by what it is about", (code, words) => {
  expect(explainRules(`Regla: ${code}, Rechazo: algo.`)[0]!.means).toContain(words);
});

test.each([
  ["El rango de numeración EPOS 1–2 para documentos POS se agotó.", "No quedan números"],
  ["NIT 1 no autorizado a enviar documentos para emisor con NIT 2.", "no está autorizado"],
  ["Algo nunca visto.", "no se pudo emitir"],
])("a sentence without a rule, %j, is explained too", (sentence, words) => {
  expect(explainRules(sentence)).toMatchObject([{ code: null, said: sentence }]);
  expect(explainRules(sentence)[0]!.means).toContain(words);
});

test("no message, no rules", () => {
  expect(explainRules(null)).toEqual([]);
  expect(explainRules("")).toEqual([]);
});
