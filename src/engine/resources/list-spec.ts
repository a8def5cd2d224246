import type { Condition } from "./read-list.ts";

/** Computes the published text from the stored one. `state` goes into the ETag when the two differ. */
export type ReadTransform = (body: string, now: Date) => { text: string; state: string };

/** What is specific to one list. */
export interface ListSpec {
  table: string;
  /** The SQL conditions of the query's own filters. */
  conditions: (query: never, now: Date) => Condition[];
  transform?: ReadTransform;
  /** Newest first unless given. */
  order?: (query: never) => "asc" | "desc";
}
