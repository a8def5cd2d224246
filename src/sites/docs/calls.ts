import { type Language, literal } from "./literals.ts";
import { camelCase, resourcesOf } from "./sdk-resources.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

/** An operation as a reader copies it, in each language. */
export interface Call {
  language: "curl" | Language;
  text: string;
}

export const languageNames: Record<Call["language"], string> = {
  curl: "curl",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
};

export const exampleId = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11";
export const exampleVariantId = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c12";

/** What the clients call an operation, and what it is given. */
interface Method {
  /** ["inventory", "movements"]; empty for what the client itself does. */
  property: readonly string[];
  name: string;
  args: readonly unknown[];
  /** It gives one record after another. */
  isMany: boolean;
}

/** The calls of every operation, by its operationId: from the table that the clients are generated from, and the reference's examples. */
export function callsOf(document: Json): (operationId: string) => Call[] {
  const methods = methodsOf(document);
  const { origin, pathname } = new URL(document.servers[0].url);
  const operations = new Map<string, Json>();
  for (const [path, item] of Object.entries<Json>(document.paths))
    for (const [method, definition] of Object.entries<Json>(item))
      operations.set(definition.operationId, { path: pathname + path, method: method.toUpperCase(), definition });
  return (id) => {
    const { path, method, definition } = operations.get(id);
    const body = exampleOf(definition);
    const known = methods.get(id);
    if (!known) throw new Error(`${id} is in no client: sdk-resources.ts or calls.ts must name it`);
    return [
      { language: "curl", text: curlOf(origin, path, method, body) },
      { language: "ts", text: tsOf(origin, known) },
      { language: "python", text: pythonOf(origin, known) },
      { language: "php", text: phpOf(origin, known) },
    ];
  };
}

export function exampleOf({ requestBody }: Json): Json {
  return requestBody?.content?.["application/json"]?.example;
}

function methodsOf(document: Json): Map<string, Method> {
  const found = new Map<string, Method>();
  const exampleOfId = (id: string): Json => {
    for (const item of Object.values<Json>(document.paths))
      for (const definition of Object.values<Json>(item))
        if (definition.operationId === id) return exampleOf(definition);
    return undefined;
  };
  const add = (id: string, property: readonly string[], name: string, args: readonly unknown[], isMany = false) =>
    found.set(id, { property, name, args, isMany });
  for (const { property, one, many, isReadable } of resourcesOf(document)) {
    add(`list${many}`, property, "list", [], true);
    if (isReadable) add(`get${one}`, property, "get", [exampleId]);
    if (isReadable) add(`export${many}`, property, "export", [], true);
    add(`create${one}`, property, "create", [exampleOfId(`create${one}`)]);
    add(`create${one}Batch`, property, "createBatch", [exampleOfId(`create${one}Batch`)?.items]);
    add(`update${one}`, property, "update", [exampleId, exampleOfId(`update${one}`)]);
    add(`cancel${one}`, property, "cancel", [exampleId, exampleOfId(`cancel${one}`)]);
    add(`receive${one}`, property, "receive", [exampleId, exampleOfId(`receive${one}`)]);
    add(`preview${one}`, property, "preview", [exampleOfId(`preview${one}`)]);
  }
  add("listEvents", ["events"], "list", [], true);
  add("getEvent", ["events"], "get", [exampleId]);
  add("exportEvents", ["events"], "export", [], true);
  add("getApiKey", [], "me", []);
  const variant = (id: string, name: string, ...args: unknown[]) => add(id, ["variants"], name, [exampleId, ...args]);
  variant("createProductVariant", "create", exampleOfId("createProductVariant"));
  variant("updateProductVariant", "update", exampleVariantId, exampleOfId("updateProductVariant"));
  variant("deleteProductVariant", "delete", exampleVariantId);
  return found;
}

function curlOf(origin: string, path: string, method: string, body: Json): string {
  const address = `${origin}${path.replace("{id}", exampleId).replace("{variant_id}", exampleVariantId)}`;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`,
    `-H "Authorization: Bearer $MOSTRADOR_API_KEY"`,
    ...(method === "POST" ? [`-H "Idempotency-Key: $(openssl rand -hex 16)"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`] : []),
  ].join(" \\\n  ");
}

const sdkName = "@mostrador/sdk";

function tsOf(origin: string, { property, name, args, isMany }: Method): string {
  const call = `mostrador.${[...property, name].join(".")}(${args.map((one) => literal(one, "ts")).join(", ")})`;
  return `import { Mostrador } from ${JSON.stringify(sdkName)};

const mostrador = new Mostrador({ apiKey: process.env.MOSTRADOR_API_KEY!, baseUrl: "${origin}" });
${isMany ? `for await (const uno of ${call}) console.log(uno);` : `console.log(await ${call});`}
`;
}

function pythonOf(origin: string, { property, name, args, isMany }: Method): string {
  const call = `mostrador.${[...property, name].map(snake).join(".")}(${args.map((one) => literal(one, "python")).join(", ")})`;
  return `import os
from mostrador import Mostrador

mostrador = Mostrador(api_key=os.environ["MOSTRADOR_API_KEY"], base_url="${origin}")
${isMany ? `for uno in ${call}:\n    print(uno)` : `print(${call})`}
`;
}

function phpOf(origin: string, { property, name, args, isMany }: Method): string {
  const call = `$mostrador->${[...property, name].map(camelCase).join("->")}(${args.map((one) => literal(one, "php")).join(", ")})`;
  return `<?php

require 'vendor/autoload.php';

$mostrador = new Mostrador\\Mostrador(apiKey: getenv('MOSTRADOR_API_KEY'), baseUrl: '${origin}');
${isMany ? `foreach (${call} as $uno) {\n    print_r($uno);\n}` : `print_r(${call});`}
`;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
