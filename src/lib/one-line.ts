/**
 * Control characters, line and paragraph separators, and bidirectional marks: with them a name could add a header or a line
 * to a mail, or display its letters in another order.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The text on one line, without invisible characters. */
export function oneLine(text: string): string {
  return text.replace(invisible, " ").trim();
}

/** The same rule as a JSON Schema pattern. */
export const oneLinePattern = `^(?=.*\\S)[^${invisible.source.slice(1, -2)}]+$`;
