const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|;/g;

/**
 * The statements of an SQL text. Where tables are distributed, each must be sent by itself: the workers get the text that a
 * statement came in, and refuse one with several commands.
 */
export function splitStatements(text: string): string[] {
  const ends = Array.from(text.matchAll(token))
    .filter(([found]) => found === ";")
    .map(({ index }) => index);
  return [...ends, text.length]
    .map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1]! + 1, end).trim())
    .filter((statement) => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "");
}
