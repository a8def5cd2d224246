import type { RouteOptions } from "fastify";
import { resources } from "../../business/registry.ts";
import type { Config } from "../../config.ts";
import { encodeCursor } from "../../lib/cursor.ts";
import {
  type ErrorSource,
  errorComponent,
  errorExamples,
  errorResponses,
  sharedErrorResponses,
} from "./openapi/errors.ts";
import { textOfField } from "./openapi/field-texts.ts";
import { exportHeaders, headerComponents, headerParameters, headersOf, successHeaders } from "./openapi/headers.ts";
import { type PublishedSchema, type SchemaPublisher, schemaPublisher } from "./openapi/schemas.ts";
import { bearerText, introduction, operationTexts, serverTexts, tagTexts } from "./openapi/text.ts";
import { deliveryHeaders, webhooks } from "./openapi/webhooks.ts";
import { publicPrefix } from "./public-api.ts";

const allTags: Record<string, string> = {
  ...Object.fromEntries(resources.map(({ tag }) => [tag.name, tag.text])),
  ...tagTexts,
};

/** Generators make class names of tags, and some drop the letters with accents: «Categorías» is `Categorias` there. */
export function tagName(shown: string): string {
  return shown.normalize("NFD").replace(/\p{Mn}/gu, "");
}

const shownTags = new Map(Object.keys(allTags).map((name) => [tagName(name), name]));

/** A tag of the document as people read it. */
export function shownTag(name: string): string {
  return shownTags.get(name) ?? name;
}

/** The reference of the public API, generated from the declarations of its routes. */
export function openApiDocument(
  routes: readonly RouteOptions[],
  { publicUrl, environment }: Pick<Config, "publicUrl" | "environment">,
): object {
  const schemas = schemaPublisher();
  schemas.components.error = errorComponent;
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    // HEAD comes with every GET and needs no entry of its own.
    if (route.method === "HEAD") continue;
    const path = route.url.slice(publicPrefix.length).replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: operation(route, schemas, publicUrl) };
  }
  const deliveries = webhooks(schemas);
  addExamples(paths, schemas.components);
  return {
    openapi: "3.1.0",
    info: { title: "API de Mostrador", version: "1.0.0", description: introduction(publicUrl) },
    servers: [{ url: publicUrl + publicPrefix, description: serverTexts[environment] }],
    externalDocs: { description: "Códigos de error", url: `${publicUrl}/docs/errores` },
    tags: Object.entries(allTags).map(([name, description]) => ({ name: tagName(name), description })),
    paths,
    webhooks: deliveries,
    components: {
      schemas: schemas.components,
      responses: sharedErrorResponses(),
      headers: headerComponents,
      parameters: { ...headerParameters, ...deliveryHeaders },
      examples: errorExamples(publicUrl),
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: bearerText } },
    },
  };
}

/** A route's declaration. */
interface Declared {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  schema: { tags?: string[]; summary?: string; description?: string } & ErrorSource["schema"];
  config: NonNullable<RouteOptions["config"]>;
  response: PublishedSchema;
  /** The record's name; for a list or an export, that of its items. */
  record: string;
  kind: "one" | "list" | "export";
}

function read(route: RouteOptions): Declared {
  const config = route.config as Declared["config"];
  const response = (config.responseSchema ?? config.lineSchema) as PublishedSchema & {
    $id?: string;
    properties: { data?: object };
  };
  const item = (response.properties.data as { items?: { $id?: string } } | undefined)?.items?.$id;
  const record = response.$id ?? item;
  if (record === undefined)
    throw new Error(`${String(route.method)} ${route.url} has a response schema without a name`);
  const kind = config.lineSchema ? "export" : response.$id === undefined ? "list" : "one";
  return {
    method: route.method as Declared["method"],
    schema: route.schema as Declared["schema"],
    config,
    response,
    record,
    kind,
  };
}

function operation(route: RouteOptions, schemas: SchemaPublisher, publicUrl: string): object {
  const declared = read(route);
  const { method, schema, config, record, kind } = declared;
  const operationId = nameOperation(declared);
  const events = config.emits?.map((type) => `\`${type}\``).join(", ");
  const texts = [
    schema.description ?? operationTexts[operationId],
    `Permiso: ${config.permission ? `\`${config.permission}\`` : "ninguno; lo lee cualquier clave"}.${events ? ` Eventos: ${events}.` : ""}`,
  ];
  const bodyName = method === "POST" ? `new_${record}` : `${record}_changes`;
  const source: ErrorSource = {
    method,
    takesKey: method === "POST" && config.action?.takesKey !== false,
    permission: config.permission,
    isList: kind !== "one",
    byId: schema.params !== undefined,
    own: config.errors ?? [],
    schema,
  };
  return {
    operationId,
    tags: schema.tags?.map(tagName),
    summary: schema.summary,
    description: texts.filter((text) => text !== undefined).join("\n\n"),
    security: [{ bearer: config.permission ? [config.permission] : [] }],
    parameters: [
      ...parametersIn("path", schema.params, declared, schemas),
      ...parametersIn("query", schema.querystring, declared, schemas),
      ...(kind === "export" || config.action?.takesKey === false ? [] : headersOf(method)),
    ],
    ...(schema.body !== undefined && {
      requestBody: {
        required: !config.mayLackBody,
        content: {
          "application/json": { schema: schemas.publish(config.bodySchema ?? (schema.body as object), bodyName) },
        },
      },
    }),
    responses: { ...successes(declared, schemas), ...errorResponses(source, publicUrl) },
  };
}

/** createCustomer, listCategories, getStockMovement, updateProduct, exportSales. */
function nameOperation({ method, config, record, kind }: Declared): string {
  if (config.action) return config.action.id;
  const verb = kind === "one" ? { GET: "get", POST: "create", PATCH: "update", DELETE: "delete" }[method] : kind;
  const noun = kind === "one" ? record : `${record.replace(/y$/, "ie")}s`;
  return verb + noun.replace(/(^|_)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

function parametersIn(
  place: "path" | "query",
  schema: unknown,
  { record, response }: Declared,
  schemas: SchemaPublisher,
): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  const [example = {}] = (response.examples ?? []) as Record<string, unknown>[];
  return Object.entries(properties).map(([name, property]) => {
    const { description = textOfField(record, name), ...rest } = schemas.publish(property);
    const isRequired = required.includes(name) && { required: true };
    const inPath = place === "path" && { example: example[name] };
    return { name, in: place, ...isRequired, description, schema: rest, ...inPath };
  });
}

function successes(
  { method, config, response, record, kind }: Declared,
  schemas: SchemaPublisher,
): Record<string, object> {
  if (kind === "export") {
    const description = "Un registro por línea, en el orden de la lista (JSON Lines).";
    const content = { "application/x-ndjson": { schema: schemas.publish(response) } };
    return { 200: { description, headers: exportHeaders(), content } };
  }
  const schema = schemas.publish(response, `${record}_list`);
  const isCalled = config.isBatch || config.action?.takesKey;
  const headers = successHeaders(isCalled ? "BATCH" : config.action ? "PREVIEW" : method);
  const content = { "application/json": { schema } };
  if (config.isBatch) return { 200: { description: "Un resultado por elemento.", headers, content } };
  if (config.action) return { 200: { description: config.action.text, headers, content } };
  if (method === "POST") return { 201: { description: "Creado.", headers, content } };
  if (method === "DELETE") return { 200: { description: "Eliminado.", headers, content } };
  if (method === "PATCH") return { 200: { description: "Editado.", headers, content } };
  const found = { description: kind === "list" ? "Una página de la lista." : "El registro.", headers, content };
  return { 200: found, 304: { description: "Sin cambios desde el `ETag` de `If-None-Match`.", headers } };
}

const exampleCursor = encodeCursor(
  { createdAt: new Date("2026-09-28T19:05:09.120Z"), id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11" },
  { key: "example", route: "", accountId: "", filters: "" },
);

/** Adds an example to each body, where most tools look for it. A list's example contains its record's. */
function addExamples(paths: Record<string, Record<string, object>>, components: SchemaPublisher["components"]): void {
  const exampleOf = (name: string): unknown => {
    const record = /^(.+)_list$/.exec(name)?.[1];
    if (record === undefined) return (components[name]?.examples as unknown[] | undefined)?.[0];
    return { object: "list", data: [exampleOf(record)], has_more: true, next_cursor: exampleCursor };
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path)) as OperationWithBodies[];
  for (const { requestBody, responses } of operations) {
    for (const { content } of [requestBody, responses[200], responses[201]].filter((one) => one !== undefined)) {
      const body = Object.values(content)[0]!;
      body.example = exampleOf(body.schema.$ref.split("/").at(-1)!);
    }
  }
}

interface OperationWithBodies {
  requestBody?: WithBody;
  responses: Record<number, WithBody>;
}
interface WithBody {
  content: Record<string, { schema: { $ref: string }; example?: unknown }>;
}
