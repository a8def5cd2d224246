import { intArray, jsonArray, plainArray, textArray } from "../../db/arrays.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { must } from "../../lib/must.ts";
import { type AccountForms, forAccounts, ofAccountRows } from "../account-rows.ts";
import { type ColumnType, type RecordBody, type Resource, renderBody, type Stored } from "./resource.ts";
import type { Tracking } from "./revisions.ts";

/** A record as it will be stored. */
export interface PutRow {
  accountId: string;
  /** Of the columns, in the order of `putColumns`. Null or undefined where it has none. */
  values: unknown[];
  body: string;
  /** Whether it is not in the database yet. */
  isNew: boolean;
}

export function putRow<B extends RecordBody, P extends object>(
  resource: Resource<B, P>,
  accountId: string,
  { seq, isNew }: { seq: number; isNew: boolean },
  record: Stored<B, P>,
  tracking?: Tracking,
): PutRow {
  const { body: published, deletedAt } = record;
  const body = renderBody(published);
  const { id, created_at, updated_at, deleted_at = deletedAt, version } = published;
  // In the order of `putColumns`.
  const values: unknown[] = [seq, id, created_at, updated_at, deleted_at, Buffer.byteLength(body), version];
  for (const name in resource.derived)
    values.push(must(resource.derived[name], "The names are those of the derived columns").from(published, accountId));
  for (const name in resource.private) values.push((record as Record<string, unknown>)[name]);
  if (resource.units) values.push(tracking?.revisions, tracking?.feedSeq);
  return { accountId, values, body, isNew };
}

/** A write that does not set a private column leaves it as it is, as in the database. */
export function keepPrivate(resource: Resource, row: PutRow, earlier: PutRow): void {
  const { columns } = putPlan(resource);
  for (const [i, [name]] of columns.entries()) if (name in resource.private) row.values[i] ??= earlier.values[i];
}

export function putColumns(resource: Resource): string[] {
  return putPlan(resource).columns.map(([name]) => name);
}

/** Stores records of one kind in one statement. Bodies are stored byte for byte as they were rendered. */
export function putRecords(resource: Resource, rows: readonly PutRow[]): Statement {
  const { columns, whenNew, orUpdate } = putPlan(resource);
  const { one, many } = rows.every(({ isNew }) => isNew) ? whenNew : orUpdate;
  // Most writes store one record; this form has no arrays to take apart.
  if (rows.length === 1) {
    const { accountId, values, body } = rows[0]!;
    return prepared(one, [accountId, ...columns.map(([, type], i) => parameter(type, values[i])), body]);
  }
  const values = columns.flatMap(([, type], i) =>
    arrayParameters(
      type,
      rows.map((row) => row.values[i] ?? null),
    ),
  );
  values.push(
    jsonArray(
      rows.map(({ body }) => body),
      rows.map((row) => row.values[bodyBytesPlace] as number),
    ),
  );
  return ofAccountRows(
    many,
    rows.map(({ accountId }) => accountId),
    values,
  );
}

type Column = [name: string, type: ColumnType];

const common = {
  seq: "bigint",
  id: "uuid",
  created_at: "timestamptz",
  updated_at: "timestamptz",
  deleted_at: "timestamptz",
  body_bytes: "int",
  version: "int",
} as const;

const bodyBytesPlace = Object.keys(common).indexOf("body_bytes");

const trackingColumns = { revisions: "json", feed_seq: "bigint" } as const;

interface PutPlan {
  columns: Column[];
  /** When every record is new, PostgreSQL need not look at the key before it inserts. */
  whenNew: PutForms;
  orUpdate: PutForms;
}

interface PutForms {
  one: string;
  many: AccountForms;
}

const putPlans = new WeakMap<object, PutPlan>();

function putPlan(resource: Resource): PutPlan {
  const known = putPlans.get(resource);
  if (known) return known;
  const hidden = Object.entries(resource.private as Record<string, ColumnType>);
  const columns: Column[] = [
    ...Object.entries(common),
    ...Object.entries(resource.derived).map(([name, { type }]): Column => [name, type]),
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
  const formsWith = (ending: string): PutForms => ({
    one: `${into} values ($1, ${names.map((_, i) => `$${i + 2}`).join(", ")})${ending}`,
    many: selectMany(into, columns, ending),
  });
  const plan: PutPlan = { columns, whenNew: formsWith(""), orUpdate: formsWith(orUpdate) };
  putPlans.set(resource, plan);
  return plan;
}

/** Inserts the rows of `arrayParameters`. */
function selectMany(into: string, columns: readonly Column[], ending: string): AccountForms {
  let last = 1;
  const next = (type: string) => `$${++last}::${type}[]`;
  const arrays: [name: string, array: string][] = [];
  const values = columns.map(([name, type]) => {
    if (type === "int[]") {
      arrays.push([`${name}_from`, next("int")], [`${name}_to`, next("int")]);
      return `(select ${next("int")})[r.${name}_from:r.${name}_to]`;
    }
    arrays.push([name, next(type === "text[]" ? "text" : type)]);
    return type === "text[]" ? `r.${name}::text[]` : `r.${name}`;
  });
  arrays.push(["body", next("json")]);
  return forAccounts(`${into} select c.account_id, ${values.join(", ")}, r.body`, {
    names: arrays.map(([name]) => name).join(", "),
    arrays: arrays.map(([, array]) => array),
    last,
    ending,
  });
}

/** A column of several records. PostgreSQL has no arrays of arrays: numbers go as one array with the bounds of each record's. */
function arrayParameters(type: ColumnType, values: readonly unknown[]): unknown[] {
  switch (type) {
    case "int[]": {
      const lists = values as (readonly number[] | null)[];
      let end = 0;
      const ends = lists.map((list) => (end += list?.length ?? 0));
      const starts = lists.map((list, i) => list && ends[i]! - list.length + 1);
      return [plainArray(starts), plainArray(ends), intArray(lists.map((list) => list ?? []))];
    }
    case "text":
      return [textArray(values as (string | null)[])];
    case "text[]":
      return [textArray((values as (string[] | null)[]).map((list) => list && quotedArray(list)))];
    case "json":
      return [jsonArray(values.map((value) => (value === null ? null : JSON.stringify(value))))];
    case "bit(128)":
    case "uuid":
    case "boolean":
    case "int":
    case "bigint":
    case "numeric":
    case "timestamptz":
      return [
        plainArray(values.map((value) => (value instanceof Date ? value.toISOString() : (value as string | null)))),
      ];
  }
}

function quotedArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function parameter(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === "int[]") return intArray([value as number[]]);
  return type === "json" ? JSON.stringify(value) : value;
}
