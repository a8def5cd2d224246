/** What the portal's API answers with. Times are ISO 8601. */

export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Session {
  id: string;
  account: { id: string; name: string; email: string; plan: "basic" | "pro" };
  has_pro: boolean;
  environment: "test" | "live";
  /** Where the mails of a test installation land. */
  mailbox: string | null;
  server_time: string;
}

export interface Endpoint {
  id: string;
  url: string;
  event_types: string[];
  status: "active" | "paused" | "deactivated";
  created_at: string;
  updated_at: string;
  consecutive_failures: number;
  failing_since: string | null;
  secret_overlap_until: string | null;
}

export type DeliveryState = "pending" | "delivered" | "failed" | "dropped";

export interface Attempt {
  at: string;
  duration_ms: number;
  status: number | null;
  failure: string | null;
  remote_address: string | null;
  hint: string | null;
}

export interface Delivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  state: DeliveryState;
  created_at: string;
  attempts: Attempt[];
  next_attempt_at: string | null;
}

export interface SentRequest {
  method: string;
  url: string | null;
  headers: Record<string, string>;
  body: string;
  has_signature: boolean;
}

export interface EventDelivery {
  id: string;
  endpoint_id: string;
  url: string | null;
  state: DeliveryState;
  attempts: number;
}

export interface LoggedEvent {
  id: string;
  type: string;
  created_at: string;
  deliveries: EventDelivery[];
}

export interface ApiKey {
  id: string;
  name: string;
  last_four: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** The key that a rotation made in its place: it works until its overlap ends. */
  replaced_by?: string | null;
  last_used_at: string | null;
}

export interface ApiCall {
  created_at: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  request_id: string;
}

export interface Device {
  id: string;
  name: string;
  app_version: string | null;
  created_at: string;
  last_seen_at: string | null;
  revoked_at: string | null;
  skew_ms: number | null;
  forked_at: string | null;
  is_outdated: boolean;
  quarantined: number;
  conflicts: number;
  flagged: number;
}

export interface Quarantined {
  device_seq: number;
  received_at: string;
  type: string | null;
  record_id: string | null;
  reason: string;
  raw: string;
}

/** A record that was stored though something in it is odd. */
export interface Flagged {
  device_seq: number;
  found_at: string;
  type: string;
  record_id: string;
  findings: { field: string; expected: unknown; got: unknown; message: string }[];
}

export interface Conflict {
  id: string;
  found_at: string;
  device_seq: number;
  type: string;
  record_id: string;
  field: string;
  kept: unknown;
  lost: unknown;
}

export interface Account {
  id: string;
  name: string;
  email: string;
  plan: "basic" | "pro";
  active: boolean;
  created_at: string;
}

export interface OpenSession {
  id: string;
  created_at: string;
  last_seen_at: string;
  remote_address: string | null;
  user_agent: string | null;
  is_current: boolean;
}

export interface AuditEntry {
  id: string;
  created_at: string;
  action: string;
  details: Record<string, unknown>;
  actor: "owner" | "operator" | "register" | "service" | "stranger";
  remote_address: string | null;
}

export type Period = "24h" | "7d";

export interface Counts {
  events: number;
  delivered: number;
  failed: number;
  dropped: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface Figures {
  period: Period;
  since: string;
  until: string;
  totals: Counts & { success_rate: number | null };
  steps: (Counts & { at: string })[];
}

export type Concern =
  | { kind: "endpoint_failing"; endpoint_id: string; url: string; failures: number; failing_since: string }
  | { kind: "endpoint_deactivated"; endpoint_id: string; url: string }
  | { kind: "device_outdated"; device_id: string; name: string; app_version: string | null }
  | { kind: "device_skewed"; device_id: string; name: string; skew_ms: number }
  | { kind: "device_forked"; device_id: string; name: string }
  | { kind: "key_expiring"; api_key_id: string; name: string; expires_at: string }
  | { kind: "records_quarantined"; device_id: string; name: string; count: number }
  | { kind: "documents_unissued"; count: number; has_more: boolean }
  | {
      kind: "range_ended" | "range_ending";
      range_kind: "pos" | "invoice";
      prefix: string;
      remaining: number;
      valid_until: string | null;
    };

/** Of its secrets only whether they are there. */
export interface FiscalProfile {
  nit: string;
  regime: "iva" | "inc" | "none";
  prices_include_tax: boolean;
  documents: "electronic" | "internal";
  has_pin: boolean;
  has_authority_token: boolean;
  since: string;
}

export interface NumberingRange {
  id: string;
  kind: "pos" | "invoice" | "note" | "internal";
  prefix: string;
  from: number;
  to: number;
  next: number;
  remaining: number;
  /** A day, without an hour. */
  valid_until: string | null;
  resolution: string | null;
  has_technical_key: boolean;
  /** Numbers that no document of this shop has, and why. */
  skipped: { from: number; to: number; reason: string; by: "portal" | "cli"; at: string }[];
  state: "in_use" | "waiting" | "exhausted" | "expired";
}

export interface UnissuedDocument {
  id: string;
  document_type: string;
  status: "rejected" | "emission_failed";
  prefix: string | null;
  /** 0 while it has none. */
  number: number;
  total: number;
  reason: string | null;
  created_at: string;
  can_resend: boolean;
  is_from_register: boolean;
}

export interface Resend {
  id: string;
  total: number;
  resent: number;
  state: "running" | "done" | "stopped";
}

/** A change that waits for the code in the mail. */
export interface Asked {
  confirmation_id: string;
  expires_at: string;
}
