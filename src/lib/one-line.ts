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

/**
 * What a name or a code may not hold: control and format characters (a zero-width space, a change of direction) and line
 * ends. The joiner inside an emoji is one of the emoji's own parts.
 */
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}]|(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d\p{Extended_Pictographic})\p{Cf}/u;

export function isOneLine(text: string): boolean {
  return !hidden.test(text);
}
