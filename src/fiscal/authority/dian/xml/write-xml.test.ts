import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInstalled } from "../../../../../test/support/tools.ts";
import { apex, element, group, leaf, namespaceDeclarations } from "./write-xml.ts";

const one = (text: string) => leaf("a", text, { b: text });

describe("what is written is canonical form", () => {
  test.each([
    ["plain", "ñandú", '<a b="ñandú">ñandú</a>'],
    ["nothing", "", '<a b=""></a>'],
    ["markup", "<b>&amp;\"'</b>", '<a b="&lt;b>&amp;amp;&quot;\'&lt;/b>">&lt;b&gt;&amp;amp;"\'&lt;/b&gt;</a>'],
    ["the end of CDATA", "]]>", '<a b="]]>">]]&gt;</a>'],
    ["tab and newline", "\t\n", '<a b="&#x9;&#xA;">\t\n</a>'],
    ["carriage return", "\r\n", '<a b="&#xD;&#xA;">&#xD;\n</a>'],
    ["emoji", "👩🏽‍🍳☕️", '<a b="👩🏽‍🍳☕️">👩🏽‍🍳☕️</a>'],
    ["combining marks stay as they came", "e\u0301 é", '<a b="e\u0301 é">e\u0301 é</a>'],
    [
      "separators and no-break space",
      "\u0085\u2028\u00a0\ufeff",
      '<a b="\u0085\u2028\u00a0\ufeff">\u0085\u2028\u00a0\ufeff</a>',
    ],
  ])("%s", (_, text, expected) => {
    expect(one(text)).toBe(expected);
  });

  test("attributes are in order, without a prefix first; namespaces by prefix, the default one first", () => {
    expect(element("x:a", { "x:z": "1", b: "2", a: "3", c: undefined })).toBe('<x:a a="3" b="2" x:z="1"></x:a>');
    expect(namespaceDeclarations({ b: "urn:b", "": "urn:d", a: "urn:a" })).toBe(
      ' xmlns="urn:d" xmlns:a="urn:a" xmlns:b="urn:b"',
    );
  });

  test("what is absent is left out, and an element taken out of its document carries its namespaces", () => {
    const inner = group("x:b", leaf("x:c", undefined), false, leaf("x:d", "1"));
    expect(inner).toBe("<x:b><x:d>1</x:d></x:b>");
    expect(apex(inner, namespaceDeclarations({ x: "urn:x" }))).toBe('<x:b xmlns:x="urn:x"><x:d>1</x:d></x:b>');
  });
});

test.each(["\u0000", "\u0008", "\u000b", "\u001f", "\ufffe", "\uffff", "\ud83d", "\udc69 x"])(
  "%j is refused: no reference could write it",
  (bad) => {
    expect(() => leaf("a", `x${bad}`)).toThrow("caracteres de control");
    expect(() => element("a", { b: `x${bad}` })).toThrow("caracteres de control");
  },
);

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom("&", "<", ">", '"', "'", "\r", "\n", "\t", "]]>", "&amp;", "&#13;", "<!--", "<![CDATA[", "?>"),
    fc.constantFrom("e\u0301", "\u0301", "👩🏽‍🍳", "ñ", "\u00a0", "\u0085", "\u2028", "\ufeff", "\u200b", " ", "🇨🇴"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 4 }).filter(isWritable),
  ),
  maxLength: 30,
});

function isWritable(text: string): boolean {
  try {
    return one(text).length > 0;
  } catch {
    return false;
  }
}

test.skipIf(!isInstalled("xmllint"))(
  "1 000 hostile texts are what xmllint --c14n makes of them (skipped where xmllint is not installed)",
  () => {
    const texts = fc.sample(hostile, { numRuns: 1000, seed: 38 });
    expect(texts.filter((text) => /[\r&<]/.test(text)).length).toBeGreaterThan(300);
    const written = `<r${namespaceDeclarations({ "": "urn:r", z: "urn:z", b: "urn:b" })}>${texts.map(one).join("")}</r>`;
    const { stdout, stderr } = spawnSync("xmllint", ["--c14n", "-"], { input: written, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.trimEnd()).toBe(written);
  },
);
