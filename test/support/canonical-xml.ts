import type { XmlElement, XmlNode } from "./xml-tree.ts";

/**
 * Canonical XML 1.0 and Exclusive Canonical XML 1.0, both without comments, of an element with all it holds, written
 * from the two recommendations: what is signed is judged by this, never by the code that signs.
 */
export interface Canonical {
  isExclusive?: boolean;
  /** Prefixes that exclusive form treats as inclusive form does. */
  inclusivePrefixes?: readonly string[];
  /** Left out with all it holds: the signature that is enveloped. */
  without?: XmlElement;
}

export function canonical(apex: XmlElement, options: Canonical = {}): string {
  return write(apex, new Map(), options);
}

function write(node: XmlNode, rendered: ReadonlyMap<string, string>, options: Canonical): string {
  if (node === options.without || node.kind === "comment") return "";
  if (node.kind === "text")
    // Most texts have nothing to escape.
    return !/[&<>\r]/.test(node.text)
      ? node.text
      : node.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#xD;");
  if (node.kind === "instruction") return `<?${node.text}?>`;

  const wanted = options.isExclusive ? utilized(node, options.inclusivePrefixes ?? []) : node.scope;
  const namespaces = [...wanted].filter(([prefix, uri]) => {
    // An empty default namespace is rendered only to undo another one.
    if (prefix === "" && uri === "") return (rendered.get("") ?? "") !== "";
    return rendered.get(prefix) !== uri;
  });
  const inherited = namespaces.length === 0 ? rendered : new Map([...rendered, ...namespaces]);
  const name = node.prefix === "" ? node.local : `${node.prefix}:${node.local}`;
  const parts = [
    ...namespaces
      .toSorted(([a], [b]) => order(a, b))
      .map(([prefix, uri]) => [prefix === "" ? "xmlns" : `xmlns:${prefix}`, uri] as const),
    ...node.attributes
      .toSorted((a, b) => order(a.uri, b.uri) || order(a.local, b.local))
      .map(({ prefix, local, value }) => [prefix === "" ? local : `${prefix}:${local}`, value] as const),
  ].map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inside = node.children.map((child) => write(child, inherited, options)).join("");
  return `<${name}${parts.join("")}>${inside}</${name}>`;
}

function utilized(node: XmlElement, inclusive: readonly string[]): Map<string, string> {
  const used = new Set([node.prefix, ...node.attributes.map(({ prefix }) => prefix).filter((one) => one !== "")]);
  for (const prefix of inclusive) if (node.scope.has(prefix)) used.add(prefix);
  used.delete("xml");
  return new Map([...used].map((prefix) => [prefix, node.scope.get(prefix) ?? ""]));
}

function escaped(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#x9;")
    .replaceAll("\n", "&#xA;")
    .replaceAll("\r", "&#xD;");
}

/** By code point, as UTF-8 sorts. */
function order(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
