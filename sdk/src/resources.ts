import type { Instant } from "./contract.ts";
import { type ExportOptions, exportAll } from "./export.ts";
import { type List, list, type PageOptions, queryOf, readJson } from "./list.ts";
import type { Send } from "./send.ts";
import { type Changes, sync } from "./sync.ts";
import { webCrypto } from "./webhooks.ts";

interface GetOptions {
  /** Also return the record if it was deleted, where the resource allows deletion. */
  includeDeleted?: boolean | undefined;
}

export interface CreateOptions {
  /**
   * One value per operation: repeating it has no further effect. By default one is generated for each call; pass your own,
   * such as an order number, to be safe across restarts of your program too.
   */
  idempotencyKey?: string | undefined;
}

export interface UpdateOptions {
  /** The ETag of the version you know. If the record has changed since, the update fails with CONFLICT. */
  ifMatch?: string | undefined;
}

export interface Readable<T, Filters> {
  get(id: string, options?: GetOptions): Promise<T>;
  /** Newest first. */
  list(filters?: Filters & PageOptions): List<T>;
  /** Every change since an instant; none is missed. */
  sync(options?: Omit<Filters, "updatedSince"> & { updatedSince?: Instant | undefined } & PageOptions): Changes<T>;
  /** Everything in one stream, which resumes by itself when the connection breaks. */
  export(filters?: Filters & ExportOptions): AsyncIterable<T>;
}

/** What has no record of its own to read, sync or export. */
export interface Listable<T, Filters> {
  list(filters?: Filters & PageOptions): List<T>;
}

export interface Creatable<T, New> {
  create(fields: New, options?: CreateOptions): Promise<T>;
}

export interface Batchable<Results, New> {
  /** Creates up to 100 in one request; each has its own result, in the same order. */
  createBatch(items: readonly New[], options?: CreateOptions): Promise<Results>;
}

export interface Updatable<T, ChangesOf> {
  update(id: string, changes: ChangesOf, options?: UpdateOptions): Promise<T>;
}

export interface Cancellable<T, Cancel> {
  cancel(id: string, fields?: Cancel, options?: CreateOptions): Promise<T>;
}

export interface Previewable<Preview, New> {
  /** Computes what creating it would, and stores nothing. */
  preview(fields: New): Promise<Preview>;
}

export interface Receivable<T, Receipt> {
  /** Goods came, go back, or had been written down wrongly. */
  receive(id: string, fields?: Receipt, options?: CreateOptions): Promise<T>;
}

export interface Place {
  path: string;
  /** Its name under /exports. */
  name: string;
  /** A sync must include deleted records, so that copies can delete them too. */
  deletable?: boolean;
}

export function readable<T extends { id: string; updated_at: string }, Filters>(
  send: Send,
  { path, name, deletable = false }: Place,
): Readable<T, Filters> {
  return {
    get: (id, options = {}) => readJson(send, { method: "GET", path: pathOf(path, id), query: queryOf(options) }),
    list: (filters) => list(send, path, filters ?? {}),
    sync: (options) => sync(send, path, { ...(deletable && { includeDeleted: true }), ...options }),
    export: (filters) => exportAll(send, name, filters ?? {}),
  };
}

export function listable<T, Filters>(send: Send, { path }: Place): Listable<T, Filters> {
  return { list: (filters) => list(send, path, filters ?? {}) };
}

export function creatable<T, New>(send: Send, { path }: Place): Creatable<T, New> {
  return { create: (body, options) => postOnce(send, path, body, options) };
}

export function batchable<Results, New>(send: Send, { path }: Place): Batchable<Results, New> {
  return { createBatch: (items, options) => postOnce(send, `${path}/batch`, { items }, options) };
}

export async function postOnce<T>(
  send: Send,
  path: string,
  body: unknown,
  { idempotencyKey }: CreateOptions = {},
): Promise<T> {
  // Made once, before the first attempt: every repetition is the same operation.
  const key = idempotencyKey ?? (await webCrypto()).randomUUID();
  return readJson(send, { method: "POST", path, body, headers: { "idempotency-key": key } });
}

export function updatable<T, ChangesOf>(send: Send, { path }: Place): Updatable<T, ChangesOf> {
  return {
    update: (id, body, { ifMatch } = {}) =>
      readJson(send, {
        method: "PATCH",
        path: pathOf(path, id),
        body,
        headers: ifMatch ? { "if-match": ifMatch } : {},
      }),
  };
}

export function pathOf(path: string, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

export function cancellable<T, Cancel>(send: Send, { path }: Place): Cancellable<T, Cancel> {
  return { cancel: (id, fields, options) => postOnce(send, `${pathOf(path, id)}/cancel`, fields ?? {}, options) };
}

export function previewable<Preview, New>(send: Send, { path }: Place): Previewable<Preview, New> {
  return { preview: (body) => readJson(send, { method: "POST", path: `${path}/preview`, body }) };
}

export function receivable<T, Receipt>(send: Send, { path }: Place): Receivable<T, Receipt> {
  return { receive: (id, fields, options) => postOnce(send, `${pathOf(path, id)}/receipts`, fields ?? {}, options) };
}
