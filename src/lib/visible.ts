/** Which characters show something. The server's checks and the patterns of the reference are both made of these lists. */

/** Code points up to U+FFFF, without halves of pairs. */
export type Ranges = readonly (readonly [from: number, to?: number])[];

/**
 * What a name or a code may not hold: control characters, line ends, and format characters such as a zero-width space or a
 * change of direction. Those above U+FFFF have no notation that every language's regular expressions share.
 */
export const hidden: Ranges = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad],
  [0x0600, 0x0605],
  [0x061c],
  [0x06dd],
  [0x070f],
  [0x0890, 0x0891],
  [0x08e2],
  [0x180e],
  [0x200b, 0x200c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff],
  [0xfff9, 0xfffb],
];

export const spaces: Ranges = [[0x0020], [0x00a0], [0x1680], [0x2000, 0x200a], [0x202f], [0x205f], [0x3000]];

/** What shows nothing by itself: spaces, fillers, selectors of a form, and accents without a letter. */
export const blank: Ranges = [
  ...spaces,
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180d],
  [0x180f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0x2800],
  [0x3164],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xffa0],
  [0xfff0, 0xfff8],
];

/** The joiner inside an emoji is one of the emoji's own parts. */
const joiner: Ranges = [[0x200d]];
/** A heart becomes a picture with it. */
const pictured: Ranges = [[0xfe0f]];
/** Where signs are that can be an emoji; all others are above U+FFFF. */
const signs: Ranges = [[0x00a9], [0x00ae], [0x203c, 0x205f], [0x2070, 0x2bff], [0x3030], [0x303d], [0x3297], [0x3299]];

/** The inside of a class of a regular expression, in the notation that all languages share. */
export function inClass(ranges: Ranges): string {
  const at = (code: number) => `\\u${code.toString(16).padStart(4, "0")}`;
  return ranges.map(([from, to = from]) => (from === to ? at(from) : `${at(from)}-${at(to)}`)).join("");
}

/** Up to U+FFFF. */
function allBut(...lists: Ranges[]): Ranges {
  const found: [number, number][] = [];
  let next = 0;
  const taken: Ranges = [...lists.flat(), [0xd800, 0xdfff], [0x10000]];
  for (const [from, to = from] of taken.toSorted(([a], [b]) => a - b)) {
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return found;
}

/**
 * These ranges and everything above U+FFFF, whether an engine reads that as one character or as the halves of a pair: ranges
 * above U+FFFF would be an error to those of C# and of older JavaScript.
 */
const andPictures = (ranges: Ranges) => `[^${inClass(allBut(ranges))}]`;

const without = (ranges: Ranges, ...others: Ranges[]) => allBut(allBut(ranges), ...others);

const letters = allBut(hidden, joiner, signs, pictured);
const joined = `(?:${inClass(joiner)}${andPictures(signs)})*`;
const any = `(?:[${inClass(letters)}]|${andPictures([...signs, ...pictured])}${joined})*`;
const visible = `(?:[${inClass(without(letters, blank))}]|${andPictures(without(signs, blank))}${joined})`;
const shown = `[${inClass(blank)}]*${visible}${any}`;

/** Of a text of one line that shows something. */
export const labelPattern = `^${shown}$`;
/** Of one that may also be empty or spaces, which count as none. */
export const linePattern = `^(?:[${inClass(spaces)}]*|${shown})$`;
