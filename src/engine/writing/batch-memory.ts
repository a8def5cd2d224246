import type { QueryResult } from "pg";
import { sendPacket } from "../../db/packet.ts";
import type { Client, Queryable } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import type { Room } from "../deliveries/delivery-signal.ts";
import type { NewEvent } from "../events/record-event.ts";
import { keepPrivate, putRow } from "../resources/put-records.ts";
import { type LoadedRow, loadedRows, loadMany } from "../resources/read-one.ts";
import type { Change, Loaded, RecordBody, Resource, Stored } from "../resources/resource.ts";
import type { Tracking } from "../resources/revisions.ts";
import { type Changes, noChanges, storeChanges } from "./changes.ts";
import type { NewResponse } from "./stored-responses.ts";

/** The room that the worker of this process has for an account's deliveries. */
interface Subscribers {
  rooms(): Room[];
}

/**
 * What the writes of one batch have read and changed so far. A later write reads from here what an earlier one changed;
 * nothing of it needs to be in the database until COMMIT, where each table takes one statement.
 */
export class BatchMemory {
  readonly accountId: string;
  /** Queries inside the transaction. They see what the earlier writes of the batch changed. */
  readonly client: Queryable;
  /** Whether a statement failed, after which the transaction can only be rolled back. */
  isBroken = false;
  /** Whether a write has sent statements of its own that change something. */
  hasDirectChanges = false;
  readonly #connection: Client;
  /** The events for which deliveries were queued. */
  readonly fannedOut: NewEvent[] = [];
  /** Given if the account's events have receivers. */
  subscribers: Subscribers | undefined;
  readonly #known = new Map<Resource, Map<string, Loaded<RecordBody>>>();
  readonly #results: QueryResult[] = [];
  #asked: Asked[] = [];
  #isClosed = false;
  #ready: Statement[] = [];
  #changes: Changes;
  #now = new Date(0);

  constructor(connection: Client, accountId: string) {
    this.#connection = connection;
    this.accountId = accountId;
    this.#changes = noChanges(accountId);
    this.client = { query: this.#query.bind(this) } as Queryable;
  }

  async loadMany<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<B, P>>> {
    const kind: Resource = resource;
    // A request may write a uuid in upper case; stored ids are in lower case.
    const wanted = new Set(ids.map((id) => id.toLowerCase()));
    const found = new Map<string, Loaded<RecordBody>>();
    for (const id of wanted) {
      const record = this.#known.get(kind)?.get(id);
      if (record) found.set(id, record);
    }
    const unknown = [...wanted].filter((id) => !found.has(id));
    if (unknown.length > 0) {
      for (const [id, record] of await loadMany(this.client, kind, this.accountId, unknown)) {
        found.set(id, record);
        entryOf(this.#known, kind).set(id, record);
      }
    }
    return found as Map<string, Loaded<B, P>>;
  }

  /** Takes in records that were read with the opening of the batch. */
  remember(resource: Resource, rows: readonly LoadedRow[]): void {
    for (const [id, record] of loadedRows(resource, rows)) entryOf(this.#known, resource).set(id, record);
  }

  known(resource: Resource, id: string): Loaded<RecordBody> | undefined {
    return this.#known.get(resource)?.get(id);
  }

  put(
    resource: Resource,
    { seq, isNew }: { seq: number; isNew: boolean },
    record: Stored<RecordBody>,
    tracking: Tracking | undefined,
  ): void {
    const { id } = record.body;
    const puts = entryOf(this.#changes.puts, resource);
    const earlier = puts.get(id);
    const row = putRow(resource, this.accountId, { seq, isNew: isNew || (earlier?.isNew ?? false) }, record, tracking);
    if (earlier) keepPrivate(resource, row, earlier);
    puts.set(id, row);
    // The database returns private columns in types of its own, so records that have some are read back from it.
    const isWhole = Object.keys(resource.private).length === 0;
    const { version = 0 } = record.body;
    if (isWhole) entryOf(this.#known, resource).set(id, { ...record, seq, version, ...(tracking && { tracking }) });
    else this.#known.get(resource)?.delete(id);
  }

  /** The sums that are kept beside a record move with it. */
  count(resource: Resource, change: Change<Stored<RecordBody>>): void {
    const { counted } = this.#changes;
    const changes = counted.get(resource);
    if (changes) changes.push(change);
    else counted.set(resource, [change]);
  }

  add(
    now: Date,
    events: readonly NewEvent[],
    response: NewResponse | undefined,
    statements: readonly Statement[],
  ): void {
    this.#now = now;
    this.#changes.events.push(...events);
    if (response) this.#changes.responses.push(response);
    if (statements.length === 0) return;
    // A write's own statements may depend on what came before them and change what later writes read.
    this.#seal();
    this.#ready.push(...statements);
    this.#known.clear();
  }

  /** What has not been sent yet, for the packet that ends with COMMIT. */
  statements(): Statement[] {
    this.#seal();
    const statements = this.#ready;
    this.#ready = [];
    return statements;
  }

  /** What `statements` would store, if no statement of a write's own has to be sent with it. */
  takeChanges(): Changes | undefined {
    return this.#ready.length > 0 ? undefined : this.#take();
  }

  /** The results of the statements sent before the last packet. */
  results(): readonly QueryResult[] {
    return this.#results;
  }

  #seal(): void {
    this.#ready.push(...storeChanges([this.#take()]));
  }

  #take(): Changes {
    const changes = this.#changes;
    const { events } = changes;
    if (events.length > 0 && this.subscribers) {
      changes.fanOut = { rooms: this.fannedOut.length === 0 ? this.subscribers.rooms() : [], now: this.#now };
      this.fannedOut.push(...events);
    }
    this.#changes = noChanges(this.accountId);
    return changes;
  }

  #query(statement: Statement): Promise<QueryResult> {
    if (!/^\s*select\b/i.test(statement.text)) {
      this.hasDirectChanges = true;
      this.#known.clear();
    }
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#askNow());
    });
  }

  /** What was asked and not sent yet. Whoever takes it sends it, and calls `answer` or `refuse`. */
  takeAsked(): Asked[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  /** The transaction ends now. What is asked after that would be sent on a connection that others may use by then. */
  close(): void {
    this.#isClosed = true;
  }

  refuse(asked: readonly Asked[], error: unknown): void {
    this.isBroken = true;
    for (const { reject } of asked) reject(error);
  }

  /** Sends the queries that were made together, after what they must see, as one packet. */
  async #askNow(): Promise<void> {
    const asked = this.takeAsked();
    if (asked.length === 0) return;
    if (this.#isClosed) {
      this.refuse(asked, new Error("The write has ended, and its transaction with it"));
      return;
    }
    const earlier = this.statements();
    const statements = [...earlier, ...asked.map(({ statement }) => statement)];
    try {
      const results =
        statements.length === 1
          ? [await this.#connection.query(statements[0]!)]
          : await sendPacket(this.#connection, statements);
      this.#results.push(...results.splice(0, earlier.length));
      answer(asked, results);
    } catch (error) {
      this.refuse(asked, error);
    }
  }
}

export function answer(asked: readonly Asked[], results: readonly QueryResult[]): void {
  for (const [i, { resolve }] of asked.entries()) resolve(results[i]!);
}

/** A query that will be sent with those beside it. */
export interface Asked {
  statement: Statement;
  resolve: (result: QueryResult) => void;
  reject: (error: unknown) => void;
}

function entryOf<T>(maps: Map<Resource, Map<string, T>>, resource: Resource): Map<string, T> {
  let map = maps.get(resource);
  if (!map) {
    map = new Map();
    maps.set(resource, map);
  }
  return map;
}
