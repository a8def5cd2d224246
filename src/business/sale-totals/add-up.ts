type Row = Readonly<Record<string, unknown>>;

/**
 * The rows with those of the same key as one. All of them as they are if there are fractions to add: the database adds
 * them exactly.
 */
export function addUp<T extends object>(rows: readonly T[], keys: readonly (keyof T & string)[]): T[] {
  const byKey = new Map<string, Record<string, unknown>>();
  for (const row of rows as readonly Row[]) {
    let key = "";
    // No text that is stored has a NUL.
    for (const name of keys) key += `${row[name] as string}\0`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, { ...row });
    else if (!addTo(known, row, keys)) return [...rows];
  }
  return [...byKey.values()] as T[];
}

/** Quantities come as the text of a number. */
function addTo(known: Record<string, unknown>, row: Row, keys: readonly string[]): boolean {
  for (const name in row) {
    if (keys.includes(name)) continue;
    const sum = Number(known[name]) + Number(row[name]);
    if (
      !Number.isSafeInteger(Number(known[name])) ||
      !Number.isSafeInteger(Number(row[name])) ||
      !Number.isSafeInteger(sum)
    )
      return false;
    known[name] = sum;
  }
  return true;
}
