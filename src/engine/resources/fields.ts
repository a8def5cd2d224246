import type { Static, TObject, TSchema, TString } from "typebox";
import { Type } from "../../lib/schema.ts";
import { labelPattern, linePattern } from "../../lib/visible.ts";

/** Building blocks of the published schemas, in plain JSON Schema: requests are validated by what the reference shows. */

/** For patterns of the reference, in the notation that every language's regular expressions share. */
const controls = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";

export const uuid = (options: object = {}): TString => Type.String({ format: "uuid", ...options });
export const instant = (options: object = {}): TString => Type.String({ format: "date-time", ...options });
/**
 * Text of several lines. Control characters other than tab and line ends are rejected by the body parser with its own
 * message; the reference shows them as a pattern.
 */
export const text = (maxLength: number, options: object = {}): TString =>
  Type.String({ maxLength, "x-documented": { pattern: `^[^${controls}]*$` }, ...options });
/** Text of one line, such as a name, a code or a number. It shows something unless it is empty, which means none. */
export const line = (maxLength: number, options: object = {}): TString =>
  Type.String({
    maxLength,
    "x-one-line": true,
    "x-visible": "unless-empty",
    "x-documented": { pattern: linePattern },
    ...options,
  });
/** Text of one line that shows something. */
export const label = (maxLength: number, options: object = {}): TString =>
  line(maxLength, { minLength: 1, "x-visible": "always", "x-documented": { pattern: labelPattern }, ...options });
/** A filter by a whole text, however it is typed: spaces around it and how its accents are composed do not count. See `equal`. */
export const exactText = (maxLength: number, options: object = {}) =>
  Type.Optional(
    Type.String({
      "x-exact-text": maxLength,
      "x-documented": { minLength: 1, maxLength, pattern: `^[^${controls}]*[^\\s${controls}][^${controls}]*$` },
      ...options,
    }),
  );
export const webAddress = (maxLength: number): TString =>
  Type.String({ format: "uri", maxLength, "x-documented": { pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^${controls}]+$` } });

/** Optional, because what was stored before versions were counted has none. */
export const recordVersion = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }));

export const maxPesos = 999_999_999_999;
export const pesos = (options: object = {}) => Type.Integer({ ...options });
export const price = (options: object = {}) => Type.Integer({ minimum: 0, maximum: maxPesos, ...options });

/** An enumeration with an explicit type: JSON Schema does not need it, but readers of the reference do. */
export function oneOf<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

/** Always present, possibly null. One schema with two types instead of a union, so that errors name the field once. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as T & { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, "null"], ...(values && { enum: [...values, null] }) });
}

/** A field that a POST may omit. `null` means the same: the validator removes it, so handlers never see it. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T>>({ ...nullable(schema), "x-null-is-absent": true }));
}

export const constant = <const T extends string>(value: T) => Type.Unsafe<T>({ type: "string", const: value });

export const ById = Type.Object(
  { id: uuid({ description: "Identificador del registro." }) },
  { additionalProperties: false },
);

export const includeDeleted = Type.Optional(
  Type.Boolean({ default: false, description: "`true` incluye los registros eliminados, que llevan `deleted_at`." }),
);

export const IncludeDeleted = Type.Object({ include_deleted: includeDeleted }, { additionalProperties: false });
export const NoQuery = Type.Object({}, { additionalProperties: false });

/** The query of one record: a resource whose list finds deleted records finds each of them by id too. */
export function singleQuery(list: TObject) {
  return "include_deleted" in list.properties ? IncludeDeleted : NoQuery;
}

export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: "Registros por página." })),
  starting_after: Type.Optional(Type.String({ description: "El `next_cursor` de la página anterior, sin cambios." })),
};

/** A limit in time. The pattern allows only time zones that exist, which the format alone does not check. */
export const bound = (description: string) =>
  Type.Optional(instant({ description, "x-documented": { pattern: "([Zz]|[+-](0[0-9]|1[0-4]):[0-5][0-9])$" } }));

export const createdWindow = {
  created_since: bound("Desde este instante, inclusive. ISO 8601 con zona."),
  created_until: bound("Hasta este instante, exclusive. ISO 8601 con zona."),
};

export const updatedSince = {
  updated_since: bound("Cambiados desde este instante, inclusive; para sincronizar por partes. ISO 8601 con zona."),
};

/** At least two characters that are not spaces: a search for spaces would return the whole list. */
export const searchQuery = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 100,
    pattern: "\\S[\\s\\S]*\\S",
    "x-documented": { pattern: `^[^${controls}]*[^\\s${controls}][^${controls}]*[^\\s${controls}][^${controls}]*$` },
    "x-hints": { pattern: "`q` debe tener al menos 2 caracteres que no sean espacios." },
    description: "Búsqueda de texto, sin distinguir mayúsculas ni tildes.",
  }),
);

/** The query of a list: page, time windows and its own filters. Any other parameter is rejected. */
export function listQuery<T extends Record<string, TSchema>>(filters: T) {
  return Type.Object({ ...page, ...createdWindow, ...updatedSince, ...filters }, { additionalProperties: false });
}

export function listOf<T extends TSchema>(item: T) {
  return Type.Object({
    object: constant("list"),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String({ description: "Cursor de la página siguiente." })),
  });
}

/** One entry of a tax breakdown, per (code, rate). */
export const TaxTotal = Type.Object(
  {
    code: Type.String({
      description: "Código del tributo ante la DIAN: `01` IVA, `03` ICA, `04` INC, `22` INC bolsas.",
    }),
    rate: nullable(Type.Number()),
    per_unit: nullable(Type.Integer()),
    base: Type.Integer(),
    amount: Type.Integer(),
  },
  { $id: "tax_total" },
);

/** One tax of one line, fixed when the line was sold or quoted. */
export const LineTax = Type.Object(
  {
    code: Type.String(),
    name: nullable(Type.String()),
    rate: nullable(Type.Number()),
    per_unit: nullable(Type.Integer()),
    base: Type.Integer(),
    amount: Type.Integer(),
  },
  { $id: "line_tax" },
);
