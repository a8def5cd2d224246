import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { Fields } from "./read-record.ts";

export function isPercent(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}

/** A finding if the field is not a percentage. */
export function checkPercent(fields: Fields, field: string, path = field): Finding[] {
  const value = fields[field];
  if (value === undefined || isPercent(value)) return [];
  return [finding(path, "0-100", value, "No es un porcentaje entre 0 y 100.")];
}
