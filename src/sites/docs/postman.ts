import { shownTag } from "../../api/public/openapi.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

/** A Postman collection (v2.1, which Bruno and Insomnia read too) of the reference, with a folder per tag. */
export function postmanCollection(document: Json): object {
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const folders = Map.groupBy(operations, ({ operation }) => operation.tags[0] as string);
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{clave}}", type: "string" }] },
    variable: [
      { key: "base", value: document.servers[0].url, type: "string" },
      { key: "clave", value: "", type: "string" },
    ],
    item: [...folders].map(([name, group]) => ({
      name: shownTag(name),
      item: group.map(({ path, method, operation }) => requestOf(path, method, operation)),
    })),
  };
}

function requestOf(path: string, method: string, { summary, description, parameters, requestBody }: Json): object {
  const body = requestBody?.content["application/json"].example;
  const query = parameters.filter(({ in: place }: Json) => place === "query");
  const pathVariables = parameters.filter(({ in: place }: Json) => place === "path");
  const segments = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ":$1")
    .split("/");
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
        // A new value for each request; users overwrite it to repeat one on purpose.
        ...(method === "post" ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
      ],
      url: {
        raw: `{{base}}/${segments.join("/")}`,
        host: ["{{base}}"],
        path: segments,
        query: query.map(({ name, description: text }: Json) => ({
          key: name,
          value: "",
          description: text,
          disabled: true,
        })),
        variable: pathVariables.map(({ name, example }: Json) => ({ key: name, value: example ?? "" })),
      },
      ...(body && {
        body: { mode: "raw", raw: JSON.stringify(body, null, 2), options: { raw: { language: "json" } } },
      }),
    },
  };
}
