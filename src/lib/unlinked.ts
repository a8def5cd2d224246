/**
 * A space as thin as a hair. Mail programs make links of whatever looks like an address, and only white space stops all of
 * them: invisible characters (U+200B, U+2060) count as part of an address in some, and browsers ignore them.
 */
const hair = "\u200a";
const dot = "[.\\u2024\\u3002\\uff0e\\uff61]";
const beforeName = new RegExp(`(?<=[^\\s.])${dot}(?=[^\\s.])`, "gu");
const isDigit = /\d/;
/** Invisible: browsers ignore them in an address, so that one broken by them is still one. */
const invisible = /\p{Cf}/gu;
const numbers = new RegExp(`\\d+(?:${dot}\\d+){3,}`, "gu");
const marks = /([@\uff20\ufe6b])(?=\S)|([:\uff1a])(?=[/\uff0f\\])/gu;

/** The text so that no mail program makes a link of what it says: web addresses, mail addresses, network addresses. */
export function unlinked(text: string): string {
  return text
    .replace(invisible, "")
    .replace(numbers, (address) => address.replace(new RegExp(dot, "gu"), `$&${hair}`))
    .replace(beforeName, (found, at: number, whole: string) =>
      isDigit.test(whole[at - 1]!) && isDigit.test(whole[at + 1]!) ? found : `${found}${hair}`,
    )
    .replace(marks, `$&${hair}`);
}
