import type { OwnFields } from "../../../engine/resources/own-fields.ts";
import type { Loaded, MergedResource, RecordBody, Resource, Stored } from "../../../engine/resources/resource.ts";
import type { Units } from "../../../engine/resources/revisions.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { Edit, Merged } from "./merge-fields.ts";
import { isOwnField, ownFieldsOf, ownUnits } from "./own-fields.ts";
import { type Fields, fieldIn } from "./read-record.ts";

/** How uploads of one kind of record are read, merged and stored. */
export interface Kind<B extends RecordBody, P extends object> {
  resource: Resource<B, P>;
  /** Units that an upload must have to create a record. */
  needs: readonly string[];
  /** The units that an upload contains. Fields of a unit that it omits come from the current record. */
  read(data: Fields, current: B | undefined): Units;
  /** The unit of a published field. */
  unitOf(field: string): string;
  /** Builds the record from its units, new or based on the previous one. */
  make(units: Units, id: string, at: string, before: Loaded<B, P> | undefined): Stored<B, P>;
  /** Problems in an upload besides unknown values. */
  check?(data: Fields): Finding[];
  /** Merges lists part by part. */
  mergeLists?(merged: Merged, data: Fields, changed: readonly string[] | null, edit: Edit): void;
}

/** The time of the first deletion, or null if the record is not deleted. */
export function deletedAt(units: Units, before: { body: RecordBody } | undefined, at: string): string | null {
  return units.deleted ? (before?.body.deleted_at ?? at) : null;
}

const kinds = new WeakMap<object, Kind<RecordBody, object>>();

/** The kind of a resource where each field is its own unit, built from its declaration. */
export function plainKind(resource: MergedResource): Kind<RecordBody, object> {
  const known = kinds.get(resource);
  if (known) return known;
  const { needs, defaults } = resource.merged;
  const names = Object.keys(defaults).filter((name) => !isOwnField(name));
  // A field without a default is left out where it is null.
  const none = Object.fromEntries(names.map((name) => [name, defaults[name] === undefined ? undefined : null]));
  const hasOwn = names.length < Object.keys(defaults).length;
  const published = Object.keys(resource.schema.properties);
  const kind: Kind<RecordBody, object> = {
    resource,
    needs,
    read(data, current) {
      const units: Units = hasOwn ? ownUnits(data, current as OwnFields | undefined) : {};
      for (const name of names) if (data[name] !== undefined) units[name] = data[name];
      if (resource.isDeletable && data.deleted_at !== undefined) units.deleted = data.deleted_at !== null;
      return units;
    },
    unitOf: (field) => (field === "deleted_at" ? "deleted" : field),
    make(units, id, at, before) {
      const valueIn = (name: string) =>
        name === "deleted_at" ? deletedAt(units, before, at) : (fieldIn(units, name, defaults[name]) ?? none[name]);
      const created_at = before?.body.created_at ?? at;
      // In the order of the schema, whose fields these four are among.
      const body = Object.fromEntries(published.map((name) => [name, valueIn(name)]));
      if (hasOwn) Object.assign(body, ownFieldsOf(units));
      return { body: { ...body, object: resource.name, id, created_at, updated_at: at } };
    },
  };
  kinds.set(resource, kind);
  return kind;
}

export function isPercent(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 100;
}

/** A finding if the field is not a percentage. */
export function checkPercent(fields: Fields, field: string, path = field): Finding[] {
  const value = fields[field];
  if (value === undefined || isPercent(value)) return [];
  return [finding(path, "0-100", value, "No es un porcentaje entre 0 y 100.")];
}
