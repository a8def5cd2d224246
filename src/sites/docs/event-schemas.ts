import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import type { Config } from "../../config.ts";
import { eventTypes } from "../../engine/events/event-types.ts";
import { testType } from "../../webhooks/sending/delivery-body.ts";

const schemasPath = "/docs/schemas";
const addressOf = (type: string) => `${schemasPath}/${type}.json`;

export const schemaPaths = [schemasPath, ...[...eventTypes, testType].map(addressOf)];

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const ofComponent = "#/components/schemas/";

/** A JSON Schema for the body of each event's deliveries, complete in itself, by its address; and the list of them. */
export function eventSchemas(config: Config, table: RouteTable): Map<string, object> {
  const document: Json = openApiDocument(table.routes, config);
  const all = Object.entries<Json>(document.webhooks).map(([type, { post }]) => {
    const { schema, example } = post.requestBody.content["application/json"];
    return { type, description: post.description as string, schema, example };
  });
  const list = {
    schemas: all.map(({ type, description }) => ({ type, description, url: config.publicUrl + addressOf(type) })),
  };
  return new Map<string, object>([
    [schemasPath, list],
    ...all.map(({ type, description, schema, example }): [string, object] => [
      addressOf(type),
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: config.publicUrl + addressOf(type),
        title: type,
        description,
        ...own(schema),
        examples: [example],
        $defs: definitions(schema, document.components.schemas),
      },
    ]),
  ]);
}

/** Every component that the schema leads to. */
function definitions(schema: Json, components: Record<string, Json>): Record<string, object> {
  const found: Record<string, object> = {};
  const open = namesIn(schema);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (Object.hasOwn(found, name)) continue;
    found[name] = own(components[name]);
    open.push(...namesIn(components[name]));
  }
  return found;
}

function namesIn(schema: Json): string[] {
  return Array.from(JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name);
}

/** With its references to its own definitions. */
function own(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${ofComponent}`, '"#/$defs/'));
}
