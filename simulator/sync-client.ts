import type { Entry, Identity } from "./outbox.ts";

/** The requests of /sync/v1 that a register sends. */
export interface SyncClient {
  enrol(code: string, name: string): Promise<Identity>;
  push(token: string, sentAt: string, records: readonly Entry[]): Promise<PushResponse>;
  changes(token: string, cursor: string, waitSeconds: number): Promise<ChangesResponse>;
}

export interface PushResponse {
  acked_seq: number;
  results: { device_seq: number; status: string; code: string | null; record: unknown }[];
}

export interface Change {
  seq: number;
  type: string;
  id: string;
  deleted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: registers read the fields they know and keep the rest
  data: any;
}

export interface ChangesResponse {
  changes: Change[];
  cursor: string;
  has_more: boolean;
  acked_seq: number;
}

/** An error response of the server. Every other failure is the network's. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly expected: number | undefined;
  constructor(status: number, error: { code: string; message: string; expected?: number }) {
    super(`${error.code}: ${error.message}`);
    this.status = status;
    this.code = error.code;
    this.expected = error.expected;
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const appVersion = "4.0.0";
const capabilities = ["product.remote_edit.1", "return.1"];
/** Longer than the server's longest long poll. */
const timeoutMs = 40_000;

export function syncClient(baseUrl: string, fetchLike: Fetch = fetch): SyncClient {
  async function send<T>(method: string, path: string, token: string | undefined, body?: object): Promise<T> {
    const response = await fetchLike(`${baseUrl}/sync/v1${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        "register-version": appVersion,
        "register-capabilities": capabilities.join(","),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const content = (await response.json()) as T & { error: ConstructorParameters<typeof Refusal>[1] };
    if (!response.ok) throw new Refusal(response.status, content.error);
    return content;
  }
  return {
    enrol: (code, name) => send("POST", "/enrol", undefined, { code, name, app_version: appVersion, capabilities }),
    push: (token, sentAt, records) =>
      send("POST", "/push", token, { sent_at: sentAt, app_version: appVersion, capabilities, records }),
    changes: (token, cursor, waitSeconds) =>
      send("GET", `/changes?cursor=${encodeURIComponent(cursor)}&wait=${waitSeconds}`, token),
  };
}
