import { isPlaced } from "../resources/placed.ts";
import type { Loaded, RecordBody } from "../resources/resource.ts";

/** A record as one moment shows it. */
export interface Version {
  /** As published: with its number and its own instant. */
  body: RecordBody;
  at: Date;
  /** Whether this write created the record. */
  isNew: boolean;
  /** The instant of the version that this write found; undefined for a record that it made. */
  before: string | undefined;
}

/** A record as this write found it. */
interface Found {
  number: number;
  at: string;
  created: string;
  place: string | null | undefined;
}

/**
 * Numbers the versions that one write makes. A version is what somebody can see: a body shown by an event, or the last one,
 * which is stored. Each gets the next number of its record and the next instant of the write; what a write overwrites before
 * anybody saw it gets neither. No two versions and no two events of an account share an instant, but an event may have that of the
 * version which it is the first to show.
 */
export class Versions {
  /** The sede of what this write makes. */
  #place: string;
  readonly #startMs: number;
  readonly #startText: string;
  #instants = 0;
  readonly #found = new Map<string, Found>();
  readonly #latest = new Map<string, Version>();
  readonly #made = new Map<RecordBody, Version>();

  constructor(at: Date, place: string) {
    this.#place = place;
    this.#startMs = at.getTime();
    this.#startText = at.toISOString();
  }

  /** A record that this write has read, in the version that it may replace. */
  remember({ body, version }: Loaded<RecordBody>): void {
    const { updated_at: at, created_at: created, location_id: place } = body;
    this.#found.set(keyOf(body), { number: version, at, created, place });
  }

  placeAt(locationId: string): void {
    this.#place = locationId;
  }

  /** Undefined, or null, for what was found without one. */
  placeOf(body: RecordBody): string | null | undefined {
    if (body.location_id !== undefined) return body.location_id;
    const key = keyOf(body);
    const isNew = body.created_at === this.#startText;
    return isNew ? (this.#latest.get(key)?.body.location_id ?? this.#place) : this.#found.get(key)?.place;
  }

  /** The version that shows this body. The same body is one version, however often it is shown. */
  of(body: RecordBody): { version: Version; isFirst: boolean } {
    const known = this.#made.get(body);
    return known ? { version: known, isFirst: false } : { version: this.#make(body), isFirst: true };
  }

  /** The version that is stored: the last one of its record, whatever was shown before. */
  last(body: RecordBody): Version {
    const known = this.#made.get(body);
    return known && this.#latest.get(keyOf(body)) === known ? known : this.#make(body);
  }

  next(): Date {
    return new Date(this.#startMs + this.#instants++);
  }

  /** The last instant of this write. It has at least one. */
  get end(): Date {
    return new Date(this.#startMs + Math.max(0, this.#instants - 1));
  }

  /** Forgets the records: their versions are made. */
  clear(): void {
    for (const map of [this.#found, this.#latest, this.#made]) map.clear();
  }

  #make(body: RecordBody): Version {
    const key = keyOf(body);
    const earlier = this.#latest.get(key);
    const found = this.#found.get(key);
    const at = this.next();
    const updated_at = at.toISOString();
    // An account's instants never repeat: only what this write made is as old as it is.
    const isNew = body.created_at === this.#startText;
    // What was found is as old as it says, whichever body its successor was made from.
    const created_at = isNew ? (earlier?.body.created_at ?? updated_at) : (found?.created ?? body.created_at);
    const number = earlier?.body.version ?? Math.max(found?.number ?? 0, body.version ?? 0);
    const published = { ...body, created_at, updated_at, version: number + 1 };
    // Whoever makes a body anew need not know where its record was made.
    if (isPlaced(body.object) && body.location_id === undefined) {
      const place = this.placeOf(body);
      if (place !== undefined) published.location_id = place;
    }
    const version: Version = { body: published, at, isNew, before: found?.at };
    this.#latest.set(key, version);
    this.#made.set(body, version);
    return version;
  }
}

function keyOf({ object, id }: RecordBody): string {
  return `${object} ${id}`;
}
