/** How a language writes what JSON can say. */
interface Style {
  open: { list: string; map: string };
  close: { list: string; map: string };
  key: (name: string) => string;
  text: (value: string) => string;
  words: { true: string; false: string; null: string };
}

export type Language = "ts" | "python" | "php";

const quoted = (value: string) => JSON.stringify(value);
const brackets = { list: "[", map: "{" };
const closing = { list: "]", map: "}" };

const styles: Record<Language, Style> = {
  ts: {
    open: brackets,
    close: closing,
    key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: `,
    text: quoted,
    words: { true: "true", false: "false", null: "null" },
  },
  python: {
    open: brackets,
    close: closing,
    key: (name) => `${quoted(name)}: `,
    text: quoted,
    words: { true: "True", false: "False", null: "None" },
  },
  php: {
    open: { list: "[", map: "[" },
    close: { list: "]", map: "]" },
    key: (name) => `${phpText(name)} => `,
    text: phpText,
    words: { true: "true", false: "false", null: "null" },
  },
};

/** Narrow enough for a phone turned on its side. */
const width = 84;
const step = "    ";

/** A JSON value as a literal of the language: on one line where it fits, otherwise a line for each of its parts. */
export function literal(value: unknown, language: Language, indent = ""): string {
  const style = styles[language];
  const flat = inLine(value, style);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= width) return flat;
  const [kind, parts] = Array.isArray(value)
    ? (["list", value.map((one): [string, unknown] => ["", one])] as const)
    : (["map", Object.entries(value).map(([name, one]): [string, unknown] => [style.key(name), one])] as const);
  const inner = indent + step;
  const lines = parts.map(([key, one]) => `${inner}${key}${literal(one, language, inner)},\n`);
  return `${style.open[kind]}\n${lines.join("")}${indent}${style.close[kind]}`;
}

function inLine(value: unknown, style: Style): string {
  if (typeof value === "string") return style.text(value);
  if (typeof value === "boolean" || value === null) return style.words[`${value}`];
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value))
    return `${style.open.list}${value.map((one) => inLine(one, style)).join(", ")}${style.close.list}`;
  const fields = Object.entries(value).map(([name, one]) => style.key(name) + inLine(one, style));
  const pad = style.open.map === "{" ? " " : "";
  return fields.length === 0
    ? style.open.map + style.close.map
    : style.open.map + pad + fields.join(", ") + pad + style.close.map;
}

function phpText(value: string): string {
  return `'${value.replace(/[\\']/g, "\\$&")}'`;
}
