import { shownTag } from "../../api/public/openapi.ts";
import { type Call, callsOf, languageNames } from "./calls.ts";
import { errorsPath } from "./errors-page.ts";
import { type Html, html, prose } from "./html.ts";
import { layout, type MenuGroup } from "./layout.ts";
import { renderMarkdown, slugOf } from "./markdown.ts";
import { parameterTable, refName, schemaTable } from "./schema-table.ts";
import { tabs } from "./tabs.ts";
import { tryForm } from "./try-form.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

export const referencePath = "/docs";

export interface Operation {
  tag: string;
  method: string;
  /** As it is called, with the API's prefix; empty for an event that the service sends. */
  path: string;
  id: string;
  summary: string;
  definition: Json;
}

export function tagPath(tag: string): string {
  return `/docs/referencia/${slugOf(tag)}`;
}

/** Every operation of the API, then every event, in the order of the document. */
export function operationsOf(document: Json): Operation[] {
  const prefix = new URL(document.servers[0].url).pathname;
  const read = (paths: Json, toPath: (path: string) => string) =>
    Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, definition]) => ({
        tag: definition.tags[0],
        method: method.toUpperCase(),
        path: toPath(path),
        id: definition.operationId,
        summary: definition.summary,
        definition,
      })),
    );
  return [...read(document.paths, (path) => `${prefix}${path}`), ...read(document.webhooks, () => "")];
}

/** The start of the reference: what holds for every request, and the way to each operation. */
export function overviewPage(document: Json, menu: readonly MenuGroup[]): string {
  const { html: text, sections } = renderMarkdown(`# Referencia de la API\n\n${document.info.description}`);
  const operations = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const lists = document.tags.map(
    ({ name }: Json) => html`<h3><a href="${tagPath(name)}">${shownTag(name)}</a></h3>
<ul class="operations">${(operations.get(name) ?? []).map(
      ({ method, path, id, summary }) =>
        html`<li><a href="${tagPath(name)}#${id}">${path ? [badge(method), html` <code>${path}</code>`] : [html`<code>${summary}</code>`]}</a>${path ? ` ${summary}` : ""}</li>`,
    )}</ul>`,
  );
  const body = html`${text}\n<h2 id="operaciones">Operaciones</h2>\n${lists}`;
  const outline = [...sections.filter(({ id }) => id), { id: "operaciones", title: "Operaciones" }];
  return layout({ title: "Referencia de la API", path: referencePath, body, menu, outline });
}

/** The operations of one tag and the objects that they take and return. */
export function tagPage(document: Json, tag: Json, menu: readonly MenuGroup[]): string {
  const operations = operationsOf(document).filter((one) => one.tag === tag.name);
  const objects = objectsOf(document, operations);
  const calls = callsOf(document);
  const body = html`<h1>${shownTag(tag.name)}</h1>
${paragraphs(tag.description)}
${operations.map((one) => operationSection(document, one, one.path ? calls(one.id) : []))}
${objects.length > 0 ? [html`<h2 id="objetos">Objetos</h2>`] : []}
${objects.map((name) => objectSection(document, name))}`;
  const outline = [
    ...operations.map(({ id, summary }) => ({ id, title: summary })),
    ...objects.map((name) => ({ id: `objeto-${name}`, title: name })),
  ];
  return layout({ title: shownTag(tag.name), path: tagPath(tag.name), body, menu, outline, scripts: ["/docs/try.js"] });
}

function operationSection(
  document: Json,
  { method, path, id, summary, definition }: Operation,
  calls: readonly Call[],
): Html {
  const parameters = (definition.parameters ?? []).map((one: Json) => resolve(document, one));
  const of = (place: string) => parameters.filter((one: Json) => one.in === place);
  const body = definition.requestBody?.content?.["application/json"];
  const schema = body && resolve(document, body.schema);
  const tables = [
    ...table(of("path"), "En la ruta"),
    ...table(of("query"), "En la consulta"),
    ...table(of("header"), "Cabeceras"),
    ...(path && schema?.properties ? [schemaTable(schema, "En el cuerpo", true)] : []),
  ];
  return html`<section class="operation"><h2 id="${id}"><a href="#${id}">${summary}</a></h2>
${path ? [html`<p class="endpoint">${badge(method)} <code>${path}</code></p>`] : []}
${paragraphs(definition.description ?? "")}
${tables}
${path ? [callTabs(calls), ...tryIt({ id, method, path, definition }, parameters)] : [figure("Lo que recibe su servidor", json(body?.example))]}
${path ? answers(document, definition) : []}
</section>`;
}

function table(parameters: readonly Json[], caption: string): Html[] {
  return parameters.length > 0 ? [parameterTable(parameters, caption)] : [];
}

/** The successful response with its example, and the codes of the others. */
function answers(document: Json, { responses }: Json): Html[] {
  const entries = Object.entries<Json>(responses).map(([status, one]) => [status, resolve(document, one)] as const);
  const good = entries.filter(([status]) => status.startsWith("2"));
  const codes = entries
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, one]) => Object.keys(one.content?.["application/json"]?.examples ?? {}));
  const shown = good.flatMap(([status, one]) => {
    const content = Object.values<Json>(one.content ?? {})[0];
    return content?.example ? [figure(`Respuesta ${status}`, json(content.example))] : [];
  });
  const errors = [...new Set(codes)].map((code) => html`<li><a href="${errorsPath}#${code}">${code}</a></li>`);
  return [...shown, html`<details><summary>Errores posibles</summary><ul class="index">${errors}</ul></details>`];
}

function objectSection(document: Json, name: string): Html {
  const schema = document.components.schemas[name];
  return html`<section class="operation"><h3 id="objeto-${name}"><a href="#objeto-${name}">${name}</a></h3>
${schemaTable(schema, `Campos de ${name}`, false)}</section>`;
}

/** The objects that the operations name, and those that these name in turn; lists and errors are the same everywhere. */
function objectsOf(document: Json, operations: readonly Operation[]): string[] {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    if (value === null || typeof value !== "object") return;
    const name = refName(value);
    const schema = name === undefined ? undefined : document.components.schemas[name];
    if (name && schema && name !== "error" && !found.has(name)) {
      if (!name.endsWith("_list")) found.add(name);
      visit(schema.properties);
      visit(schema.allOf);
    }
    for (const part of Object.values(value)) visit(part);
  };
  for (const { definition, path } of operations) {
    for (const [status, one] of Object.entries<Json>(definition.responses))
      if (status.startsWith("2")) visit(contentSchemas(one));
    visit(path ? fieldsOf(document, definition) : contentSchemas(definition.requestBody));
  }
  return [...found];
}

function contentSchemas(part: Json): Json[] {
  return Object.values<Json>(part?.content ?? {}).map(({ schema }) => schema);
}

/** The body's own fields stand with the operation; only the objects inside them need a place. */
function fieldsOf(document: Json, { requestBody }: Json): Json {
  return contentSchemas(requestBody).map((schema) => resolve(document, schema).properties);
}

function resolve(document: Json, value: Json): Json {
  if (typeof value?.$ref !== "string") return value;
  return value.$ref
    .split("/")
    .slice(1)
    .reduce((place: Json, name: string) => place[name], document);
}

const json = (value: Json) => JSON.stringify(value, null, 2);

function figure(caption: string, text: string): Html {
  return html`<figure><figcaption>${caption}</figcaption><pre><code>${text}</code></pre></figure>`;
}

/** Everything but a stream of all there is. */
function tryIt(operation: Parameters<typeof tryForm>[0], parameters: readonly Json[]): Html[] {
  return operation.path.includes("/exports/") ? [] : [tryForm(operation, parameters)];
}

function callTabs(calls: readonly Call[]): Html {
  return tabs(
    calls.map(({ language, text }) => ({
      language,
      title: languageNames[language],
      body: html`<pre><code class="language-${language}">${text}</code></pre>`,
    })),
  );
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function paragraphs(text: string): Html[] {
  return text.split("\n\n").map((one) => html`<p>${prose(one)}</p>`);
}
