import { expect, test } from "vitest";
import { readEntry } from "./read-entry.ts";

test.each([
  ["5*7702001000018", { code: "7702001000018", units: 5 }],
  ["0,735 * QUE-1", { code: "QUE-1", units: 0.735 }],
  ["5*", { code: "", units: 5 }],
  // A letter is part of a code, never a sign: 12X34 is one product, not twelve of another.
  ["12X34", { code: "12X34", units: undefined }],
  ["0*770", { code: "0*770", units: undefined }],
])("%s", (text, read) => {
  expect(readEntry(text)).toEqual(read);
});
