import type { TSchema } from "typebox";
import { registry } from "../../../business/registry.ts";
import type { RecordType } from "../protocol.ts";
import type { Lost } from "./merge-fields.ts";
import { shapes } from "./shapes.ts";

/** The longest text of a field to which the API sets no limit of its own. */
export const longestText = 5_000;

/** What the API takes: a register's texts have the same limits. */
const written: Partial<Record<RecordType, TSchema>> = Object.fromEntries(
  registry.flatMap(({ resource, operations: { create } }) => (create ? [[resource.name, create.body]] : [])),
);

interface Schema {
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/**
 * A record with its overlong texts cut. A sale is not refused for a note that never ends: what fits is stored, and the
 * whole text is kept where the owner sees it. An address of an image is left out instead, for half of one leads nowhere.
 * What no field of ours is called is not read, so it has no limit.
 */
export function cutTexts<T>(type: RecordType, data: T): { data: T; cuts: Lost[] } {
  const cuts: Lost[] = [];
  function cut(value: unknown, shape: Schema, limits: Schema | undefined, path: string): unknown {
    if (typeof value === "string") {
      const most = limits?.maxLength ?? longestText;
      // Characters are counted as the API counts them: one of two units is one.
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
