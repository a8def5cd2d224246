import { type ImportField, importFields } from "./stock-words.ts";

/** What an owner said that the columns of a file are, kept in the browser by account for the next file with the same headings. */
export type ColumnFields = (ImportField | null)[];

interface Remembered {
  titles: string[];
  fields: ColumnFields;
}

/** A business has a few programs that it gets files from. */
const mostRemembered = 20;

const placeOf = (accountId: string) => `columnas ${accountId}`;
const isSame = (a: readonly unknown[], b: readonly unknown[]) => JSON.stringify(a) === JSON.stringify(b);

export function rememberedColumns(accountId: string, titles: readonly string[]): ColumnFields | undefined {
  const found = stored(accountId).find((one) => isSame(one.titles, titles));
  const isKnown = found?.fields.every((field) => field === null || field in importFields);
  return isKnown && found?.fields.length === titles.length ? found.fields : undefined;
}

export function rememberColumns(accountId: string, titles: readonly string[], fields: ColumnFields): void {
  // Columns without headings look alike in any file.
  if (titles.every((title) => title === "")) return;
  const others = stored(accountId).filter((one) => !isSame(one.titles, titles));
  try {
    const kept = [{ titles, fields }, ...others].slice(0, mostRemembered);
    localStorage.setItem(placeOf(accountId), JSON.stringify(kept));
  } catch {}
}

function stored(accountId: string): Remembered[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(accountId)) ?? "[]");
    return Array.isArray(kept) ? (kept as Remembered[]) : [];
  } catch {
    return [];
  }
}
