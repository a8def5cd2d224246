import type { Condition } from "./read-list.ts";

/** What a read may still compute: the text, and a mark for the tag when it differs from what is stored. */
export type Finish = (body: string, now: Date) => { text: string; state: string };

/** What sets one list apart from the others. */
export interface ListSpec {
  table: string;
  /** The conditions that a query's own filters stand for. */
  conditions: (query: never, now: Date) => Condition[];
  finish?: Finish;
  /** A list without `updated_since` has no updated_at to compare. */
  order?: (query: never) => "asc" | "desc";
}
