const letters = new Intl.Segmenter("es");

/** Of the first two words, as people see letters: half an emoji is none. */
export function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .flatMap((word) => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? [])
    .join("")
    .toLocaleUpperCase("es");
}
