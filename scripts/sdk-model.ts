// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

/** What the clients of every language are made from, read once out of the reference. */
export interface Model {
  codes: string[];
  shapes: Shape[];
  /** The filters of each list, by the plural of its resource. */
  filters: { many: string; fields: Field[] }[];
  events: { object: string; types: string[] }[];
}

/** An object with named fields; those without a name of their own in the reference are named after where they stand. */
export interface Shape {
  name: string;
  fields: Field[];
}

export interface Field {
  name: string;
  says: string | undefined;
  isRequired: boolean;
  type: Type;
}

export type Type = { isNullable: boolean } & (
  | { kind: "string" | "integer" | "number" | "boolean" | "instant" | "anything" }
  /** Only these values; an open list may have others tomorrow. */
  | { kind: "values"; values: string[]; isOpen: boolean }
  | { kind: "array" | "map"; of: Type }
  | { kind: "shape"; name: string }
);

export function sdkModel(document: Json): Model {
  const { schemas } = document.components;
  const shapes: Shape[] = [];
  for (const name of Object.keys(schemas).filter((one) => !/^error$|^(.+_)?event$|_list$|^webhook_delivery$/.test(one)))
    shape(pascal(name), schemas[name], /^new_|_changes$/.test(name), shapes);
  return {
    codes: schemas.error.properties.error.properties.code.enum,
    shapes,
    filters: filtersOf(document, shapes),
    events: eventsOf(document),
  };
}

function shape(name: string, schema: Json, isSent: boolean, shapes: Shape[]): void {
  const fields = Object.entries<Json>(schema.properties).map(([field, one]) => ({
    name: field,
    says: one.description as string | undefined,
    isRequired: schema.required?.includes(field) ?? false,
    type: typeOf(one, { within: name, field, isSent, shapes }),
  }));
  shapes.push({ name, fields });
}

interface Place {
  within: string;
  field: string;
  isSent: boolean;
  shapes: Shape[];
}

function typeOf(schema: Json, place: Place): Type {
  const types: string[] = [schema.type].flat();
  const isNullable = types.includes("null");
  if (schema.$ref) return { kind: "shape", name: pascal(schema.$ref.split("/").at(-1)), isNullable };
  if (schema.const !== undefined) return { kind: "values", values: [schema.const], isOpen: false, isNullable };
  const values = schema.enum?.filter((value: unknown) => value !== null);
  if (values) return { kind: "values", values, isOpen: !place.isSent, isNullable };
  const type = types.find((one) => one !== "null");
  if (type === "array") return { kind: "array", of: typeOf(schema.items, place), isNullable };
  if (type === "object") return objectType(schema, place, isNullable);
  return { kind: type === undefined ? "anything" : (type as "string"), isNullable };
}

function objectType(schema: Json, place: Place, isNullable: boolean): Type {
  if (Object.keys(schema.properties ?? {}).length === 0) {
    const values = schema.additionalProperties;
    const of: Type = values?.type ? typeOf(values, place) : { kind: "anything", isNullable: false };
    return { kind: "map", of, isNullable };
  }
  const name = place.within + pascal(place.field);
  shape(name, schema, place.isSent, place.shapes);
  return { kind: "shape", name, isNullable };
}

/** Pages are the client's own affair. */
function filtersOf({ paths }: Json, shapes: Shape[]): Model["filters"] {
  const lists = Object.values<Json>(paths).flatMap(({ get }) => (get?.operationId.startsWith("list") ? [get] : []));
  return lists.map(({ operationId, parameters }) => {
    const many = operationId.slice("list".length);
    const own = parameters.filter(({ name }: Json) => name && name !== "limit" && name !== "starting_after");
    const fields = own.map(({ name, description, schema }: Json) => ({
      name,
      says: description,
      isRequired: false,
      type: filterType(many, name, schema, shapes),
    }));
    return { many, fields };
  });
}

function filterType(many: string, name: string, schema: Json, shapes: Shape[]): Type {
  if (schema.format === "date-time") return { kind: "instant", isNullable: false };
  return typeOf(schema, { within: `${many}Filters`, field: name, isSent: true, shapes });
}

function eventsOf({ webhooks }: Json): Model["events"] {
  const objects = Object.entries<Json>(webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content["application/json"];
    return { type, object: pascal(schema.allOf[1].properties.data.properties.object.$ref.split("/").at(-1)) };
  });
  const byObject = Map.groupBy(objects, ({ object }) => object);
  return Array.from(byObject, ([object, of]) => ({ object, types: of.map(({ type }) => type) }));
}

const pascal = (name: string) => name.replace(/(^|_)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());

/** "NOT_FOUND" as the name of a class: "NotFound". */
export const className = (code: string) => pascal(code.toLowerCase());
