/**
 * An array parameter of what needs no quotes: ids, numbers, instants, the words of a list of ours. The driver would look for
 * some in each element.
 */
export function plainArray(values: readonly (string | number | null)[]): string {
  return `{${(values.includes(null) ? values.map((value) => value ?? "null") : values).join(",")}}`;
}
