import type { Queryable } from "../../db/pool.ts";
import type { Read } from "../../db/read.ts";
import type { Statement } from "../../db/sql.ts";
import type { EventType } from "../events/event-types.ts";
import type { Loaded, RecordBody, Resource, Settling, Stored } from "../resources/resource.ts";
import type { Tracking } from "../resources/revisions.ts";

/** One write to one account. Nothing is stored until the work returns; then everything is sent together with COMMIT. */
export interface Write extends Settling {
  readonly accountId: string;
  /** This write's place in the account's order: the seq of every record it stores. */
  readonly seq: number;
  /**
   * This write's instant, for the created_at and updated_at of the bodies that it puts and emits. Each version of a record gets
   * an instant of its own from it, a millisecond after the one before, and its `version`.
   */
  readonly at: Date;
  /** For queries inside the transaction, while it holds the account's lock. They do not see what this write has put. */
  readonly client: Queryable;
  /** Asks for what may have been declared with the write: then it was read with the opening of the batch. */
  read<T>(read: Read<T>): Promise<T>;
  load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): Promise<Loaded<B, P> | undefined>;
  loadMany<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<B, P>>>;
  /** The sede of the records that this write makes and that name none: the first unless given. */
  placeAt(locationId: string): void;
  /** The sede that a record has, or gets from this write, whichever body of it is at hand. */
  placeOf(body: RecordBody): string;
  /**
   * Stores a record, new or changed; the last put of a record counts. Its changed fields are found by comparing it with
   * what this write loaded, unless the caller gives its own tracking.
   */
  put<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    record: Stored<B, P>,
    tracking?: Tracking,
  ): void;
  /** Puts an unchanged record into the registers' feed once more. */
  resend<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): void;
  /** Registers have something to receive that is no record: it stands in the feed at this write's seq. */
  moveFeed(): void;
  emit(type: EventType, body: RecordBody): void;
  /** What this write has put last of the record of a body: the body itself if nothing. */
  latest(body: RecordBody): RecordBody;
  /** The text that this write publishes of a body that it has put. */
  published(body: RecordBody): string;
  /** Adds a statement to send together with COMMIT. */
  addStatement(statement: Statement): void;
  /** Whether this write has put the record; one that it merely found is not its own. */
  puts(body: RecordBody): boolean;
  /** Whether this is the only record that the write has put. */
  putsOnly(body: RecordBody): boolean;
  /** There is nothing to change: nothing is stored, and the account's clock does not advance. */
  discard(): void;
}
