/** An element of an answer, by its name without prefix. */
export interface ReadElement {
  name: string;
  isNil: boolean;
  /** As they are written. */
  attributes: string;
  children: ReadElement[];
  /** Its own text, without that of its children. */
  text: string;
}

const deepest = 64;

/** Tags, CDATA, comments and instructions; a document type is none of them, so nothing can define an entity. */
const markup =
  /<(?:(\/)?([\w.-]+:)?([\w.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/)?>|!\[CDATA\[([\s\S]*?)\]\]>|!--[\s\S]*?-->|\?[\s\S]*?\?>)/y;

/**
 * Reads what the authority answers. Undefined for what is no XML, is cut off or is nested deeper than any answer: an
 * answer that cannot be read is no verdict.
 */
export function readAnswerXml(source: string): ReadElement | undefined {
  const top: ReadElement = { name: "", isNil: false, attributes: "", children: [], text: "" };
  const open = [top];
  let at = source.startsWith("\ufeff") ? 1 : 0;
  while (at < source.length) {
    const here = open.at(-1)!;
    const next = source.indexOf("<", at);
    const text = source.slice(at, next === -1 ? source.length : next);
    if (here !== top) here.text += decode(text);
    else if (text.trim() !== "") return undefined;
    if (next === -1) break;
    markup.lastIndex = next;
    const match = markup.exec(source);
    if (!match) return undefined;
    const [whole, isEnd, , name, attributes = "", isEmpty, cdata] = match;
    at = next + whole.length;
    if (cdata !== undefined) here.text += cdata;
    else if (isEnd !== undefined) {
      if (open.length === 1 || here.name !== name) return undefined;
      open.pop();
    } else if (name !== undefined) {
      const isNil = /\bnil\s*=\s*["'](?:true|1)["']/.test(attributes);
      const element: ReadElement = { name, isNil, attributes, children: [], text: "" };
      here.children.push(element);
      if (isEmpty === undefined && open.push(element) > deepest) return undefined;
    }
  }
  return open.length === 1 && top.children.length === 1 ? top.children[0] : undefined;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** The first element of this name, wherever it is. */
export function findElement(within: ReadElement, name: string): ReadElement | undefined {
  if (within.name === name) return within;
  for (const child of within.children) {
    const found = findElement(child, name);
    if (found) return found;
  }
  return undefined;
}

/** The text of a child: null when it is absent, nil or blank. */
export function childText(of: ReadElement, name: string): string | null {
  const child = of.children.find((one) => one.name === name);
  return child === undefined || child.isNil ? null : child.text.trim() || null;
}

/** An attribute without a prefix, or undefined. */
export function attributeOf({ attributes }: ReadElement, name: string): string | undefined {
  for (const [, key, quoted = ""] of attributes.matchAll(/([\w:.-]+)\s*=\s*("[^"<]*"|'[^'<]*')/g))
    if (key === name) return decode(quoted.slice(1, -1));
  return undefined;
}
