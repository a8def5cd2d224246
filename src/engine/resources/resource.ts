import type { TObject, TSchema } from "typebox";
import type { EventType } from "../events/event-types.ts";
import type { ListSpec } from "./list-spec.ts";
import type { Tracking, Units } from "./revisions.ts";
import type { ScopeArea } from "./scopes.ts";

/** What every published record has. The body is the representation exactly as the API returns it. */
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

/** A filter column: derived from the body here and nowhere else, so `verify` can prove that both agree. */
export interface DerivedColumn<Body> {
  type: ColumnType;
  from: (body: Body, accountId: string) => unknown;
}

/**
 * One kind of record, declared once: how it is published, how it is stored and how registers take part in it. Its routes,
 * export, feed, reference and checks follow from this (see business/registry.ts).
 */
export interface Resource<Body extends RecordBody = RecordBody, Private extends object = object>
  extends Omit<ListSpec, "order"> {
  /** The `object` of its bodies, and its type in synchronization. */
  name: Body["object"];
  path: string;
  /** A key needs `<scope>:read` to read it and `<scope>:write` to change it. */
  scope: ScopeArea;
  /** Its chapter in the reference. */
  tag: { name: string; text: string };
  /** As Spanish texts name it: "un cliente", "clientes". */
  spanish: { one: string; many: string };
  schema: TSchema;
  query: TObject;
  isDeletable?: boolean;
  derived: Record<string, DerivedColumn<Body>>;
  private: { [Name in keyof Private]: ColumnType };
  /** Told when one is created or edited, by whomever. */
  events?: { created: EventType; updated: EventType };
  /** Of a record that registers and the API merge field by field: those fields, with their values in a new record. */
  merged?: MergedFields;
  /** Of a record that registers receive and may edit too: its values, by what is merged as one. `merged` implies it. */
  units?: (record: Stored<Body, Private>) => Units;
  /** Of a record that registers receive and never edit: whether they receive this one, here and as a condition. */
  feed?: { includes: (record: Stored<Body, Private>) => boolean; condition: string };
}

export interface MergedFields {
  /** Without these an upload cannot become a new record. */
  needs: readonly string[];
  defaults: Record<string, unknown>;
}

/** A record as a write holds it: its body, and the private columns beside it. */
export type Stored<Body extends RecordBody, Private extends object = object> = {
  body: Body;
  /** When it was deleted, for a kind that does not publish it; otherwise the body says so. */
  deletedAt?: Date | null;
} & Private;

/** A record as it was read, with the place of its last change. */
export type Loaded<Body extends RecordBody, Private extends object = object> = Stored<Body, Private> & {
  seq: number;
  /** Of a kind with units. */
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
  // A private fact that a write does not mention stays: what was announced is remembered whoever stores the body next.
  const value = (name: string) =>
    isHidden.has(name) ? `coalesce(excluded.${name}, ${resource.table}.${name})` : `excluded.${name}`;
  const into = `insert into ${resource.table} (account_id, seq, ${names.join(", ")})`;
  const orUpdate = `on conflict (account_id, id) do update set seq = excluded.seq, ${changing.map((name) => `${name} = ${value(name)}`).join(", ")}`;
  const plan: PutPlan = {
    columns,
    one: `${into} values ($1, $2, ${names.map((_, i) => `$${i + 3}`).join(", ")}) ${orUpdate}`,
    many: `${into}
      select $1::uuid, $2::bigint, ${names.map((name) => `r.${name}`).join(", ")}
      from rows from (
        json_to_recordset($3::json) as (${columns.map(([name, type]) => `${name} ${type}`).join(", ")}),
        unnest($4::json[])
      ) as r(${names.join(", ")})
      ${orUpdate}`,
  };
  putPlans.set(resource, plan);
  return plan;
}

/**
 * Stores any number of records of one kind in one statement: $1 account, $2 seq, $3 their columns as JSON, $4 their
 * bodies in the same order. A body is taken over byte by byte: what is rendered once is what is read for ever.
 */
export function putText<B extends RecordBody, P extends object>(resource: Resource<B, P>): string {
  return putPlan(resource).many;
}

/** Stores one record, as most writes do: $1 account, $2 seq, then its columns and its body, with no JSON to take apart. */
export function putOneText<B extends RecordBody, P extends object>(resource: Resource<B, P>): string {
  return putPlan(resource).one;
}

/** The columns of putRow in the order of putOneText. */
export function putOneValues<B extends RecordBody, P extends object>(
  resource: Resource<B, P>,
  row: Record<string, unknown>,
): unknown[] {
  return putPlan(resource).columns.map(([name, type]) => {
    const value = row[name] ?? null;
    return type === "json" && value !== null ? JSON.stringify(value) : value;
  });
}

const rendered = new WeakMap<object, string>();

/** The published text of a body. Rendered once: the row, its event and its webhook share the same bytes. */
export function renderBody(body: object): string {
  let text = rendered.get(body);
  if (text === undefined) {
    text = JSON.stringify(body);
    rendered.set(body, text);
  }
  return text;
}

/** A record's columns, all but the body; a list of these as JSON is putText's $3. */
export function putRow<B extends RecordBody, P extends object>(
  resource: Resource<B, P>,
  accountId: string,
  record: Stored<B, P>,
  tracking?: Tracking,
): Record<string, unknown> {
  const { body, deletedAt, ...others } = record as Stored<B> & Record<string, unknown>;
  const columns: Record<string, unknown> = {
    id: body.id,
    created_at: body.created_at,
    updated_at: body.updated_at,
    deleted_at: body.deleted_at === undefined ? (deletedAt ?? null) : body.deleted_at,
    body_bytes: Buffer.byteLength(renderBody(body)),
  };
  for (const [name, { from }] of Object.entries(resource.derived)) columns[name] = from(body, accountId);
  for (const name of Object.keys(resource.private)) columns[name] = others[name] ?? null;
  if (tracking) {
    columns.revisions = tracking.revisions;
    columns.feed_seq = tracking.feedSeq;
  }
  return columns;
}
