import type { Access } from "../../access/api-keys/access-cache.ts";
import { registry } from "../../business/registry.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import { ById, listOf, NoQuery, singleQuery } from "../../engine/resources/fields.ts";
import type { Resource } from "../../engine/resources/resource.ts";
import { scopeOf } from "../../engine/resources/scopes.ts";
import type { BatchOperation, Operation, Published } from "../../engine/writing/operations.ts";
import { BatchBody, batchSchemas, createBatch } from "./batches.ts";
import { createOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";
import { updateOne } from "./updating.ts";

/** The POST, GET and PATCH routes of every resource in the registry. */
export function resourceRoutes(app: TypedApp, deps: ReadingDeps): void {
  for (const published of registry) routesOf(app, deps, published);
}

function routesOf(app: TypedApp, deps: ReadingDeps, published: Published): void {
  const { resource, operations } = published;
  const { create, update } = operations;
  const { path, schema: record, query, scope, spanish } = resource;
  const tags = [resource.tag.name];
  const reading = scope === null ? {} : { permission: scopeOf(scope, "read") };
  const byId = { tags, params: ById, querystring: singleQuery(query) };
  if (create) {
    const { body, run, verb = "Crear" } = create;
    app.post(
      path,
      {
        config: writeConfig(resource, create, resource.events?.created),
        schema: { tags, summary: `${verb} ${spanish.one}`, querystring: NoQuery, body },
      },
      (request, reply) =>
        createOnce(
          deps,
          request,
          reply,
          (write) => run(write, request.body as never, request.access),
          shownTo(request.access, published),
        ),
    );
  }
  if (create?.batch) batchRoute(app, deps, resource, { ...create, batch: create.batch });
  app.get(
    path,
    {
      config: { ...reading, responseSchema: listOf(record) },
      schema: { tags, summary: `Listar ${spanish.many}`, querystring: query },
    },
    (request, reply) => sendList(deps, request, reply, resource),
  );
  app.get(
    `${path}/:id`,
    { config: { ...reading, responseSchema: record }, schema: { ...byId, summary: `Leer ${spanish.one}` } },
    (request, reply) => sendOne(deps, request, reply, resource),
  );
  if (update) {
    const { body, run, verb = "Editar" } = update;
    app.patch(
      `${path}/:id`,
      {
        config: writeConfig(resource, update, resource.events?.updated),
        schema: { tags, summary: `${verb} ${spanish.one}`, params: ById, querystring: NoQuery, body },
      },
      (request, reply) =>
        updateOne(
          deps,
          request,
          reply,
          resource,
          (write, current) => run(write, current, request.body as never),
          shownTo(request.access, published, request.body as object),
        ),
    );
  }
}

function batchRoute(
  app: TypedApp,
  deps: ReadingDeps,
  resource: Resource,
  create: Operation & { batch: BatchOperation },
): void {
  const { path, spanish } = resource;
  const { body, response } = batchSchemas(resource, create);
  app.post(
    `${path}/batch`,
    {
      config: {
        ...writeConfig(resource, create, resource.events?.created),
        responseSchema: response,
        bodySchema: body,
        errors: [],
        isBatch: true,
      },
      schema: {
        tags: [resource.tag.name],
        summary: `Crear ${spanish.many} en lote`,
        querystring: NoQuery,
        body: BatchBody,
      },
    },
    (request, reply) => createBatch(deps, request, reply, create),
  );
}

/** What a key is answered of a record that was there before it wrote: the whole of it only if it may read. */
export function shownTo(
  { scopes }: Pick<Access, "scopes">,
  { resource: { scope }, operations: { withoutReading } }: Published,
  written: object = {},
): (text: string) => string {
  const mayRead = withoutReading === undefined || scope === null || scopes.has(scopeOf(scope, "read"));
  return (text) => (mayRead ? text : withoutReading(text, written));
}

function writeConfig({ scope, schema, name }: Resource, { emits, errors }: Operation, event: EventType | undefined) {
  if (scope === null) throw new Error(`No key may change a ${name}: it has no permission`);
  const emitted = emits ?? (event && [event]);
  return {
    permission: scopeOf(scope, "write"),
    responseSchema: schema,
    ...(emitted && { emits: emitted }),
    ...(errors && { errors }),
  };
}
