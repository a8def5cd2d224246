import { lineText } from "../../../../lib/one-line.ts";
import { codeIn } from "./cell-values.ts";
import type { Cell } from "./sheet.ts";

const separators = /[,;|\n"]/;

/** Several codes in one cell, each in quotes where it holds what separates them. */
export function codesText(codes: readonly string[]): string {
  return codes.map((code) => (separators.test(code) ? `"${code.replaceAll('"', '""')}"` : code)).join(", ");
}

/** The codes of a cell, as `codesText` or a person writes them. */
export function codesIn(cell: Cell): string[] {
  const parts = codeIn(cell).matchAll(/\s*"((?:[^"]|"")*)"\s*(?=[,;|\n]|$)|[^,;|\n]+/g);
  return [...parts]
    .map(([plain, quoted]) => lineText(quoted?.replaceAll('""', '"') ?? plain.trim()))
    .filter((code) => code !== "");
}
