/** What the server remembers beside a record that one register makes and keeps: whose it is, and what was announced. */
export interface Uploaded {
  /** The device that may change it; none for a record made by the server. */
  device_id?: string | null;
  /** The device's own number of its last change. */
  device_seq?: number | null;
  edited_at?: Date | string | null;
  /** States whose once-only event was emitted. A row remembers longer than the event log. */
  announced?: string[] | null;
}

export const uploadedColumns = {
  device_id: "uuid",
  device_seq: "bigint",
  edited_at: "timestamptz",
  announced: "text[]",
} as const;
