import type { Loaded, RecordBody, Resource, Stored } from "../../../engine/resources/resource.ts";
import type { Units } from "../../../engine/resources/revisions.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import type { Edit, Merged } from "./merge-fields.ts";
import { type Fields, fieldIn } from "./read-record.ts";

/** A kind of record that several registers and the API edit, merged field by field. */
export interface Kind<B extends RecordBody, P extends object> {
  resource: Resource<B, P>;
  /** Without these an upload cannot become a new record. */
  needs: readonly string[];
  /** The units an upload speaks of. What a unit holds beyond the upload's fields comes from the record as it is. */
  read(data: Fields, current: B | undefined): Units;
  /** The unit of a published field. */
  unitOf(field: string): string;
  /** A record from its units: new, or on the ground of the one before. */
  make(units: Units, id: string, at: string, before: Loaded<B, P> | undefined): Stored<B, P>;
  /** What is odd in an upload beyond values that are not published. */
  check?(data: Fields): Finding[];
  /** Lists whose parts are merged one by one. */
  mergeLists?(merged: Merged, data: Fields, changed: readonly string[] | null, edit: Edit): void;
}

/** When a record was deleted: kept from the first time, and gone when it was taken back. */
export function deletedAt(units: Units, before: { body: RecordBody } | undefined, at: string): string | null {
  return units.deleted ? (before?.body.deleted_at ?? at) : null;
}

const kinds = new WeakMap<object, Kind<RecordBody, object>>();

/** A resource whose fields stand for themselves: how its uploads are read and merged follows from its declaration. */
export function plainKind(resource: Resource): Kind<RecordBody, object> {
  const known = kinds.get(resource);
  if (known) return known;
  const { needs, defaults } = resource.merged!;
  const published = Object.keys((resource.schema as unknown as { properties: object }).properties);
  const kind: Kind<RecordBody, object> = {
    resource,
    needs,
    read(data) {
      const units: Units = {};
      for (const name of Object.keys(defaults)) if (data[name] !== undefined) units[name] = data[name];
      if (resource.isDeletable && data.deleted_at !== undefined) units.deleted = data.deleted_at !== null;
      return units;
    },
    unitOf: (field) => (field === "deleted_at" ? "deleted" : field),
    make(units, id, at, before) {
      const own: Fields = {
        object: resource.name,
        id,
        deleted_at: deletedAt(units, before, at),
        created_at: before?.body.created_at ?? at,
        updated_at: at,
      };
      const valueIn = (name: string) => (name in own ? own[name] : fieldIn(units, name, defaults[name]));
      return { body: Object.fromEntries(published.map((name) => [name, valueIn(name)])) as unknown as RecordBody };
    },
  };
  kinds.set(resource, kind);
  return kind;
}
