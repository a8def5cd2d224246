import { jsonArray } from "../../db/json-array.ts";
import type { Client } from "../../db/pool.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { fanOut } from "../deliveries/fan-out.ts";
import type { EventType } from "../events/event-types.ts";
import { type NewEvent, recordEvents } from "../events/record-event.ts";
import { loadMany } from "../resources/read-one.ts";
import {
  type Loaded,
  putManySql,
  putOneSql,
  putOneValues,
  putRow,
  type RecordBody,
  type Resource,
  renderBody,
  type Stored,
} from "../resources/resource.ts";
import { type Tracking, track } from "../resources/revisions.ts";
import type { ClockRow } from "./account-clock.ts";
import type { Write } from "./write.ts";

interface Put {
  record: Stored<RecordBody>;
  tracking: Tracking | undefined;
}

/** Collects what a write wants to store. Nothing is sent yet; in the end it becomes one statement per table. */
export class Draft implements Write {
  readonly client: Client;
  readonly accountId: string;
  readonly seq: number;
  readonly at: Date;
  isDiscarded = false;
  /** Whether registers have something new to receive. Set by `statements`. */
  movedFeed = false;
  readonly #clock: ClockRow;
  readonly #requestId: string | undefined;
  readonly #puts = new Map<Resource, Map<string, Put>>();
  readonly #loaded = new Map<Resource, Map<string, Loaded<RecordBody>>>();
  readonly #events: Omit<NewEvent, "id">[] = [];
  readonly #extraStatements: Statement[] = [];

  constructor(client: Client, accountId: string, clock: ClockRow, requestId: string | undefined) {
    this.client = client;
    this.accountId = accountId;
    this.#clock = clock;
    this.#requestId = requestId;
    this.seq = clock.seq;
    this.at = clock.ts;
  }

  async load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string) {
    // A request may write a uuid in upper case; stored ids are in lower case.
    return (await this.loadMany(resource, [id])).get(id.toLowerCase());
  }

  async loadMany<B extends RecordBody, P extends object>(resource: Resource<B, P>, ids: readonly string[]) {
    const found = await loadMany(this.client, resource, this.accountId, ids);
    const known = entryOf(this.#loaded, resource as unknown as Resource);
    for (const [id, record] of found) known.set(id, record as unknown as Loaded<RecordBody>);
    return found;
  }

  put<B extends RecordBody, P extends object>(resource: Resource<B, P>, record: Stored<B, P>, tracking?: Tracking) {
    entryOf(this.#puts, resource as unknown as Resource).set(record.body.id, { record, tracking });
  }

  emit(type: EventType, body: RecordBody) {
    if (this.#clock.records_events) this.#events.push({ type, objectText: renderBody(body) });
  }

  resend<B extends RecordBody, P extends object>({ table }: Resource<B, P>, id: string) {
    this.movedFeed = true;
    const text = `update ${table} set feed_seq = $2 where account_id = $1 and id = $3`;
    this.#extraStatements.push(prepared(text, [this.accountId, this.seq, id]));
  }

  addStatement(statement: Statement) {
    this.#extraStatements.push(statement);
  }

  discard() {
    this.isDiscarded = true;
  }

  statements(now: Date): Statement[] {
    const { accountId, at, seq } = this;
    const stored = [...this.#puts].flatMap(([resource, puts]) => [
      this.#putStatement(resource, [...puts.values()]),
      ...this.#totalsStatement(resource, [...puts.values()]),
    ]);
    if (this.movedFeed && this.#clock.feed_seq !== seq)
      stored.push(sql`update account_clock set feed_seq = seq where account_id = ${accountId}`);
    // All ids are generated here at once, so that they sort in the order of emission.
    const recorded = this.#events.map((event): NewEvent => ({ ...event, id: uuidv7(at) }));
    if (recorded.length > 0) stored.push(recordEvents({ accountId, at, seq, requestId: this.#requestId }, recorded));
    if (recorded.length > 0 && this.#clock.fans_out) stored.push(fanOut(accountId, at, now, recorded));
    return [...stored, ...this.#extraStatements];
  }

  #putStatement(resource: Resource, puts: readonly Put[]): Statement {
    const { accountId, seq } = this;
    const rows = puts.map(({ record, tracking = this.#trackingOf(resource, record) }) => {
      this.movedFeed ||= tracking?.feedSeq === seq || (resource.feed?.includes(record) ?? false);
      return putRow(resource, accountId, record, tracking);
    });
    const bodies = puts.map(({ record }) => renderBody(record.body));
    if (rows.length === 1)
      return prepared(putOneSql(resource), [accountId, seq, ...putOneValues(resource, rows[0]!), bodies[0]]);
    return prepared(putManySql(resource), [accountId, seq, JSON.stringify(rows), jsonArray(bodies)]);
  }

  #totalsStatement(resource: Resource, puts: readonly Put[]): Statement[] {
    const { accountId } = this;
    const moved = resource.totals?.(
      accountId,
      puts.map(({ record: after }) => ({ before: this.#beforeOf(resource, after), after })),
    );
    return moved ? [moved] : [];
  }

  /** What a put replaces. Without it the sums would count a changed record twice. */
  #beforeOf(resource: Resource, { body }: Stored<RecordBody>): Loaded<RecordBody> | undefined {
    const before = this.#loaded.get(resource)?.get(body.id);
    if (!before && Date.parse(body.created_at) !== this.at.getTime())
      throw new Error(`${resource.name} ${body.id} was changed by a write that did not load it`);
    return before;
  }

  #trackingOf(resource: Resource, record: Stored<RecordBody>): Tracking | undefined {
    const { units } = resource;
    if (!units) return undefined;
    const before = this.#loaded.get(resource)?.get(record.body.id);
    const known = before?.tracking && { units: units(before), tracking: before.tracking };
    return track(known, units(record), this.seq, this.at);
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
