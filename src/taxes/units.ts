const counted: ReadonlySet<string> = new Set(["und", "doc"]);

/** Units that allow no fractions: pieces and dozens. */
export function isCountedUnit(unit: string): boolean {
  return counted.has(unit);
}
