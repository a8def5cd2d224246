import type { TObject, TSchema } from "typebox";
import { jsonArray } from "../../db/json-array.ts";
import { plainArray } from "../../db/plain-array.ts";
import { ofAccounts, prepared, type Statement } from "../../db/sql.ts";
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
}

type ColumnType =
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
  from: (body: Body, accountId: string) => unknown;
}

/**
 * One kind of record, declared once: how it is published, stored and synchronized with registers. Its routes, export, feed,
 * reference and checks are built from this (see business/registry.ts).
 */
export interface Resource<Body extends RecordBody = RecordBody, Private extends object = object>
  extends Omit<ListSpec, "order"> {
  /** The `object` of its bodies, and its type in synchronization. */
  name: Body["object"];
  path: string;
  /** A key needs `<scope>:read` to read it and `<scope>:write` to change it. */
  scope: ScopeArea;
  /** Its section in the reference. */
  tag: { name: string; text: string };
  /** Its name in Spanish texts: "un cliente", "clientes". */
  spanish: { one: string; many: string };
  schema: TSchema;
  query: TObject;
  isDeletable?: boolean;
  derived: Record<string, DerivedColumn<Body>>;
  private: { [Name in keyof Private]: ColumnType };
  /** Emitted when a register or the API creates or edits one. */
  events?: { created: EventType; updated: EventType };
  /** For records merged field by field: the fields, with their values in a new record. */
  merged?: MergedFields;
  /** For records that registers receive and may edit: their values by unit of merging. Derived from `merged` if that is given. */
  units?: (record: Stored<Body, Private>) => Units;
  /**
   * For records that registers receive but never edit: which ones they receive, as a function and as SQL. With a capability
   * only registers that report it do, and the condition may name the register as $4.
   */
  feed?: { includes: (record: Stored<Body, Private>) => boolean; condition: string; capability?: string };
  /** For records whose sums are kept beside them: the statements that move the sums, after the records are stored. */
  totals?: (accountId: string, changes: readonly Change<Stored<Body, Private>>[]) => Statement[];
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
  defaults: Record<string, unknown>;
}

/** A record in a write: its body and its private columns. */
export type Stored<Body extends RecordBody, Private extends object = object> = {
  body: Body;
  /** Only for kinds whose body has no deleted_at. */
  deletedAt?: Date | null;
} & Private;

/** A record read from the database, with the seq of its last change. */
export type Loaded<Body extends RecordBody, Private extends object = object> = Stored<Body, Private> & {
  seq: number;
  /** Only for kinds with units. */
  tracking?: Tracking;
};

export function defineResource<Body extends RecordBody, Private extends object = object>(
  resource: Resource<Body, Private>,
): Resource<Body, Private> {
  const { merged, isDeletable } = resource;
  if (!merged) return resource;
  const units = ({ body }: Stored<Body, Private>): Units => ({
    ...Object.fromEntries(Object.keys(merged.defaults).map((name) => [name, (body as Record<string, unknown>)[name]])),
    ...(isDeletable && { deleted: body.deleted_at !== null }),
  });
  return { units, ...resource };
}

const common = {
  seq: "bigint",
  id: "uuid",
  created_at: "timestamptz",
  updated_at: "timestamptz",
  deleted_at: "timestamptz",
  body_bytes: "int",
} as const;

const trackingColumns = { revisions: "json", feed_seq: "bigint" } as const;

interface PutPlan {
  columns: [name: string, type: string][];
  one: string;
  many: string;
  /** Follows either, unless every record is new: without it PostgreSQL looks at the key once and not twice. */
  orUpdate: string;
}

const putPlans = new WeakMap<object, PutPlan>();

function putPlan<B extends RecordBody, P extends object>(resource: Resource<B, P>): PutPlan {
  const known = putPlans.get(resource);
  if (known) return known;
  const hidden = Object.entries<string>(resource.private as Record<string, string>);
  const columns: [string, string][] = [
    ...Object.entries(common),
    ...Object.entries(resource.derived).map(([name, { type }]): [string, string] => [name, type]),
    ...hidden,
    ...(resource.units ? Object.entries(trackingColumns) : []),
  ];
  const names = [...columns.map(([name]) => name), "body"];
  const isHidden = new Set(hidden.map(([name]) => name));
  const changing = names.filter((name) => name !== "id" && name !== "created_at");
  // A write that does not set a private column leaves it as it is: an emitted event must stay on record.
  const value = (name: string) =>
    isHidden.has(name) ? `coalesce(excluded.${name}, ${resource.table}.${name})` : `excluded.${name}`;
  const into = `insert into ${resource.table} (account_id, ${names.join(", ")})`;
  const orUpdate = ` on conflict (account_id, id) do update set ${changing.map((name) => `${name} = ${value(name)}`).join(", ")}`;
  const plan: PutPlan = {
    columns,
    one: `${into} values ($1, ${names.map((_, i) => `$${i + 2}`).join(", ")})`,
    many: `${into}
      select c.account_id, ${names.map((name) => `r.${name}`).join(", ")}
      from account_clock c join rows from (
        json_to_recordset($2::json) as (account_id uuid, ${columns.map(([name, type]) => `${name} ${type}`).join(", ")}),
        unnest($3::json[])
      ) as r(account_id, ${names.join(", ")})
      on r.account_id = c.account_id
      where ${ofAccounts("c")}`,
    orUpdate,
  };
  putPlans.set(resource, plan);
  return plan;
}

/** A record as it will be stored: its columns, and the text of its body. */
export interface PutRow {
  columns: Record<string, unknown>;
  body: string;
  /** Whether it is not in the database yet. */
  isNew: boolean;
}

/** Stores records of one kind in one statement. Bodies are stored byte for byte as they were rendered. */
export function putRecords(resource: Resource, rows: readonly PutRow[]): Statement {
  const { columns, one, many, orUpdate } = putPlan(resource);
  const ending = rows.every(({ isNew }) => isNew) ? "" : orUpdate;
  if (rows.length > 1) {
    const accounts = new Set(rows.map((row) => row.columns.account_id as string));
    const values = [
      plainArray([...accounts]),
      JSON.stringify(rows.map((row) => row.columns)),
      jsonArray(rows.map(({ body }) => body)),
    ];
    return prepared(many + ending, values);
  }
  // Most writes store one record; this form leaves no JSON to parse but the record's own.
  const row = rows[0]!;
  const values = columns.map(([name, type]) => {
    const value = row.columns[name] ?? null;
    return type === "json" && value !== null ? JSON.stringify(value) : value;
  });
  return prepared(one + ending, [row.columns.account_id, ...values, row.body]);
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

/** The columns of a record that are not null. */
export function putRow<B extends RecordBody, P extends object>(
  resource: Resource<B, P>,
  accountId: string,
  { seq, isNew }: { seq: number; isNew: boolean },
  record: Stored<B, P>,
  tracking?: Tracking,
): PutRow {
  const { body: published, deletedAt } = record;
  const body = renderBody(published);
  const { id, created_at, updated_at, deleted_at = deletedAt } = published;
  const columns: Record<string, unknown> = {
    account_id: accountId,
    seq,
    id,
    created_at,
    updated_at,
    body_bytes: Buffer.byteLength(body),
  };
  const set = (name: string, value: unknown) => {
    if (value !== null && value !== undefined) columns[name] = value;
  };
  set("deleted_at", deleted_at);
  for (const name in resource.derived) {
    const { type, from } = resource.derived[name]!;
    const value = from(published, accountId);
    // As PostgreSQL writes it: element by element, JSON would take a tenth more of the whole insert.
    set(name, type === "int[]" ? plainArray(value as number[]) : value);
  }
  for (const name in resource.private) set(name, (record as Record<string, unknown>)[name]);
  set("revisions", tracking?.revisions);
  set("feed_seq", tracking?.feedSeq);
  return { columns, body, isNew };
}
