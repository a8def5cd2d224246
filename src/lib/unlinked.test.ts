import { expect, test } from "vitest";
import { unlinked } from "./unlinked.ts";

/** What mail programs take for an address; Android's list of letters that an address may hold is the widest. */
const letter = "[a-z0-9_\\-\\u00a1-\\u1fff\\u200b-\\u2027\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ud7ff\\uf900-\\uffef]";
const links = [
  new RegExp(`${letter}+[.\\u2024\\u3002\\uff0e\\uff61](?=[a-z\\u00a1-\\uffef])${letter}+`, "iu"),
  /\bwww\.\S/iu,
  /\w+:\/\/\S/u,
  /\S[@\uff20\ufe6b]\S/u,
  /\d+\.\d+\.\d+\.\d+/u,
];
const isLinked = (text: string) => links.some((link) => link.test(text));

test.each([
  "Gane premios en www.malo.com/ya",
  "visite malo.com.co",
  "HTTPS://MALO.EXAMPLE",
  "escriba a ana@malo.co",
  "ftp://1.2.3.4/x",
  "entre a 192.168.10.20",
  "ｗｗｗ．malo．com",
  "malo。com",
  "www.4malo.com",
  "xn--malo-1na.com",
  "a.b",
  "mañana.com",
])("%s is no link any more, and reads the same", (text) => {
  expect(isLinked(text)).toBe(true);
  expect(isLinked(unlinked(text))).toBe(false);
  expect(unlinked(text).replaceAll("\u200a", "")).toBe(text);
});

test.each(["Gaseosa 2.5 L", "Pan. Leche y café", "1 × Arroz 500 g", "$ 12.000", "Fecha: 3:40 p. m.", "50 % dcto."])(
  "%s stays as it is",
  (text) => expect(unlinked(text)).toBe(text),
);

test.each(["evil\u2060.com/premio", "evil\u00ad.com", "evil\u200b.com", "evil.\u2060com", "www.💩.la/x", "i❤.ws"])(
  "%j is broken by a space that can be seen",
  (text) => {
    expect(unlinked(text)).toMatch(/\.\u200a/);
    expect(unlinked(text)).not.toMatch(/\p{Cf}/u);
  },
);
