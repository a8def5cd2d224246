import type { Queryable } from "../../db/pool.ts";
import type { Read } from "../../db/read.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { second } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { leaseSeconds } from "../deliveries/fan-out.ts";
import type { EventType } from "../events/event-types.ts";
import type { NewEvent } from "../events/record-event.ts";
import { locationOf } from "../resources/placed.ts";
import { type RecordBody, type Resource, renderBody, type Stored } from "../resources/resource.ts";
import { type Tracking, track, trackNew } from "../resources/revisions.ts";
import type { BatchMemory } from "./batch-memory.ts";
import type { NewResponse } from "./stored-responses.ts";
import { type Version, Versions } from "./versions.ts";
import type { Write } from "./write.ts";

/** Where a write stands in the order of its account. */
export interface ClockPosition {
  seq: number;
  at: Date;
  /** The `sequence` of the account's last event. */
  eventSeq: number;
  /** What the clock of this process said. */
  now: Date;
  recordsEvents: boolean;
}

/** A delivery that another process took is over after this time, or waits in the queue again. */
const longestUnderWayMs = (leaseSeconds + 10) * second;

interface Put {
  resource: Resource;
  record: Stored<RecordBody>;
  tracking: Tracking | undefined;
}

interface Emitted {
  type: EventType;
  version: Version;
  /** Undefined for the first that shows the version, whose instant it has. */
  at: Date | undefined;
}

/** Collects what one write wants to store. Its batch does not know of it until `keep`, so a failed write leaves no trace. */
export class PendingWrite implements Write {
  readonly accountId: string;
  readonly client: Queryable;
  isDiscarded = false;
  readonly #memory: BatchMemory;
  readonly #requestId: string | undefined;
  readonly #position: ClockPosition;
  readonly #puts = new Map<string, Put>();
  /** The records as this write found them, of the kinds with totals. The batch may forget its own. */
  readonly #loaded = new Map<string, Stored<RecordBody>>();
  readonly #versions: Versions;
  readonly #events: Emitted[] = [];
  #eventSeq: number;
  readonly #statements: Statement[] = [];
  #movesFeed = false;

  constructor(memory: BatchMemory, position: ClockPosition, requestId: string | undefined) {
    this.#memory = memory;
    this.#position = position;
    this.#versions = new Versions(position.at, memory.accountId);
    this.#eventSeq = position.eventSeq;
    this.#requestId = requestId;
    this.accountId = memory.accountId;
    this.client = memory.client;
  }

  get seq() {
    return this.#position.seq;
  }

  get at() {
    return this.#position.at;
  }

  /** Where the write ends: the account's clock goes on after it. */
  get end(): Pick<ClockPosition, "seq" | "at" | "eventSeq"> {
    return { seq: this.seq, at: this.#versions.end, eventSeq: this.#eventSeq };
  }

  read<T>(read: Read<T>): Promise<T> {
    return this.#memory.read(read);
  }

  async load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string) {
    return (await this.loadMany(resource, [id])).get(id.toLowerCase());
  }

  async loadMany<B extends RecordBody, P extends object>(resource: Resource<B, P>, ids: readonly string[]) {
    const found = await this.#memory.loadMany(resource, ids);
    for (const record of found.values()) this.#versions.remember(record);
    if (resource.totals) for (const [id, record] of found) this.#loaded.set(`${resource.table} ${id}`, record);
    return found;
  }

  placeAt(locationId: string) {
    this.#versions.placeAt(locationId);
  }

  placeOf(body: RecordBody) {
    return this.#versions.placeOf(body) ?? this.accountId;
  }

  put<B extends RecordBody, P extends object>(resource: Resource<B, P>, record: Stored<B, P>, tracking?: Tracking) {
    const put = { resource, record, tracking };
    this.#puts.set(`${resource.table} ${record.body.id}`, put);
  }

  emit(type: EventType, body: RecordBody) {
    if (!this.#position.recordsEvents) return;
    const { version, isFirst } = this.#versions.of(body);
    this.#events.push({ type, version, at: isFirst ? undefined : this.#versions.next() });
  }

  latest(body: RecordBody) {
    return this.#putOf(body)?.record.body ?? body;
  }

  published(body: RecordBody) {
    const put = this.#putOf(body);
    return renderBody(put ? this.#versions.of(put.record.body).version.body : body);
  }

  #putOf({ object, id }: RecordBody): Put | undefined {
    return [...this.#puts.values()].find(({ record }) => record.body.id === id && record.body.object === object);
  }

  resend<B extends RecordBody, P extends object>({ table }: Resource<B, P>, id: string) {
    this.#movesFeed = true;
    const text = `update ${table} set feed_seq = $2 where account_id = $1 and id = $3`;
    this.#statements.push(prepared(text, [this.accountId, this.seq, id]));
  }

  moveFeed() {
    this.#movesFeed = true;
  }

  putsOf(table: string) {
    return [...this.#puts.values()].flatMap(({ resource, record }) => (resource.table === table ? record : []));
  }

  putAgain(table: string, record: Stored<RecordBody>) {
    const key = `${table} ${record.body.id}`;
    this.#puts.set(key, { ...must(this.#puts.get(key), "Only what was put is put again"), record });
  }

  /** Lets each kind of record that was put do what it has left to do. */
  async settle() {
    const kinds = new Set(Array.from(this.#puts.values(), ({ resource }) => resource));
    for (const { settle } of kinds) await settle?.(this);
  }

  addStatement(statement: Statement) {
    this.#statements.push(statement);
  }

  puts(body: RecordBody) {
    return this.#putOf(body) !== undefined;
  }

  putsOnly(body: RecordBody) {
    return Array.from(this.#puts.values()).every(({ record }) => record.body === body);
  }

  discard() {
    this.isDiscarded = true;
  }

  /** Hands everything over to the batch. Returns whether registers have something new to receive. */
  keep(response: NewResponse | undefined): boolean {
    const { at, seq } = this;
    const puts = Array.from(this.#puts.values(), ({ resource, record, tracking }) => {
      const { body, isNew } = this.#versions.last(record.body);
      return { resource, record, tracking, isNew, stored: { ...record, body } };
    });
    // First, because it may refuse a record, and then nothing of the write is kept.
    const counted = puts.filter(({ resource }) => resource.totals);
    const changes = counted.map(({ resource, record, stored }) => {
      const change = { before: this.#beforeOf(resource, record), after: stored, seq, at };
      return { resource, change };
    });
    for (const { resource, change } of changes) this.#memory.count(resource, change);
    for (const { resource, record, stored, isNew, tracking = this.#trackingOf(resource, record) } of puts) {
      this.#movesFeed ||= tracking?.feedSeq === seq || (resource.feed?.includes(record) ?? false);
      this.#memory.put(resource, { seq, isNew }, stored, tracking);
    }
    const events = this.#events.map((event) => this.#newEvent(event));
    this.#memory.add(this.#position.now, events, response, this.#statements);
    // It is kept until COMMIT: what it has handed over need not be.
    this.#puts.clear();
    this.#loaded.clear();
    this.#versions.clear();
    this.#events.length = 0;
    return this.#movesFeed;
  }

  #newEvent({ type, version, at: own }: Emitted): NewEvent {
    const at = own ?? version.at;
    return {
      accountId: this.accountId,
      id: uuidv7(at),
      type,
      seq: this.seq,
      sequence: ++this.#eventSeq,
      at,
      createdAt: own?.toISOString() ?? version.body.updated_at,
      requestId: this.#requestId,
      objectId: version.body.id,
      locationId: locationOf(version.body, this.accountId),
      follows: version.before !== undefined && at.getTime() - Date.parse(version.before) < longestUnderWayMs,
      objectText: renderBody(version.body),
    };
  }

  /** What a put replaces. Without it the sums would count a changed record twice. */
  #beforeOf(resource: Resource, { body }: Stored<RecordBody>): Stored<RecordBody> | undefined {
    const before = this.#loaded.get(`${resource.table} ${body.id}`);
    if (!before && Date.parse(body.created_at) !== this.at.getTime())
      throw new Error(`${resource.name} ${body.id} was changed by a write that did not load it`);
    return before;
  }

  #trackingOf(resource: Resource, record: Stored<RecordBody>): Tracking | undefined {
    const { units } = resource;
    if (!units) return undefined;
    const before = this.#memory.known(resource, record.body.id);
    if (!before?.tracking) return trackNew(this.seq, this.at);
    return track({ units: units(before), tracking: before.tracking }, units(record), this.seq, this.at);
  }
}
