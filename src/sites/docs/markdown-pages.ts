import { shownTag } from "../../api/public/openapi.ts";
import { type ErrorCode, errorCatalogue } from "../../lib/errors.ts";
import { callsOf } from "./calls.ts";
import { errorsPath } from "./errors-page.ts";
import { type Guide, guideGroups, guidesOf, guidesPath } from "./guides.ts";
import { type Operation, operationsOf, referencePath, tagPath } from "./reference-pages.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

/** The pages of the site as Markdown, by the page's own address: each is served beside it, with `.md`. */
export function markdownPages(guides: readonly Guide[], document: Json): Map<string, string> {
  return new Map([
    [guidesPath, guidesText(guides)],
    ...guides.map(({ path, source }): [string, string] => [path, source]),
    [referencePath, overviewText(document)],
    ...document.tags.map((tag: Json): [string, string] => [tagPath(tag.name), tagText(document, tag)]),
    [errorsPath, errorsText()],
  ]);
}

/** Everything there is to read, in one text (llms-full.txt). */
export function wholeText(pages: ReadonlyMap<string, string>): string {
  return [...pages.values()].map((text) => text.trimEnd()).join("\n\n---\n\n");
}

function guidesText(guides: readonly Guide[]): string {
  const groups = guideGroups.map((group) => {
    const links = guidesOf(guides, group).map(({ path, title, summary }) => `- [${title}](${path}.md): ${summary}`);
    return `## ${group.title}\n\n${links.join("\n")}`;
  });
  return `# Guías\n\n${groups.join("\n\n")}\n`;
}

function overviewText(document: Json): string {
  const lines = operationsOf(document).map(({ tag, method, path, summary }) =>
    path ? `- [\`${method} ${path}\`](${tagPath(tag)}.md): ${summary}` : `- [\`${summary}\`](${tagPath(tag)}.md)`,
  );
  return `# Referencia de la API\n\n${document.info.description}\n\n## Operaciones y eventos\n\n${lines.join("\n")}\n`;
}

function tagText(document: Json, tag: Json): string {
  const calls = callsOf(document);
  const operations = operationsOf(document).filter((one) => one.tag === tag.name);
  const sections = operations.map((one) => operationText(document, one, one.path ? calls(one.id) : []));
  return `# ${shownTag(tag.name)}\n\n${tag.description}\n\n${sections.join("\n\n")}\n`;
}

function operationText(document: Json, { method, path, summary, definition }: Operation, calls: Json[]): string {
  const parameters = (definition.parameters ?? [])
    .map((one: Json) => resolve(document, one))
    .map(
      ({ name, in: place, required, description = "" }: Json) =>
        `- \`${name}\` (${places[place] ?? place}${required ? ", obligatorio" : ""}): ${description}`,
    );
  const body = definition.requestBody?.content?.["application/json"];
  const good = Object.entries<Json>(definition.responses ?? {}).find(([status]) => status.startsWith("2"));
  const answer = Object.values<Json>(resolve(document, good?.[1])?.content ?? {})[0]?.example;
  return [
    `## ${summary}`,
    ...(path ? [`\`${method} ${path}\``] : []),
    ...(definition.description ? [definition.description] : []),
    ...(parameters.length > 0 ? [parameters.join("\n")] : []),
    ...(path && body?.schema ? [bodyText(resolve(document, body.schema))] : []),
    ...calls.map(({ language, text }) => `\`\`\`${language === "curl" ? "sh" : language}\n${text.trimEnd()}\n\`\`\``),
    ...(!path && body?.example ? [fenced(body.example)] : []),
    ...(path && answer ? [`Respuesta ${good![0]}:`, fenced(answer)] : []),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const places: Record<string, string> = { path: "en la ruta", query: "en la consulta", header: "cabecera" };

function bodyText({ properties = {}, required = [] }: Json): string {
  return Object.entries<Json>(properties)
    .map(
      ([name, { description = "" }]) =>
        `- \`${name}\` (en el cuerpo${required.includes(name) ? ", obligatorio" : ""}): ${description}`,
    )
    .join("\n");
}

function errorsText(): string {
  const lines = Object.entries(errorCatalogue) as [ErrorCode, { status: number; message: string }][];
  return `# Códigos de error\n\n${lines.map(([code, { status, message }]) => `- \`${code}\` (HTTP ${status}): ${message}`).join("\n")}\n`;
}

const fenced = (value: Json) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function resolve(document: Json, value: Json): Json {
  if (typeof value?.$ref !== "string") return value;
  return value.$ref
    .split("/")
    .slice(1)
    .reduce((place: Json, name: string) => place[name], document);
}
