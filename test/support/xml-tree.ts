/**
 * A reader of XML for tests, written from the standard and sharing nothing with what writes it: well-formedness,
 * namespaces, entities, line ends. It knows no DTD. Comments and processing instructions are kept, CDATA becomes text.
 */
export interface XmlElement {
  kind: "element";
  prefix: string;
  local: string;
  uri: string;
  attributes: XmlAttribute[];
  /** Declared on this element. */
  declared: Map<string, string>;
  /** In force here, with what ancestors declared. */
  scope: Map<string, string>;
  children: XmlNode[];
  parent: XmlElement | null;
}

export interface XmlAttribute {
  prefix: string;
  local: string;
  uri: string;
  value: string;
}

export type XmlNode =
  | XmlElement
  | { kind: "text"; text: string }
  | { kind: "comment"; text: string }
  | { kind: "instruction"; text: string };

const nameStart = /[\p{L}_]/u;
const name = /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*$/u;
const startTag = /<([^\s/>]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const endTag = /<\/([^\s>]+)\s*>/y;

export function readXml(source: string): XmlElement {
  let at = 0;
  const text = source
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text)) fail("a forbidden character");
  let root: XmlElement | undefined;
  let open: XmlElement | null = null;

  const declaration = /^<\?xml version="1\.0"( encoding="[Uu][Tt][Ff]-8")?( standalone="(?:yes|no)")?\s*\?>/.exec(text);
  if (declaration) at = declaration[0].length;
  while (at < text.length) {
    if (text[at] !== "<") readText();
    else if (text.startsWith("<!--", at)) add({ kind: "comment", text: until("-->", 4, "--") });
    else if (text.startsWith("<![CDATA[", at)) {
      if (!open) fail("CDATA outside of the root");
      add({ kind: "text", text: until("]]>", 9) });
    } else if (text.startsWith("<?", at)) {
      const content = until("?>", 2);
      if (!nameStart.test(content[0] ?? "") || /^xml(\s|$)/i.test(content)) fail("an instruction");
      add({ kind: "instruction", text: content });
    } else if (text.startsWith("</", at)) close();
    else if (text.startsWith("<!", at)) fail("a document type");
    else start();
  }
  if (open !== null || root === undefined) fail("the end");
  return root!;

  function fail(what: string): never {
    throw new Error(`not well-formed at ${at}: ${what}: ${text.slice(Math.max(0, at - 20), at + 40)}`);
  }

  function until(end: string, skip: number, never?: string): string {
    const stop = text.indexOf(end, at + skip);
    if (stop === -1) fail(`no ${end}`);
    const content = text.slice(at + skip, stop);
    if (never && (content.includes(never) || content.endsWith("-"))) fail(never);
    at = stop + end.length;
    return content;
  }

  function add(node: XmlNode): void {
    open?.children.push(node);
  }

  function readText(): void {
    const next = text.indexOf("<", at);
    const raw = text.slice(at, next === -1 ? text.length : next);
    if (!open && raw.trim() !== "") fail("text outside of the root");
    if (raw.includes("]]>")) fail("]]> in text");
    const decoded = decode(raw);
    at += raw.length;
    const last = open?.children.at(-1);
    if (last?.kind === "text") last.text += decoded;
    else add({ kind: "text", text: decoded });
  }

  function decode(raw: string): string {
    return raw.replace(/&([^;]*);?/g, (whole, entity: string) => {
      const known = ({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" } as Record<string, string>)[entity];
      if (whole.endsWith(";") && known !== undefined) return known;
      const number = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(entity);
      const code = number ? Number.parseInt(number[1] ?? number[2]!, number[1] ? 16 : 10) : -1;
      const isChar =
        [9, 10, 13].includes(code) ||
        (code >= 32 && code <= 0xd7ff) ||
        (code >= 0xe000 && code <= 0xfffd) ||
        (code >= 0x10000 && code <= 0x10ffff);
      if (!whole.endsWith(";") || !isChar) fail(`the entity ${whole}`);
      return String.fromCodePoint(code);
    });
  }

  function qualified(written: string): [string, string] {
    const parts = written.split(":");
    if (parts.length > 2 || parts.some((part) => !name.test(part))) fail(`the name ${written}`);
    return parts.length === 2 ? [parts[0]!, parts[1]!] : ["", written];
  }

  function start(): void {
    startTag.lastIndex = at;
    const tag = startTag.exec(text);
    if (!tag) fail("a start tag");
    if (root && !open) fail("a second root");
    const [whole, written, rest, isEmpty] = tag as unknown as [string, string, string, string];
    const [prefix, local] = qualified(written);
    const declared = new Map<string, string>();
    const plain: [string, string, string][] = [];
    for (const [, key, , double, single] of rest.matchAll(/([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
      // White space as it is written becomes spaces; as a reference it stays.
      const value = decode((double ?? single ?? "").replace(/[\t\n]/g, " "));
      const [keyPrefix, keyLocal] = qualified(key!);
      if (key === "xmlns" || keyPrefix === "xmlns") {
        const bound = key === "xmlns" ? "" : keyLocal;
        if (declared.has(bound) || (bound !== "" && value === "") || bound === "xml" || bound === "xmlns")
          fail(`the namespace ${bound}`);
        declared.set(bound, value);
      } else plain.push([keyPrefix, keyLocal, value]);
    }
    const scope = declared.size === 0 && open ? open.scope : new Map([...(open?.scope ?? []), ...declared]);
    const resolve = (of: string) => {
      if (of === "xml") return "http://www.w3.org/XML/1998/namespace";
      return scope.get(of) ?? (of === "" ? "" : fail(`the prefix ${of}`));
    };
    const attributes = plain.map(([of, key, value]) => ({
      prefix: of,
      local: key,
      uri: of === "" ? "" : resolve(of),
      value,
    }));
    if (new Set(attributes.map((one) => `${one.uri} ${one.local}`)).size < attributes.length)
      fail("an attribute twice");
    const element: XmlElement = {
      ...{ kind: "element", prefix, local, uri: resolve(prefix), attributes, declared, scope },
      ...{ children: [], parent: open },
    };
    add(element);
    root ??= element;
    at += whole.length;
    if (isEmpty === "") open = element;
  }

  function close(): void {
    endTag.lastIndex = at;
    const tag = endTag.exec(text);
    if (!tag || !open) fail("an end tag");
    const { prefix, local, parent }: XmlElement = open!;
    if (tag![1] !== (prefix === "" ? local : `${prefix}:${local}`)) fail(`the end of ${local}`);
    open = parent;
    at += tag![0].length;
  }
}

export function elementsIn(root: XmlElement): XmlElement[] {
  return [root, ...root.children.flatMap((child) => (child.kind === "element" ? elementsIn(child) : []))];
}

export function childrenOf(of: XmlElement, local?: string): XmlElement[] {
  const all = of.children.filter((child): child is XmlElement => child.kind === "element");
  return local === undefined ? all : all.filter((child) => child.local === local);
}

export function textOf(of: XmlElement): string {
  return of.children
    .map((child) => (child.kind === "text" ? child.text : child.kind === "element" ? textOf(child) : ""))
    .join("");
}

/** The text at a path of local names, from the element's children on. */
export function at(of: XmlElement, path: string): string | undefined {
  const found = path.split("/").reduce<XmlElement | undefined>((from, local) => from && childrenOf(from, local)[0], of);
  return found && textOf(found);
}

export function attribute(of: XmlElement, local: string): string | undefined {
  return of.attributes.find((one) => one.local === local)?.value;
}
