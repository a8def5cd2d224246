import type { QueryResult } from "pg";
import { sendPacket } from "../../db/packet.ts";
import type { Client, Queryable } from "../../db/pool.ts";
import { ask, type Read } from "../../db/read.ts";
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

/** A query that will be sent with those beside it. */
interface Asked {
  statement: Statement;
  resolve: (result: QueryResult) => void;
  reject: (error: unknown) => void;
}

/**
 * What the writes of one batch have read and changed so far. A later write reads from here what an earlier one changed;
 * nothing of it needs to be in the database until COMMIT, where each table takes one statement.
 *
 * It is `open` while the writes run, `broken` from a statement that failed, after which the transaction can only be rolled back,
 * and `closed` from the moment the transaction ends: what is asked after that would be sent on a connection that others use by then.
 */
export class BatchMemory {
  readonly accountId: string;
  /** Queries inside the transaction. They see what the earlier writes of the batch changed. */
  readonly client: Queryable;
  /** Whether a write has sent statements of its own that change something. */
  hasDirectChanges = false;
  readonly #connection: Client;
  #state: "open" | "broken" | "closed" = "open";
  /** The events for which deliveries were queued. */
  readonly fannedOut: NewEvent[] = [];
  /** Given if the account's events have receivers. */
  subscribers: Subscribers | undefined;
  /** Undefined for what the database does not have. */
  readonly #known = new Map<Resource, Map<string, Loaded<RecordBody> | undefined>>();
  /** Results that were read with the opening, until something changes. */
  readonly #answers = new Map<Read<unknown>, readonly QueryResult[]>();
  readonly #results: QueryResult[] = [];
  #asked: Asked[] = [];
  #ready: Statement[] = [];
  #changes: Changes;
  #now = new Date(0);

  constructor(connection: Client, accountId: string) {
    this.#connection = connection;
    this.accountId = accountId;
    this.#changes = noChanges(accountId);
    this.client = { query: this.#query.bind(this) } as Queryable;
  }

  get isBroken(): boolean {
    return this.#state === "broken";
  }

  async loadMany<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<B, P>>> {
    const kind: Resource = resource;
    const known = entryOf(this.#known, kind);
    // A request may write a uuid in upper case; stored ids are in lower case.
    const wanted = new Set(ids.map((id) => id.toLowerCase()));
    const found = new Map<string, Loaded<RecordBody>>();
    const unknown: string[] = [];
    for (const id of wanted) {
      const record = known.get(id);
      if (record) found.set(id, record);
      else if (!known.has(id)) unknown.push(id);
    }
    if (unknown.length > 0) {
      for (const [id, record] of await loadMany(this.client, kind, this.accountId, unknown)) {
        found.set(id, record);
        entryOf(this.#known, kind).set(id, record);
      }
    }
    return found as Map<string, Loaded<B, P>>;
  }

  async read<T>(read: Read<T>): Promise<T> {
    const answers = this.#answers.get(read);
    return answers ? read.from(answers) : ask(this.client, read);
  }

  /** Takes in records that were read with the opening of the batch. */
  remember(resource: Resource, ids: Iterable<string>, rows: readonly LoadedRow[]): void {
    const known = entryOf(this.#known, resource);
    for (const id of ids) known.set(id, undefined);
    for (const [id, record] of loadedRows(resource, rows)) known.set(id, record);
  }

  rememberAnswers(read: Read<unknown>, results: readonly QueryResult[]): void {
    this.#answers.set(read, results);
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
    this.#answers.clear();
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

  close(): void {
    this.#state = "closed";
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
      this.#answers.clear();
    }
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject });
      if (this.#asked.length === 1) queueMicrotask(() => void this.#send());
    });
  }

  /** Sends the queries that were made together, after what they must see, as one packet. */
  async #send(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      if (this.#state === "closed") throw new Error("The write has ended, and its transaction with it");
      const earlier = this.statements();
      const results = await sendPacket(this.#connection, [...earlier, ...asked.map(({ statement }) => statement)]);
      this.#results.push(...results.splice(0, earlier.length));
      for (const [i, result] of results.entries()) asked[i]?.resolve(result);
    } catch (error) {
      if (this.#state === "open") this.#state = "broken";
      for (const { reject } of asked) reject(error);
    }
  }
}

function entryOf<T>(maps: Map<Resource, Map<string, T>>, resource: Resource): Map<string, T> {
  let map = maps.get(resource);
  if (!map) {
    map = new Map();
    maps.set(resource, map);
  }
  return map;
}
