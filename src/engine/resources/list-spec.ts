import type { Condition } from "./read-list.ts";

/** What a read may still compute: the text, and a mark for the tag when it differs from what is stored. */
export type Finish = (body: string, now: Date) => { text: string; state: string };

/** A list's own part: its table and its filters. Everything else is the same for all of them. */
export interface ListSpec<Query> {
  table: string;
  conditions: (query: Query, now: Date) => Condition[];
  finish?: Finish;
  /** A list without `updated_since` has no updated_at to compare. */
  order?: (query: Query) => "asc" | "desc";
}
