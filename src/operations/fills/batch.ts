import type { Client } from "../../db/pool.ts";

/** What one batch did, and where the next one goes on; without a position nothing is left. */
export interface Batch {
  seen: number;
  changed: number;
  position: object | undefined;
}

/** Fills the next rows after a position, which is null at first; undefined when there are none at all. */
export type FillBatch = (client: Client, position: unknown) => Promise<Batch | undefined>;
