import { categories } from "../../../business/categories/resource.ts";
import type { Category } from "../../../business/categories/schema.ts";
import { customers } from "../../../business/customers/resource.ts";
import type { Customer } from "../../../business/customers/schema.ts";
import { warehouses } from "../../../business/inventory/resource.ts";
import type { Warehouse } from "../../../business/inventory/schema.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Loaded, RecordBody, Resource, Stored } from "../../../engine/resources/resource.ts";
import type { Units } from "../../../engine/resources/revisions.ts";
import type { Finding } from "../../../fiscal/findings/finding.ts";
import type { Edit, Merged } from "./merge-fields.ts";
import { type Fields, fieldIn } from "./read-record.ts";

/** A kind of record that several registers and the API edit, merged field by field. */
export interface Kind<B extends RecordBody, P extends object> {
  resource: Resource<B, P>;
  created?: EventType;
  updated?: EventType;
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

const fieldUnit = (field: string) => (field === "deleted_at" ? "deleted" : field);

/** The fields of an upload that stand for themselves, and whether it says that the record is deleted. */
function plainUnits(data: Fields, names: readonly string[]): Units {
  const units: Units = {};
  for (const name of names) if (data[name] !== undefined) units[name] = data[name];
  if (data.deleted_at !== undefined) units.deleted = data.deleted_at !== null;
  return units;
}

/** When a record was deleted: kept from the first time, and gone when it was taken back. */
export function deletedAt(units: Units, before: { body: RecordBody } | undefined, at: string): string | null {
  return units.deleted ? (before?.body.deleted_at ?? at) : null;
}

const customerFields = [
  "name",
  "last_name",
  "email",
  "phone",
  "person_type",
  "document_type",
  "document_number",
  "contact_channel",
] as const;

export const customerKind: Kind<Customer, object> = {
  resource: customers,
  created: "customer.created",
  updated: "customer.updated",
  needs: ["name"],
  read: (data) => plainUnits(data, customerFields),
  unitOf: fieldUnit,
  make: (units, id, at, before) => ({
    body: {
      object: "customer",
      id,
      name: fieldIn(units, "name", ""),
      last_name: fieldIn(units, "last_name", null),
      email: fieldIn(units, "email", null),
      phone: fieldIn(units, "phone", null),
      person_type: fieldIn<Customer["person_type"]>(units, "person_type", "person"),
      document_type: fieldIn<Customer["document_type"]>(units, "document_type", "CC"),
      document_number: fieldIn(units, "document_number", null),
      contact_channel: fieldIn<Customer["contact_channel"]>(units, "contact_channel", "none"),
      deleted_at: deletedAt(units, before, at),
      created_at: before?.body.created_at ?? at,
      updated_at: at,
    },
  }),
};

export const categoryKind: Kind<Category, object> = {
  resource: categories,
  needs: ["name"],
  read: (data) => plainUnits(data, ["name", "description", "image_url", "sort_order"]),
  unitOf: fieldUnit,
  make: (units, id, at, before) => ({
    body: {
      object: "category",
      id,
      name: fieldIn(units, "name", ""),
      description: fieldIn(units, "description", null),
      image_url: fieldIn(units, "image_url", null),
      sort_order: fieldIn(units, "sort_order", 0),
      deleted_at: deletedAt(units, before, at),
      created_at: before?.body.created_at ?? at,
      updated_at: at,
    },
  }),
};

export const warehouseKind: Kind<Warehouse, object> = {
  resource: warehouses,
  needs: ["name"],
  read: (data) => plainUnits(data, ["name", "address", "city", "is_default", "active"]),
  unitOf: fieldUnit,
  make: (units, id, at, before) => ({
    body: {
      object: "warehouse",
      id,
      name: fieldIn(units, "name", ""),
      address: fieldIn(units, "address", null),
      city: fieldIn(units, "city", null),
      is_default: fieldIn(units, "is_default", false),
      active: fieldIn(units, "active", true),
      created_at: before?.body.created_at ?? at,
      updated_at: at,
    },
  }),
};
