import { lineText } from "../../../../lib/one-line.ts";
import { codeIn } from "./cell-values.ts";
import type { Cell } from "./sheet.ts";

/** The codes of a cell, as `codesText` or a person writes them. */
export function codesIn(cell: Cell): string[] {
  const parts = codeIn(cell).matchAll(/\s*"((?:[^"]|"")*)"\s*(?=[,;|\n]|$)|[^,;|\n]+/g);
  return [...parts]
    .map(([plain, quoted]) => lineText(quoted?.replaceAll('""', '"') ?? plain.trim()))
    .filter((code) => code !== "");
}
