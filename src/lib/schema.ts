import type { Type as TypeBox } from "typebox";
import { must } from "./must.ts";

type Builders = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Integer"
  | "Literal"
  | "Number"
  | "Object"
  | "Optional"
  | "Partial"
  | "Pick"
  | "String"
  | "Union"
  | "Unsafe"
>;
type Schema = object;
type Properties = Record<string, Schema>;

/** Not enumerable, so that no published schema has it. */
const mark = "~optional";

/**
 * The twelve builders of TypeBox that schemas here are made of, with its types: plain JSON Schema. Its own code is 370 modules, a third
 * of what a command takes to start.
 */
export const Type = {
  Array: (items: Schema, options?: Schema) => made({ type: "array", items, ...options }),
  Boolean: (options?: Schema) => made({ type: "boolean", ...options }),
  Integer: (options?: Schema) => made({ type: "integer", ...options }),
  Literal: (value: unknown, options?: Schema) => made({ type: typeof value, const: value, ...options }),
  Number: (options?: Schema) => made({ type: "number", ...options }),
  Object: (properties: Properties, options?: Schema) => made(object(properties, options)),
  Optional: (schema: Schema) => made(optional(schema)),
  Partial: ({ properties }: { properties: Properties }, options?: Schema) =>
    made(object(mapped(properties, optional), options)),
  Pick: ({ properties }: { properties: Properties }, names: readonly string[], options?: Schema) =>
    made(
      object(
        Object.fromEntries(
          names.map((name) => [name, must(properties[name], "The names are those of the properties")]),
        ),
        options,
      ),
    ),
  String: (options?: Schema) => made({ type: "string", ...options }),
  Union: (anyOf: Schema[], options?: Schema) => made({ anyOf, ...options }),
  Unsafe: (schema: Schema) => made(schema),
} as Builders;

/** What TypeBox's types say of a schema is theirs to say. */
const made = (schema: Schema): never => schema as never;

function object(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter(
    (name) => !(mark in must(properties[name], "The names are those of the properties")),
  );
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options };
}

function optional(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, mark, { value: true });
}

function mapped(properties: Properties, change: (schema: Schema) => Schema): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, change(one)]));
}
