import { blank, hidden, inClass } from "./visible.ts";

/**
 * Control characters, line and paragraph separators, and bidirectional marks: with them a name could add a header or a line
 * to a mail, or display its letters in another order.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The text on one line, without invisible characters. */
export function oneLine(text: string): string {
  return text.replace(invisible, " ").trim();
}

/** A name or a code as it is stored and compared: without spaces around it, and composed. */
export function lineText(text: string): string {
  return text.replace(/^\p{Zs}+|\p{Zs}+$/gu, "").normalize("NFC");
}

/** The joiner of an emoji is no hidden character; one that joins nothing is, as are the format characters above U+FFFF. */
const odd = new RegExp(
  `[${inClass(hidden)}]|(?!(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d\\p{Extended_Pictographic})\\p{Cf}`,
  "u",
);

/** Whether a name or a code holds nothing hidden. */
export function isOneLine(text: string): boolean {
  return !odd.test(text);
}

const shown = new RegExp(`(?!\\p{Default_Ignorable_Code_Point})[^${inClass(hidden)}${inClass(blank)}]`, "u");

/** Whether there is anything to see in it. */
export function isVisible(text: string): boolean {
  return shown.test(text);
}
