/** Pesos by year. */
export type ByYear = Readonly<Record<number, number>>;

/** The value of a year. One without an entry takes the last one before it; before all of them, the first. */
export function valueInForce(byYear: ByYear, year: number): number {
  const years = Object.keys(byYear)
    .map(Number)
    .sort((a, b) => a - b);
  const inForce = years.findLast((known) => known <= year) ?? years[0];
  return inForce === undefined ? 0 : byYear[inForce]!;
}
