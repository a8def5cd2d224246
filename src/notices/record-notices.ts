import { prepared, type Statement } from "../db/sql.ts";

export const noticeKinds = [
  "numbering_unavailable",
  "document_unsealed",
  "document_rejected",
  "emission_failed",
  "authority_stalled",
  "pos_above_limit",
  "sale_changed",
  "two_documents",
  "number_taken",
  "sale_without_lines",
  "range_ending",
  "authority_away",
  "certificate_ending",
  "huge_total",
  "foreign_shift",
  "wrong_clock",
  "orders_waiting",
  "stock_low",
  "shift_short",
  "register_silent",
  "unauthorized_act",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What is told otherwise than by a notice has no words in a mail. */
export const isNoticeKind = (kind: string): kind is NoticeKind => noticeKinds.some((one) => one === kind);

/** Something the owner should know. */
export interface Notice {
  kind: NoticeKind;
  /** What it is about: repeated on the same day, it is one notice. */
  subject: string;
  /** Spanish, with the next step. */
  message: string;
  /** The sede that it is of; without one, it is of the whole business. */
  location_id?: string | null;
  /** Told to whoever wants to know from this sum on. */
  amount?: number;
}

/** Records notices in the caller's transaction. A shop that sells all day without numbers gets one, not a thousand. */
export function recordNotices(accountId: string, at: Date, onDay: string, notices: readonly Notice[]): Statement {
  const same = Map.groupBy(notices, ({ kind, subject }) => `${kind} ${subject}`);
  const rows = [...same.values()].map((all) => ({ ...all.at(-1)!, times: all.length }));
  return prepared(
    `insert into notices (account_id, kind, subject, on_day, message, times, location_id, amount, created_at, last_at)
     select $1::uuid, r.kind, r.subject, $2::date, r.message, r.times, r.location_id, r.amount, $3::timestamptz, $3::timestamptz
     from json_to_recordset($4::json) as r(kind text, subject text, message text, times integer, location_id uuid, amount bigint)
     on conflict (account_id, kind, subject, on_day)
     do update set times = notices.times + excluded.times, message = excluded.message, last_at = excluded.last_at`,
    [accountId, onDay, at, JSON.stringify(rows)],
  );
}
