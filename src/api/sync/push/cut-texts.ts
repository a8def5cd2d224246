import type { TSchema } from "typebox";
import { registry } from "../../../business/registry.ts";
import type { RecordType } from "../protocol.ts";
import type { Conflict } from "./merge-fields.ts";
import { shapes } from "./shapes.ts";

/** The limit for fields without one in the API. */
export const maxTextLength = 5_000;

/** Request schemas of the API: a register's texts have the same limits. */
const written: Partial<Record<RecordType, TSchema>> = Object.fromEntries(
  registry.flatMap(({ resource, operations: { create } }) => (create ? [[resource.name, create.body]] : [])),
);

interface Schema {
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/**
 * Cuts texts that are too long, so that a sale is not rejected for its note: the part that fits is stored, and the whole
 * text is kept as a conflict for the owner. An image's URL is left out instead, since half of one is useless. Unknown
 * fields are never read, so they have no limit.
 */
export function cutTexts<T>(type: RecordType, data: T): { data: T; cuts: Conflict[] } {
  const cuts: Conflict[] = [];
  function cut(value: unknown, shape: Schema, limits: Schema | undefined, path: string): unknown {
    if (typeof value === "string") {
      const most = limits?.maxLength ?? maxTextLength;
      // Counts code points, as the API does: a surrogate pair is one character.
      if (value.length <= most || Array.from(value).length <= most) return value;
      const kept = /(^|\.)image/.test(path) ? null : Array.from(value).slice(0, most).join("");
      cuts.push({ unit: path, kept, lost: value });
      return kept;
    }
    if (Array.isArray(value)) {
      const items = value.map((item, i) => cut(item, shape.items!, limits?.items, `${path}.${i}`));
      return items.filter((item, i) => item !== null || value[i] === null);
    }
    if (value === null || typeof value !== "object") return value;
    const fields = value as Record<string, unknown>;
    const read = { ...fields };
    for (const [name, inner] of Object.entries(shape.properties ?? {}))
      read[name] = cut(fields[name], inner, limits?.properties?.[name], path === "" ? name : `${path}.${name}`);
    return read;
  }
  const shortened = cut(data, shapes[type] as Schema, written[type] as Schema | undefined, "") as T;
  return { data: cuts.length === 0 ? data : shortened, cuts };
}
