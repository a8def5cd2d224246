const counted: ReadonlySet<string> = new Set(["und", "doc"]);

/** Units that allow no fractions: pieces and dozens. */
export function isCountedUnit(unit: string): boolean {
  return counted.has(unit);
}

/** Units of a scale: what is kept in one of them is most often sold by weight. */
export function isWeighedUnit(unit: string): boolean {
  return unit === "kg" || unit === "g" || unit === "lb";
}
