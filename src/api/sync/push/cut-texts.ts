import type { TSchema } from "typebox";
import { maxDetailLength, maxLabelLength } from "../../../business/counter/act-kinds.ts";
import { forEach } from "../../../business/registry.ts";
import type { Fields } from "../../../fiscal/findings/finding.ts";
import { escapedText, isStorableText, storableText } from "../../../lib/json.ts";
import { Type } from "../../../lib/schema.ts";
import { type RecordType, recordTypes } from "../protocol.ts";
import type { Conflict } from "./merge-fields.ts";
import { shapes } from "./shapes.ts";

/** The limit for fields that have none in the API. */
export const maxTextLength = 5_000;

/** The request schemas whose text limits apply to registers as well. Fields that no request has get the limit above. */
const written: Record<RecordType, TSchema | undefined> = {
  ...forEach(({ operations }) => operations.create?.body),
  product_variant: undefined,
  ticket_mail: undefined,
  sale_invoice: undefined,
  counter_act: Type.Object({
    kind: Type.String({ maxLength: 100 }),
    label: Type.String({ maxLength: maxLabelLength }),
    detail: Type.String({ maxLength: maxDetailLength }),
  }),
};

interface Schema {
  type?: string | string[];
  format?: string;
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Where the texts of a record are: `most` is the maximum length of a text, `fields` and `items` lead to nested ones. */
interface Texts {
  most?: number;
  fields?: (readonly [name: string, texts: Texts])[];
  items?: Texts;
}

/** Skips ids and instants, whose formats limit their length. */
function textsIn(shape: Schema, limits: Schema | undefined): Texts | undefined {
  if (shape.properties) {
    const fields = Object.entries(shape.properties).flatMap(([name, inner]) => {
      const texts = textsIn(inner, limits?.properties?.[name]);
      return texts ? [[name, texts] as const] : [];
    });
    return fields.length > 0 ? { fields } : undefined;
  }
  if (shape.items) {
    const items = textsIn(shape.items, limits?.items);
    return items && { items };
  }
  const isText = [shape.type].flat().includes("string") && shape.format !== "uuid" && shape.format !== "date-time";
  return isText ? { most: limits?.maxLength ?? maxTextLength } : undefined;
}

const texts = Object.fromEntries(
  recordTypes.map((type) => [
    type,
    textsIn(shapes[type] as Schema, written[type] as Schema | undefined) ?? { fields: [] },
  ]),
) as Record<RecordType, Texts>;

/**
 * Cuts texts that are too long, so that a sale is not rejected for its note: the part that fits is stored, and the whole
 * text is kept as a conflict for the owner. An image's URL is left out instead, since half of one is useless. Characters
 * that PostgreSQL cannot store are removed in the same way. Unknown fields are never read, so they have no limit.
 */
export function cutTexts<T>(type: RecordType, data: T, isOdd: boolean): { data: T; cuts: Conflict[] } {
  const cuts: Conflict[] = [];
  const isWhole = fits(data, texts[type], isOdd);
  return { data: isWhole ? data : (cut(data, texts[type], "", cuts) as T), cuts };
}

/** True for nearly every record, which is then stored without a copy. */
function fits(value: unknown, { most, fields, items }: Texts, isOdd: boolean): boolean {
  if (typeof value === "string") return value.length <= most! && (!isOdd || isStorableText(value));
  if (value === null || typeof value !== "object") return true;
  if (items) {
    for (const item of value as unknown[]) if (!fits(item, items, isOdd)) return false;
  } else for (const [name, inner] of fields!) if (!fits((value as Fields)[name], inner, isOdd)) return false;
  return true;
}

function cut(value: unknown, { most, fields, items }: Texts, path: string, cuts: Conflict[]): unknown {
  if (typeof value === "string") {
    const fitting = shortened(storableText(value), most!);
    if (fitting === value) return value;
    const kept = /(^|\.)image/.test(path) ? null : fitting;
    cuts.push({ unit: path, kept, lost: escapedText(value) });
    return kept;
  }
  if (value === null || typeof value !== "object") return value;
  if (items) {
    const all = value as unknown[];
    const read = all.map((item, i) => cut(item, items, `${path}.${i}`, cuts));
    return read.filter((item, i) => item !== null || all[i] === null);
  }
  const read: Fields = { ...value };
  for (const [name, inner] of fields!)
    if (name in read) read[name] = cut(read[name], inner, path === "" ? name : `${path}.${name}`, cuts);
  return read;
}

/** Counts code points, as the API does: a surrogate pair is one character. */
function shortened(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join("");
}
