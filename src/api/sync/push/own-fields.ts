import {
  changedOwnFields,
  type KeptOwnFields,
  maxExternalIdLength,
  maxMetadataKeyLength,
  maxMetadataKeys,
  maxMetadataValueLength,
  type OwnFields,
  ownFieldNames,
  type SentOwnFields,
} from "../../../engine/resources/own-fields.ts";
import type { Units } from "../../../engine/resources/revisions.ts";
import { type Fields, type Finding, finding, isRecord } from "../../../fiscal/findings/finding.ts";
import { isOneLine, isVisible, lineText } from "../../../lib/one-line.ts";

/** The record sets of the kinds that have them, which are named like their tables. */
export const recordSetNames = { customer: "customers", product: "products", sale: "sales", quote: "quotes" } as const;

export function isOwnField(name: string): boolean {
  return (ownFieldNames as readonly string[]).includes(name);
}

/** The own fields of an upload within the limits of the API: what does not fit is left out and told, and nothing is cut. */
export function readOwnFields(type: string, data: Fields): { data: Fields; findings: Finding[] } {
  if (!(type in recordSetNames) || ownFieldNames.every((name) => data[name] === undefined))
    return { data, findings: [] };
  const { external_id: id, metadata, ...rest } = data;
  const findings: Finding[] = [];
  const externalId = textWithin(id, maxExternalIdLength);
  if (id !== undefined && externalId === undefined)
    findings.push(finding("external_id", maxExternalIdLength, id, "No es un texto de ese largo: no se guardó."));
  const own = readMetadata(metadata);
  if (own.left > 0)
    findings.push(finding("metadata", 0, own.left, "Hay claves o textos fuera de los límites: no se guardaron."));
  const read = { ...rest, external_id: externalId, metadata: own.read } satisfies SentOwnFields;
  return { data: read, findings };
}

function readMetadata(sent: unknown): { read?: Record<string, string | null> | null; left: number } {
  if (sent === undefined || sent === null) return { left: 0, ...(sent === null && { read: null }) };
  if (!isRecord(sent)) return { left: 1 };
  const entries = Object.entries(sent).flatMap(([name, value]): [string, string | null][] => {
    const key = textWithin(name, maxMetadataKeyLength);
    const text = textWithin(value, maxMetadataValueLength);
    return key && text !== undefined ? [[key, text]] : [];
  });
  const fitting = entries.slice(0, maxMetadataKeys);
  return { read: Object.fromEntries(fitting), left: Object.keys(sent).length - fitting.length };
}

/** Null for none, undefined for what is no such text. */
function textWithin(value: unknown, most: number): string | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value !== "string") return undefined;
  const text = lineText(value);
  if (text === "") return null;
  return Array.from(text).length <= most && isOneLine(text) && isVisible(text) ? text : undefined;
}

/** After an upload that `readOwnFields` has read. Of more keys than there may be, the earlier ones stay. */
export function uploadedOwnFields(data: Fields, current: OwnFields = {}): KeptOwnFields {
  const { external_id, metadata } = changedOwnFields(current, data as SentOwnFields);
  return { external_id, metadata: metadata && Object.fromEntries(Object.entries(metadata).slice(0, maxMetadataKeys)) };
}

/** As units of merging, where none is null. */
export function ownUnits(data: Fields, current: OwnFields | undefined): Units {
  const after = uploadedOwnFields(data, current);
  return Object.fromEntries(
    ownFieldNames.flatMap((name) => (data[name] === undefined ? [] : [[name, after[name] ?? null]])),
  );
}

/** As fields of a body, which has none where the unit is null. */
export function ownFieldsOf(units: Units): KeptOwnFields {
  return {
    external_id: (units.external_id as string | null | undefined) ?? undefined,
    metadata: (units.metadata as OwnFields["metadata"] | null) ?? undefined,
  };
}
