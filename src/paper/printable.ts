import { oneLine } from "../lib/one-line.ts";

/** What the papers' typeface has beyond Latin-1, of the signs that people write. */
const beyondLatin1 = new Set("–—‘’‚“”„•…€‹›ˆ™Œœ˜");

/** Letters that Unicode does not decompose, and signs with a usual replacement. */
const replacements: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ı: "i",
  ħ: "h",
  Ħ: "H",
  ŋ: "n",
  Ŋ: "N",
  ŧ: "t",
  Ŧ: "T",
  "−": "-",
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "―": "—",
  "′": "'",
  "″": '"',
  "→": "->",
  "←": "<-",
  "≤": "<=",
  "≥": ">=",
  "№": "No.",
  "₱": "P",
  "×": "x",
  "⁄": "/",
  ƒ: "f",
  "‰": "o/oo",
  "●": "•",
  "·": "·",
}; // prettier-ignore

const inOtherScript = "(en otra escritura)";

/**
 * The text in the characters that the papers' typeface has. Accents they lack are dropped (ő becomes o), emoji disappear,
 * and what is written in another script becomes an ellipsis; a text with nothing else says so. The XML keeps the original.
 */
export function printable(text: string): string {
  const line = oneLine(text).normalize("NFC");
  let result = "";
  let isMissing = false;
  for (const character of line) {
    const shown = shownAs(character);
    if (shown === undefined) {
      if (!isMissing) result += "…";
      isMissing = true;
      continue;
    }
    if (shown !== "") isMissing = false;
    result += shown;
  }
  const tidy = result.replaceAll(/\s+/g, " ").trim();
  return /^[…\s]+$/.test(tidy) && line.length > 0 && !/^[….\s]+$/.test(line) ? inOtherScript : tidy;
}

/** Undefined for a character without a likeness; empty for one that may disappear. */
function shownAs(character: string): string | undefined {
  if (isInFont(character)) return character;
  const replaced = replacements[character];
  if (replaced !== undefined) return replaced;
  if (/\s/u.test(character)) return " ";
  const plain = [...character.normalize("NFKD")].filter(isInFont).join("");
  if (plain !== "") return plain;
  // Emoji, their modifiers, accents that stand alone, and halves of broken characters.
  return /[\p{L}\p{N}]/u.test(character) ? undefined : "";
}

function isInFont(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (
    (code >= 0x20 && code <= 0x7e) || (code >= 0xa1 && code <= 0xff && code !== 0xad) || beyondLatin1.has(character)
  );
}
