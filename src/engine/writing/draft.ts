import type { Queryable } from "../../db/pool.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { EventType } from "../events/event-types.ts";
import type { NewEvent } from "../events/record-event.ts";
import { type RecordBody, type Resource, renderBody, type Stored } from "../resources/resource.ts";
import { type Tracking, track, trackNew } from "../resources/revisions.ts";
import type { BatchMemory } from "./batch-memory.ts";
import type { NewResponse } from "./stored-responses.ts";
import type { Write } from "./write.ts";

/** Where a write stands in the order of its account. */
export interface Place {
  seq: number;
  at: Date;
  /** What the clock of this process said. */
  now: Date;
  recordsEvents: boolean;
}

interface Put {
  resource: Resource;
  record: Stored<RecordBody>;
  tracking: Tracking | undefined;
}

/** Collects what one write wants to store. Its batch does not know of it until `keep`, so a failed write leaves no trace. */
export class Draft implements Write {
  readonly accountId: string;
  readonly client: Queryable;
  isDiscarded = false;
  readonly #memory: BatchMemory;
  readonly #requestId: string | undefined;
  #place: Place | undefined;
  readonly #puts = new Map<string, Put>();
  /** The records as this write found them, of the kinds with totals. The batch may forget its own. */
  readonly #loaded = new Map<string, Stored<RecordBody>>();
  readonly #events: { type: EventType; objectText: string }[] = [];
  readonly #statements: Statement[] = [];
  #movesFeed = false;

  constructor(memory: BatchMemory, requestId: string | undefined) {
    this.#memory = memory;
    this.#requestId = requestId;
    this.accountId = memory.accountId;
    this.client = memory.client;
  }

  get seq() {
    return this.#placed.seq;
  }

  get at() {
    return this.#placed.at;
  }

  placeAt(place: Place) {
    this.#place = place;
  }

  get #placed(): Place {
    if (!this.#place) throw new Error("A write that reads first has no place before it has read");
    return this.#place;
  }

  async load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string) {
    return (await this.loadMany(resource, [id])).get(id.toLowerCase());
  }

  async loadMany<B extends RecordBody, P extends object>(resource: Resource<B, P>, ids: readonly string[]) {
    const found = await this.#memory.loadMany(resource, ids);
    if (resource.totals) for (const [id, record] of found) this.#loaded.set(`${resource.table} ${id}`, record);
    return found;
  }

  put<B extends RecordBody, P extends object>(resource: Resource<B, P>, record: Stored<B, P>, tracking?: Tracking) {
    const put = { resource: resource as unknown as Resource, record: record as Stored<RecordBody>, tracking };
    this.#puts.set(`${resource.table} ${record.body.id}`, put);
  }

  emit(type: EventType, body: RecordBody) {
    if (this.#placed.recordsEvents) this.#events.push({ type, objectText: renderBody(body) });
  }

  resend<B extends RecordBody, P extends object>({ table }: Resource<B, P>, id: string) {
    this.#movesFeed = true;
    const text = `update ${table} set feed_seq = $2 where account_id = $1 and id = $3`;
    this.#statements.push(prepared(text, [this.accountId, this.seq, id]));
  }

  moveFeed() {
    this.#movesFeed = true;
  }

  addStatement(statement: Statement) {
    this.#statements.push(statement);
  }

  discard() {
    this.isDiscarded = true;
  }

  /** Hands everything over to the batch. Returns whether registers have something new to receive. */
  keep(response: NewResponse | undefined): boolean {
    const { accountId, at, seq } = this;
    // An account's instants never repeat: only what this write made is as old as it is.
    const atText = at.toISOString();
    // First, because it may refuse a record, and then nothing of the write is kept.
    const counted = [...this.#puts.values()].filter(({ resource }) => resource.totals);
    const changes = counted.map(({ resource, record: after }) => ({
      before: this.#beforeOf(resource, after),
      after,
      seq,
      at,
    }));
    for (const [i, { resource }] of counted.entries()) this.#memory.count(resource, changes[i]!);
    for (const { resource, record, tracking = this.#trackingOf(resource, record) } of this.#puts.values()) {
      this.#movesFeed ||= tracking?.feedSeq === seq || (resource.feed?.includes(record) ?? false);
      this.#memory.put(resource, { seq, isNew: record.body.created_at === atText }, record, tracking);
    }
    // All ids are generated here at once, so that they sort in the order of emission.
    const events = this.#events.map(
      ({ type, objectText }): NewEvent => ({
        accountId,
        id: uuidv7(at),
        type,
        seq,
        at,
        createdAt: atText,
        requestId: this.#requestId,
        objectText,
      }),
    );
    this.#memory.add(this.#placed.now, events, response, this.#statements);
    // It is kept until COMMIT: what it has handed over need not be.
    this.#puts.clear();
    this.#loaded.clear();
    this.#events.length = 0;
    return this.#movesFeed;
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
