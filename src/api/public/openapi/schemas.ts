import { textOfField } from "./field-texts.ts";

/** A JSON Schema as the reference publishes it. */
export type PublishedSchema = Record<string, unknown>;

export interface SchemaPublisher {
  components: Record<string, PublishedSchema>;
  /** The schema for the reference. If it has an `$id` or gets a name here, it becomes a component. */
  publish(schema: object, name?: string): PublishedSchema;
}

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * The reference shows the schemas that validate requests, without our own `x-…` keywords. The keywords in `x-documented`
 * are added: they express rules that other code checks, with better error messages than the validator.
 */
export function schemaPublisher(): SchemaPublisher {
  const components: Record<string, PublishedSchema> = {};

  function publish(schema: object, name?: string, inside?: string): PublishedSchema {
    const { $id, ...keywords } = schema as PublishedSchema & { $id?: string };
    const id = $id ?? name;
    if (id === undefined) return shown(keywords, inside);
    components[id] ??= shown(keywords, id);
    return refTo(id);
  }

  function shown({ "x-documented": extra, ...keywords }: PublishedSchema, inside: string | undefined): PublishedSchema {
    const kept = Object.entries(keywords).filter(([keyword]) => !keyword.startsWith("x-"));
    const plain = Object.fromEntries(
      kept.map(([keyword, value]) => {
        const isInner = keyword === "additionalProperties" || keyword === "propertyNames";
        if (keyword === "items" || (isInner && typeof value === "object"))
          return [keyword, publish(value as object, undefined, inside)];
        if (keyword !== "properties") return [keyword, value];
        const properties = Object.entries(value as Record<string, object>);
        return [keyword, Object.fromEntries(properties.map(([key, one]) => [key, field(key, one, inside)]))];
      }),
    );
    return { ...plain, ...(extra as object | undefined) };
  }

  function field(name: string, schema: object, inside: string | undefined): PublishedSchema {
    const published = publish(schema, undefined, inside);
    if (published.description !== undefined || published.$ref !== undefined) return published;
    const description = textOfField(inside ?? "", name);
    return description === undefined ? published : { ...published, description };
  }

  return { components, publish };
}
