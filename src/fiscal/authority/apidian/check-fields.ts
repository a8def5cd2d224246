import type { TypeDocumentId } from "../../content/document-content.ts";
import { type Fields, isRecord } from "../../findings/finding.ts";
import type { DocumentProblem } from "../document-problem.ts";
import { contract, type FieldRule } from "./contract.ts";

/** The first field of a request that the provider would refuse. */
export function checkFields(body: object, type: TypeDocumentId): DocumentProblem | undefined {
  for (const rule of contract) {
    for (const { value, parent, place } of valuesAt(body as Fields, rule.path)) {
      if (value === undefined) {
        const isAsked = rule.required.includes(type) && (rule.when === undefined || (parent && rule.when(parent)));
        if (!isAsked) continue;
        return problem(rule, `Falta ${rule.words}${place}.`);
      }
      if (!follows(rule, value)) return problem(rule, `No es válido ${rule.words}${place}: «${shown(value)}».`);
    }
  }
  return undefined;
}

function problem({ path, advice }: FieldRule, message: string): DocumentProblem {
  return { field: path, message, advice };
}

function shown(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 60);
}

interface Found {
  value: unknown;
  /** What should have it. */
  parent: Fields | undefined;
  /** Which line, for a person. */
  place: string;
}

/** Every value that a path leads to, with the line it belongs to. A list without entries has none. */
function valuesAt(body: Fields, path: string): Found[] {
  let found: Found[] = [{ value: body, parent: undefined, place: "" }];
  for (const step of path.split(".")) {
    const isList = step.endsWith("[]");
    const name = isList ? step.slice(0, -2) : step;
    found = found.flatMap(({ value, place }): Found[] => {
      const parent = isRecord(value) ? value : undefined;
      const inner = parent?.[name];
      if (!isList) return [{ value: inner, parent, place }];
      const entries: unknown[] = Array.isArray(inner) ? inner : [];
      const placeAt = (i: number) => (name.endsWith("_lines") ? placeOf(entries[i], i) : place);
      return entries.map((entry, i) => ({ value: entry, parent, place: placeAt(i) }));
    });
  }
  return found;
}

function placeOf(entry: unknown, index: number): string {
  const name = isRecord(entry) && typeof entry.description === "string" ? ` (${entry.description})` : "";
  return ` en la línea ${index + 1}${name}`;
}

function follows({ is, among, matches, most }: FieldRule, value: unknown): boolean {
  switch (is) {
    case "boolean":
      return typeof value === "boolean";
    case "object":
      return isRecord(value);
    case "list":
      return Array.isArray(value) && value.length > 0;
    case "integer":
      return (
        typeof value === "number" &&
        Number.isSafeInteger(value) &&
        (among?.includes(value) ?? (value > 0 && value <= (most ?? value)))
      );
    case "text":
      return typeof value === "string" && (matches?.test(value) ?? true) && value.length <= (most ?? 5_000);
    case "amount":
      return typeof value === "string" && /^\d+\.\d\d$/.test(value);
    case "quantity":
      return typeof value === "string" && /^\d+(\.\d{1,6})?$/.test(value) && Number(value) > 0;
  }
}
