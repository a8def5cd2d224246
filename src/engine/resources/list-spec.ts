import type { Condition } from "./read-list.ts";

/** Computes the published text from the stored one. `state` goes into the ETag when the two differ. */
export type ReadTransform = (body: string, now: Date) => { text: string; state: string };

/** What is specific to one list. */
export interface ListSpec {
  table: string;
  /** The SQL conditions of the query's own filters. */
  conditions: (query: never, now: Date, accountId: string) => Condition[];
  /** Changes are indexed by the hour (`updated_hour`), because their exact instant moves too often. */
  changesByHour?: boolean;
  transform?: ReadTransform;
  /** Newest first unless given. */
  order?: (query: never) => "asc" | "desc";
}
