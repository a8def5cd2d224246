import { FiscalError } from "../../../../taxes/fiscal-error.ts";

/**
 * Markup that is in canonical form (Canonical XML 1.0) as it stands: it can be hashed as it is, and no parser and
 * serializer come between what is signed and what is sent.
 */
export type Xml = string & { readonly isXml: true };

/** Absent children are left out. Text is not markup: it goes through `text`. */
export type Child = Xml | undefined | false;

export type Attributes = Readonly<Record<string, string | undefined>>;

/** An element. Attributes are put into canonical order; those without a value are left out. */
export function element(name: string, attributes: Attributes, ...children: readonly Child[]): Xml {
  return `<${name}${attributesText(attributes)}>${join(children)}</${name}>` as Xml;
}

/** An element that holds other elements and has no attributes. */
export function group(name: string, ...children: readonly Child[]): Xml {
  return `<${name}>${join(children)}</${name}>` as Xml;
}

/** An element that holds text; without a value there is none. */
export function leaf(name: string, value: string, attributes?: Attributes): Xml;
export function leaf(name: string, value: string | undefined, attributes?: Attributes): Xml | undefined;
export function leaf(name: string, value: string | undefined, attributes: Attributes = {}): Xml | undefined {
  return value === undefined
    ? undefined
    : (`<${name}${attributesText(attributes)}>${escapeText(value, name)}</${name}>` as Xml);
}

export function join(children: readonly Child[]): Xml {
  let all = "";
  for (const child of children) if (child) all += child;
  return all as Xml;
}

/** Namespaces come first, the default one before the others, which canonical form sorts by prefix. */
export function namespaceDeclarations(namespaces: Readonly<Record<string, string>>): Xml {
  const prefixes = Object.keys(namespaces).toSorted(byCodePoint);
  const declared = prefixes.map(
    (prefix) => ` xmlns${prefix === "" ? "" : `:${prefix}`}="${escapeAttribute(namespaces[prefix]!, prefix)}"`,
  );
  return declared.join("") as Xml;
}

/** The element as canonical form has it when it is taken out of its document: with the namespaces that it stood in. */
export function apex(xml: Xml, namespaces: Xml): Xml {
  return xml.replace(/^<[\w:.-]+/, (start) => start + namespaces) as Xml;
}

export function escapeText(value: string, field = "text"): Xml {
  mustBeWritable(value, field);
  return (/[&<>\r]/.test(value) ? value.replace(/[&<>\r]/g, (one) => inText[one]!) : value) as Xml;
}

function escapeAttribute(value: string, field: string): string {
  mustBeWritable(value, field);
  return value.replace(/[&<"\t\n\r]/g, (one) => inAttributes[one]!);
}

const inText: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" };
const inAttributes: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", '"': "&quot;" },
  ...{ "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;" },
};

/** What XML 1.0 has no way to write, not even as a reference: most control characters, halves of pairs, U+FFFE, U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

function mustBeWritable(value: string, field: string): void {
  if (unwritable.test(value))
    throw new FiscalError(
      "unreadable",
      field,
      "el texto tiene caracteres de control, que un documento no puede llevar",
    );
}

/** Without a namespace first, by name; then those with a prefix. No element of ours has two with prefixes. */
function attributesText(attributes: Attributes): string {
  const names = Object.keys(attributes);
  if (names.length > 1) names.sort(byPrefixThenName);
  let all = "";
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined) all += ` ${name}="${escapeAttribute(value, name)}"`;
  }
  return all;
}

function byPrefixThenName(a: string, b: string): number {
  return Number(a.includes(":")) - Number(b.includes(":")) || byCodePoint(a, b);
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
