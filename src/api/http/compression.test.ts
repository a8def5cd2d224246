import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseEncoding } from "./compression.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["br", "br"],
  ["BR", "br"],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=0.9, br;q=0.8", "gzip"],
  ["gzip ; q=0.5 , br ; q=0.5", "br"],
  ["br;q=0", undefined],
  ["br;q=0.000, gzip;q=0.001", "gzip"],
  ["*", "br"],
  ["*;q=0.1, identity;q=0.5", undefined],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0.5, identity", undefined],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["br;q=mucho", undefined],
  ["deflate, zstd", undefined],
  [",,;q=1,", undefined],
])("%s gives %s", (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const weights = fc.dictionary(fc.constantFrom("br", "gzip", "deflate", "identity", "*"), weight);

test("an encoding the client refuses is never chosen, and its preferred one always is", () => {
  fc.assert(
    fc.property(weights, (given) => {
      const header = Object.entries(given)
        .map(([name, q]) => `${name};q=${q}`)
        .join(", ");
      const q = (name: string) => given[name] ?? given["*"] ?? 0;
      const chosen = chooseEncoding(header);
      if (chosen === undefined) {
        const best = Math.max(q("br"), q("gzip"));
        expect(best === 0 || best < given.identity!).toBe(true);
      } else {
        expect(q(chosen)).toBeGreaterThan(0);
        expect(q(chosen)).toBe(Math.max(q("br"), q("gzip")));
        expect(q(chosen)).toBeGreaterThanOrEqual(given.identity ?? 0);
      }
    }),
  );
});
