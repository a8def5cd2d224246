/** Private columns of a record that belongs to one register: its owner, and the once-only events already emitted. */
export interface OwnedColumns {
  /** The device that may change it; null for a record made by the server. */
  device_id?: string | null;
  /** The device's own sequence number for its last change. */
  device_seq?: number | null;
  edited_at?: Date | string | null;
  /** States whose once-only event was emitted. The event log forgets after 30 days; the row does not. */
  announced?: string[] | null;
}

export const ownedColumnTypes = {
  device_id: "uuid",
  device_seq: "bigint",
  edited_at: "timestamptz",
  announced: "text[]",
} as const;
