import { escapeHtml } from "../../lib/escape-html.ts";
import { type Html, html, prose } from "./html.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const typeWords: Record<string, string> = {
  string: "texto",
  integer: "entero",
  number: "número",
  boolean: "sí o no",
  object: "objeto",
  null: "nulo",
};
const formatWords: Record<string, string> = {
  uuid: "UUID",
  "date-time": "fecha y hora",
  email: "correo",
  uri: "dirección web",
};

/** The fields of an object, each with its type, its limits and what it means. */
export function schemaTable(schema: Json, caption: string, hasRequired: boolean): Html {
  const required = new Set<string>(hasRequired ? (schema.required ?? []) : []);
  const rows = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, field]) => [
    row(name, field, required.has(name) ? "obligatorio" : ""),
    ...innerRows(name, field, hasRequired),
  ]);
  return table(caption, "Campo", rows);
}

/** The fields of an object that has no name of its own, or of a list of such objects: they are described nowhere else. */
function innerRows(name: string, field: Json, hasRequired: boolean): Html[] {
  const [inner, path] = field.items ? [field.items, `${name}[]`] : [field, name];
  const required = new Set<string>(hasRequired ? (inner.required ?? []) : []);
  return Object.entries<Json>(inner.properties ?? {}).map(([own, part]) =>
    row(`${path}.${own}`, part, required.has(own) ? "obligatorio" : ""),
  );
}

export function parameterTable(parameters: readonly Json[], caption: string): Html {
  const rows = parameters.map(({ name, schema, description, required }) =>
    row(name, { ...schema, description }, required ? "obligatorio" : ""),
  );
  return table(caption, "Nombre", rows);
}

function table(caption: string, first: string, rows: readonly Html[]): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr><th scope="col">${first}</th><th scope="col">Tipo</th><th scope="col">Qué es</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function row(name: string, field: Json, note: string): Html {
  const limits = limitsOf(field);
  const more = [
    ...(field.description ? [prose(field.description)] : []),
    ...(limits ? [html`<span class="limits">${limits}</span>`] : []),
  ];
  return html`<tr><th scope="row"><code>${breakable(name)}</code>${note ? [html` <span class="note">${note}</span>`] : []}</th><td>${typeOf(field)}</td><td>${more}</td></tr>`;
}

/** A long name breaks after an underscore or a dot, never in the middle of a word. */
function breakable(name: string): Html {
  return { html: escapeHtml(name).replace(/(?<=[_.])(?=.)/g, "<wbr>") };
}

/** Objects are shown on the page under their own name. */
function typeOf(field: Json): Html {
  const name = refName(field);
  if (name) return html`<a href="#objeto-${name}">${name}</a>`;
  const union = field.anyOf ?? field.oneOf ?? field.allOf;
  if (union) return html`${union.map((one: Json) => typeOf(one))}`;
  const types = [field.type ?? (field.const === undefined ? "object" : "string")].flat() as string[];
  const isNullable = types.includes("null");
  const shown = types
    .filter((type) => type !== "null")
    .map((type) => {
      if (type === "array") return html`lista de ${typeOf(field.items ?? {})}`;
      return html`${formatWords[field.format] ?? typeWords[type] ?? type}`;
    });
  return html`${shown}${isNullable ? " o nulo" : ""}`;
}

function limitsOf(field: Json): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: standard, const: only } = field;
  const values = (field.enum ?? []).filter((value: unknown) => value !== null);
  return [
    values.length > 0 && `Valores: ${values.join(", ")}.`,
    only !== undefined && `Siempre ${only}.`,
    between(minimum, maximum, ""),
    between(minLength > 1 ? minLength : undefined, maxLength, " caracteres"),
    between(minItems, maxItems, " elementos"),
    standard !== undefined && `Por omisión, ${standard}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function between(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return `De ${numberText(low)} a ${numberText(high)}${unit}.`;
  if (high !== undefined) return `Hasta ${numberText(high)}${unit}.`;
  return low === undefined ? "" : `Desde ${numberText(low)}${unit}.`;
}

const numbers = new Intl.NumberFormat("es-CO");

function numberText(value: number): string {
  return numbers.format(value);
}

/** The name of the object that a schema refers to, directly or as the elements of a list. */
export function refName(schema: Json): string | undefined {
  return typeof schema?.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
}
