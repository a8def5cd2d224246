/**
 * Control characters, line and paragraph separators, and the marks that turn the direction of writing: with them a name
 * could add a header or a line of its own to a mail, or show its letters in another order.
 */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The text as one line that reads as it is written. */
export function oneLine(text: string): string {
  return text.replace(unseen, " ").trim();
}

/** The same as a rule for what people type: a pattern of JSON Schema. */
export const oneLinePattern = `^(?=.*\\S)[^${unseen.source.slice(1, -2)}]+$`;
