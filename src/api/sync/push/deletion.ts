import type { Incoming } from "./read-record.ts";

/** What a register deleted. */
export interface Deletion {
  type: Incoming["type"];
  id: string;
  /** What it was called; nothing of a person, whose name must be forgotten wherever it stands. */
  name: string | null;
  cashierId: string | null;
}
