import type { Client } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import type { EventType } from "../events/event-types.ts";
import type { Loaded, RecordBody, Resource, Stored } from "../resources/resource.ts";
import type { Tracking } from "../resources/revisions.ts";

/** What a write may do. Nothing reaches the tables before the work ends: all of it is sent together with COMMIT. */
export interface Write {
  readonly accountId: string;
  /** This change's place in the account's order: the seq of every record it touches. */
  readonly seq: number;
  /** This change's instant: created_at and updated_at of what it stores. */
  readonly at: Date;
  /** For reads under the account's lock. */
  readonly client: Client;
  load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): Promise<Loaded<B, P> | undefined>;
  loadMany<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<B, P>>>;
  /**
   * Stores a record, new or changed. A record put twice is stored as it was last. Which of its fields changed is told
   * by comparing it with what this write loaded, unless the caller knows better who edited them and when.
   */
  put<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    record: Stored<B, P>,
    tracking?: Tracking,
  ): void;
  /** Sends a record down to the registers once more as it is, without changing it. */
  resend<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): void;
  emit(type: EventType, body: RecordBody): void;
  /** One more statement to send together with COMMIT. */
  also(statement: Statement): void;
  /** This write turned out to change nothing: it leaves no trace, not even a step of the account's clock. */
  forget(): void;
}
