import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { operationTexts, tagTexts } from "../../src/api/public/openapi/text.ts";
import { resources } from "../../src/business/registry.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { errorCatalogue } from "../../src/lib/errors.ts";
import { invalid } from "../support/check-response.ts";
import { sharedService } from "../support/fixtures.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const committed = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8");
const document: Json = JSON.parse(committed);
const operations: [string, Json][] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]): [string, Json] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);
const codes = Object.keys(errorCatalogue);

/** The endpoints of the service document, those that decisions 6 and 7 add, and the exports. */
const endpoints: Record<string, string> = {
  "GET /me": "",
  "POST /customers": "customers:write",
  "GET /customers": "customers:read",
  "GET /customers/{id}": "customers:read",
  "PATCH /customers/{id}": "customers:write",
  "POST /categories": "products:write",
  "GET /categories": "products:read",
  "GET /categories/{id}": "products:read",
  "PATCH /categories/{id}": "products:write",
  "POST /products": "products:write",
  "GET /products": "products:read",
  "GET /products/{id}": "products:read",
  "PATCH /products/{id}": "products:write",
  "POST /customers/batch": "customers:write",
  "POST /products/batch": "products:write",
  "POST /products/{id}/variants": "products:write",
  "PATCH /products/{id}/variants/{variant_id}": "products:write",
  "DELETE /products/{id}/variants/{variant_id}": "products:write",
  "GET /inventory/levels": "inventory:read",
  "GET /sales": "sales:read",
  "GET /sales/{id}": "sales:read",
  "GET /returns": "sales:read",
  "GET /returns/{id}": "sales:read",
  "GET /invoices": "invoices:read",
  "GET /invoices/{id}": "invoices:read",
  "POST /inventory/movements": "inventory:write",
  "GET /inventory/movements": "inventory:read",
  "GET /inventory/movements/{id}": "inventory:read",
  "POST /warehouses": "inventory:write",
  "PATCH /warehouses/{id}": "inventory:write",
  "GET /warehouses": "inventory:read",
  "GET /warehouses/{id}": "inventory:read",
  "GET /cash-sessions": "cash:read",
  "GET /cash-sessions/{id}": "cash:read",
  "GET /quotes": "quotes:read",
  "GET /quotes/{id}": "quotes:read",
  "GET /events": "events:read",
  "GET /events/{id}": "events:read",
  "GET /exports/customers": "customers:read",
  "GET /exports/categories": "products:read",
  "GET /exports/products": "products:read",
  "GET /exports/sales": "sales:read",
  "GET /exports/returns": "sales:read",
  "GET /exports/invoices": "invoices:read",
  "GET /exports/inventory-movements": "inventory:read",
  "GET /exports/warehouses": "inventory:read",
  "GET /exports/cash-sessions": "cash:read",
  "GET /exports/quotes": "quotes:read",
  "GET /exports/events": "events:read",
};

const service = sharedService();

describe("the document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toBe("3.1.0");
  });

  test("holds the documented endpoints, each with its permission", () => {
    const found = Object.fromEntries(operations.map(([name, { security }]) => [name, security[0].bearer.join()]));
    expect(found).toMatchObject(endpoints);
    for (const [name, { description }] of operations)
      expect(description).toContain(found[name] === "" ? "cualquier clave" : `\`${found[name]}\``);
  });

  test("is committed as it is served, without a key and also to browsers", async () => {
    const headers = { origin: "https://example.com", "sec-fetch-site": "cross-site" };
    const response = await fetch(`${service.baseUrl}/public/v1/openapi.json`, { headers });
    expect(response.status).toBe(200);
    expect(`${JSON.stringify(await response.json(), null, 2)}\n`).toBe(committed);
    const etag = response.headers.get("etag")!;
    const again = await fetch(`${service.baseUrl}/public/v1/openapi.json`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("shows only examples that its own schemas accept", () => {
    const examples = collectExamples(document, "");
    expect(examples.length).toBeGreaterThan(200);
    expect(examples.flatMap(({ at, pointer, value }) => invalid(pointer, value).map((e) => `${at}: ${e}`))).toEqual([]);
  });

  test("has an example for every body", () => {
    for (const [name, { requestBody, responses }] of operations) {
      const success = responses[200] ?? responses[201];
      expect(Object.values<Json>(success.content)[0].example, name).toBeDefined();
      if (requestBody) expect(requestBody.content["application/json"].example, name).toBeDefined();
    }
  });

  test("describes every field, parameter and tag, with standard keywords only", () => {
    const silent: string[] = [];
    visit(document.components.schemas, "", (node, at) => {
      // A condition on fields that are described elsewhere.
      if (/\/(contains|if|then)$/.test(at)) return;
      for (const [name, field] of Object.entries<Json>(node.properties ?? {})) {
        if (!field.description && !field.$ref) silent.push(`${at}/${name}`);
      }
    });
    for (const [name, { parameters }] of operations) {
      for (const one of parameters) if (!one.$ref && !one.description) silent.push(`${name} ${one.name}`);
    }
    expect(silent).toEqual([]);
    expect(committed).not.toMatch(/"x-/);
    const used = new Set<string>([...operations.flatMap(([, { tags }]) => tags), "Webhooks"]);
    expect(used.size).toBe(new Set([...resources.map(({ tag }) => tag.name), ...Object.keys(tagTexts)]).size);
    expect(used).toEqual(new Set(document.tags.map(({ name }: Json) => name)));
    // Generators make class names of them.
    for (const name of used) expect(name).toMatch(/^[A-Za-z ]+$/);
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(operationTexts)));
  });

  test("allows unknown fields in responses and none in requests", () => {
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      const isSent = /^new_|_changes$/.test(name);
      expect(schema.additionalProperties, name).toBe(isSent ? false : name === "error" ? true : undefined);
    }
  });

  test("lists every error code of the catalogue, and where it can occur", () => {
    expect(document.components.schemas.error.properties.error.properties.code.enum).toEqual(codes);
    const given = new Set(operations.flatMap(([, { responses }]) => Object.values(responses).flatMap(codesOf)));
    // No operation returns it: it is the response of a path without one.
    expect([...given, "ROUTE_NOT_FOUND"].sort()).toEqual([...codes].sort());
    for (const [name, { responses }] of operations) {
      for (const [status, response] of Object.entries(responses)) {
        for (const code of codesOf(response)) {
          const expected = status === "503" ? 500 : Number(status);
          expect(errorCatalogue[code as keyof typeof errorCatalogue].status, `${name} ${code}`).toBe(expected);
        }
      }
    }
  });

  test("has one schema for all errors, and each response lists its codes", () => {
    const { responses: shared } = document.components;
    const given = [
      ...operations.flatMap(([, { responses }]) => Object.values<Json>(responses)),
      ...Object.values(shared),
    ];
    const errors = given.filter((response: Json) => /^Solicitud|`[A-Z_]+`/.test(response.description ?? ""));
    expect(errors.length).toBeGreaterThan(80);
    for (const { content } of errors as Json[]) {
      const { schema } = content["application/json"];
      expect(schema.$ref).toBe("#/components/schemas/error");
      expect(schema.properties.error.properties.code.enum.length).toBeGreaterThan(0);
    }
  });

  test("types the object of an event by the event's type", () => {
    const { discriminator, oneOf } = document.components.schemas.event;
    expect(Object.keys(discriminator.mapping)).toEqual([...eventTypes]);
    const example = (type: string): Json =>
      document.webhooks[type].post.requestBody.content["application/json"].example;
    const eventOf = (type: string, object: object) => {
      const { api_version: _, ...event } = example(type);
      return { object: "event", ...event, data: { object } };
    };
    for (const type of eventTypes) {
      expect(oneOf).toContainEqual({ $ref: discriminator.mapping[type] });
      expect(invalid("/components/schemas/event", eventOf(type, example(type).data.object))).toEqual([]);
      const foreign = type.startsWith("sale.") ? "customer.created" : "sale.created";
      expect(invalid("/components/schemas/event", eventOf(type, example(foreign).data.object))).not.toEqual([]);
    }
  });

  test("documents every event as it is delivered", () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes, "webhook.test"].sort());
    for (const [type, { post }] of Object.entries<Json>(document.webhooks)) {
      const { example } = post.requestBody.content["application/json"];
      expect(example).toMatchObject({ type, api_version: "2026-09-28" });
    }
  });
});

function codesOf(response: Json): string[] {
  const { content } = response.$ref ? document.components.responses[response.$ref.split("/").at(-1)] : response;
  return content?.["application/json"]?.schema.properties?.error.properties.code.enum ?? [];
}

interface Example {
  at: string;
  /** The schema it must obey. */
  pointer: string;
  value: unknown;
}

/** Examples beside a `schema` (bodies, headers, parameters) and inside schemas. */
function collectExamples(root: Json, from: string): Example[] {
  const found: Example[] = [];
  visit(root, from, (node, at) => {
    if (node.schema) {
      const named = Object.values<Json>(node.examples ?? {}).map((one) => one.value ?? referenced(one.$ref).value);
      const given = node.example === undefined ? named : [node.example, ...named];
      found.push(...given.map((value) => ({ at, pointer: `${at}/schema`, value })));
    } else if (Array.isArray(node.examples)) {
      found.push(...node.examples.map((value: unknown) => ({ at, pointer: at, value })));
    }
  });
  return found;
}

function referenced(pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce((node, step) => node[step], document);
}

/** Every object of the document, except inside examples. */
function visit(node: Json, at: string, see: (node: Json, at: string) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(node, at);
  for (const [key, value] of Object.entries(node)) {
    if (key === "example" || key === "examples") continue;
    visit(value, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, see);
  }
}
