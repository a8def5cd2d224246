import { lineText } from "../../lib/one-line.ts";

interface Schema {
  type?: string | readonly string[];
  format?: string;
  enum?: unknown;
  "x-one-line"?: boolean;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
}

/** Where a body has texts to bring into their form. */
export type Tidy =
  | { kind: "text"; isLine: boolean; isOptional: boolean }
  | { kind: "fields"; fields: readonly (readonly [name: string, tidy: Tidy])[] }
  | { kind: "items"; items: Tidy }
  /** Whose keys are texts of one line too. */
  | { kind: "map"; values: Tidy };

/** Ids, instants and addresses are no texts: an empty one is a mistake. */
const noTexts = ["uuid", "date-time", "uri"];

export function tidyIn(schema: unknown): Tidy | undefined {
  const { type, format = "", enum: values, properties, items, additionalProperties } = schema as Schema;
  const { "x-one-line": isLine = false } = schema as Schema;
  if (properties) {
    const fields = Object.entries(properties).flatMap(([name, inner]) => {
      const tidy = tidyIn(inner);
      return tidy ? [[name, tidy] as const] : [];
    });
    return fields.length > 0 ? { kind: "fields", fields } : undefined;
  }
  if (items) {
    const tidy = tidyIn(items);
    return tidy && { kind: "items", items: tidy };
  }
  if (typeof additionalProperties === "object") {
    const values = tidyIn(additionalProperties);
    return values && { kind: "map", values };
  }
  const types = [type].flat();
  const isOptional = types.includes("null");
  const isText = types.includes("string") && values === undefined && !noTexts.includes(format);
  return isText && (isLine || isOptional) ? { kind: "text", isLine, isOptional } : undefined;
}

/**
 * The one place that brings texts of a request into the form in which they are stored: those of one line without spaces around
 * them and composed, and an optional text that is empty as none. Objects and lists are changed in place.
 */
export function tidied(value: unknown, tidy: Tidy): unknown {
  if (tidy.kind === "text") return typeof value === "string" ? tidyText(value, tidy) : value;
  if (tidy.kind === "items") {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) value[i] = tidied(item, tidy.items);
    return value;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const body = value as Record<string, unknown>;
  if (tidy.kind === "map")
    return Object.fromEntries(Object.entries(body).map(([key, one]) => [lineText(key), tidied(one, tidy.values)]));
  for (const [name, inner] of tidy.fields) if (Object.hasOwn(body, name)) body[name] = tidied(body[name], inner);
  return value;
}

function tidyText(text: string, { isLine, isOptional }: { isLine: boolean; isOptional: boolean }): string | null {
  const line = lineText(text);
  if (line === "") return isOptional ? null : text;
  return isLine ? line : text;
}
