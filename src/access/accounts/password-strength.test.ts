import { describe, expect, test } from "vitest";
import { maxPasswordLength } from "./password.ts";
import { passwordProblem } from "./password-strength.ts";

const owner = { email: "ana.restrepo@laesquina.com.co", name: "Tienda La Esquina" };
const problem = (password: string) => passwordProblem(password, owner);

describe("refused as easily guessed, with advice", () => {
  test.each([
    ["a row of digits", "1234567890"],
    ["the row reversed", "0987654321"],
    ["spaces", " ".repeat(10)],
    ["one character", "aaaaaaaaaaaaaaaaaaaa"],
    ["a word, repeated", "hola hola hola hola"],
    ["an unlisted unit, repeated", "xkcdxkcdxkcdxkcd"],
    ["the keyboard", "qwertyuiop"],
    ["the keyboard in columns", "1qaz2wsx3edc"],
    ["the keyboard in zigzag", "1q2w3e4r5t6y"],
    ["the alphabet", "abcdefghijklm"],
    ["digits with spaces", "1 2 3 4 5 6 7 8 9"],
    ["a telephone number", "3105551234"],
    ["a common word and a year", "contraseña2026"],
    ["a common word in disguise", "P4ssw0rd123!"],
    ["the country and a row", "Colombia12345"],
    ["a club and a year", "millonarios1946"],
    ["the product", "Mostrador2026*"],
    ["names and a digit", "carlosymaria1"],
    ["a word reversed", "1rodartsinimda"],
    ["full-width digits", "１２３４５６７８９０"],
  ])("%s", (_what, password) => {
    expect(problem(password)).toMatch(/se adivina pronto.*Escriba una frase/);
  });

  test.each([
    ["the owner's address", "ana.restrepo@laesquina.com.co"],
    ["its first part and a year", "anarestrepo-2026"],
    ["a part of it", "Restrepo!Restrepo"],
    ["the business's name", "LaEsquina#2026"],
    ["the business's name in disguise", "l43squin4-2026"],
  ])("%s", (_what, password) => {
    expect(problem(password)).toMatch(/se adivina/);
  });

  test("another account's own words are allowed", () => {
    const password = "restrepo vélez";
    expect(problem(password)).toMatch(/su correo o el nombre del negocio/);
    expect(passwordProblem(password, { email: "otra@example.com", name: "Otra" })).toBeUndefined();
  });
});

test.each([
  "una clave larga",
  "lluvia sobre tejas rojas",
  "hq7vk2mzp4",
  "Tr0pezón-con-lámpara",
  "perro azul come nubes",
  "🐢🌧️🎺 tortuga trompeta",
])("accepted: %s", (password) => {
  expect(problem(password)).toBeUndefined();
});

test("a password that is too short or too long gets told the limits", () => {
  expect(problem("hq7vk2mzp")).toMatch(/entre 10 y 200 caracteres/);
  expect(problem(`hq7vk2mzp4${"x".repeat(maxPasswordLength)}`)).toMatch(/entre 10 y 200 caracteres/);
});

test("the longest password is judged quickly, whatever it repeats", () => {
  for (const unit of ["a", "ab", "mostrador", "1qaz"])
    expect(problem(unit.repeat(maxPasswordLength).slice(0, maxPasswordLength))).toMatch(/se adivina pronto/);
});
