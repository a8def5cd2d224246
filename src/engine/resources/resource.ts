import type { TObject } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import type { EventType } from "../events/event-types.ts";
import type { ListSpec } from "./list-spec.ts";
import type { Tracking, Units } from "./revisions.ts";
import type { ScopeArea } from "./scopes.ts";

/** Fields of every published record. The body is exactly what the API returns. */
export interface RecordBody {
  object: string;
  id: string;
  created_at: string;
  updated_at: string;
  deleted_at?: string | null;
  /** Its number among the versions of the record. Absent from what was stored before versions were counted. */
  version?: number;
  /** Of the kinds that know their sede. */
  location_id?: string | null | undefined;
}

export type ColumnType =
  | "text"
  | "text[]"
  | "int[]"
  | "bit(128)"
  | "uuid"
  | "boolean"
  | "int"
  | "bigint"
  | "numeric"
  | "timestamptz"
  | "json";

/** A filter column. It is derived from the body only here, so `verify` can check that both agree. */
export interface DerivedColumn<Body> {
  type: ColumnType;
  from(body: Body, accountId: string): unknown;
}

/**
 * One kind of record, declared once: how it is published, stored and synchronized with registers. Its routes, export, feed,
 * reference and checks are built from this (see business/registry.ts). Its functions are declared as methods, so that a
 * `Resource<Customer>` can be used as a `Resource` by code that treats all kinds alike.
 */
export interface Resource<Body extends RecordBody = RecordBody, Private extends object = object>
  extends Omit<ListSpec, "order"> {
  /** The `object` of its bodies, and its type in synchronization. */
  name: Body["object"];
  path: string;
  /** A key needs `<scope>:read` to read it and `<scope>:write` to change it. Null: any key reads it, and none changes it. */
  scope: ScopeArea | null;
  /** Its section in the reference. */
  tag: { name: string; text: string };
  /** Its name in Spanish texts: "un cliente", "clientes". */
  spanish: { one: string; many: string };
  schema: TObject;
  query: TObject;
  isDeletable?: boolean;
  derived: Record<string, DerivedColumn<Body>>;
  private: { [Name in keyof Private]: ColumnType };
  /** Emitted when a register or the API creates, edits or deletes one. */
  events?: { created: EventType; updated: EventType; deleted?: EventType };
  /** For records merged field by field: the fields, with their values in a new record. */
  merged?: MergedFields;
  /** Whether a record stays as it is: no upload changes it any more. */
  isFinal?(body: Body): boolean;
  /** For records that registers receive and may edit: their values by unit of merging. Derived from `merged` if that is given. */
  units?(record: Stored<Body, Private>): Units;
  /**
   * For records that registers receive but never edit: which ones they receive, as a function and as SQL. With a capability
   * only registers that report it do, and the condition may name the register as $4.
   */
  feed?: { includes(record: Stored<Body, Private>): boolean; condition: string; capability?: string };
  /** For records whose sums are kept beside them: the statements that move the sums, after the records are stored. */
  totals?(accountId: string, changes: readonly Change<Stored<Body, Private>>[]): Statement[];
  /** What is left to do at the end of a write that has put records of this kind. */
  settle?(write: Settling): Promise<void>;
}

/** A write at its end, for what its records have left to do. */
export interface Settling {
  readonly accountId: string;
  readonly at: Date;
  /** Does not see what this write has put. */
  readonly client: Queryable;
  /** What this write has put into a table, each record as it was put last. */
  putsOf(table: string): Stored<RecordBody>[];
  /** Puts a record of `putsOf` again, in place of what it was. */
  putAgain(table: string, record: Stored<RecordBody>): void;
  addStatement(statement: Statement): void;
}

/** A record as a write stores it, and as it was before; a new one was not. */
export interface Change<Record> {
  before: Record | undefined;
  after: Record;
  /** The place and the instant of the write: after those of every write of the account before it. */
  seq: number;
  at: Date;
}

export interface MergedFields {
  /** Fields that an upload must have to create a record. */
  needs: readonly string[];
  /** Without a value, a record that lacks the field has no such field. */
  defaults: Record<string, unknown>;
}

/** A record in a write: its body and its private columns. */
export type Stored<Body extends RecordBody, Private extends object = object> = {
  body: Body;
  /** Only for kinds whose body has no deleted_at. */
  deletedAt?: Date | null;
} & Private;

/** A record read from the database, with the seq of its last change and the number of its version, 0 if it has none. */
export type Loaded<Body extends RecordBody, Private extends object = object> = Stored<Body, Private> & {
  seq: number;
  version: number;
  /** Only for kinds with units. */
  tracking?: Tracking;
};

/** A kind whose records are merged field by field, as its declaration says. */
export type MergedResource<Body extends RecordBody = RecordBody, Private extends object = object> = Resource<
  Body,
  Private
> & { merged: MergedFields };

export function defineResource<Body extends RecordBody, Private extends object = object>(
  resource: MergedResource<Body, Private>,
): MergedResource<Body, Private>;
export function defineResource<Body extends RecordBody, Private extends object = object>(
  resource: Resource<Body, Private>,
): Resource<Body, Private>;
export function defineResource<Body extends RecordBody, Private extends object = object>(
  resource: Resource<Body, Private>,
): Resource<Body, Private> {
  const { merged, isDeletable } = resource;
  if (!merged) return resource;
  const units = ({ body }: Stored<Body, Private>): Units => ({
    ...Object.fromEntries(
      Object.keys(merged.defaults).map((name) => [name, (body as Record<string, unknown>)[name] ?? null]),
    ),
    ...(isDeletable && { deleted: body.deleted_at !== null }),
  });
  return { units, ...resource };
}

const rendered = new WeakMap<object, string>();

/** The published text of a body. Rendered once, so that the row, its event and its webhook share the same bytes. */
export function renderBody(body: object): string {
  let text = rendered.get(body);
  if (text === undefined) {
    text = JSON.stringify(body);
    rendered.set(body, text);
  }
  return text;
}
