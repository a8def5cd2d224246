import { randomUUID } from "node:crypto";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import type { Service } from "./service.ts";

export const remoteEdit = "product.remote_edit.1";
/** Of a register that uploads returns. */
export const ableToReturn = [remoteEdit, "return.1"];

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a register would, without types
type Json = any;

export interface SyncAnswer {
  status: number;
  headers: Headers;
  body: Json;
}

/** One record of a push, without its number. */
export interface Record {
  type: string;
  id?: string;
  op?: "upsert" | "delete";
  base_seq?: number | null;
  edited_at?: string | null;
  changed?: string[] | null;
  data?: object | null;
  payments?: object[];
  ticket_number?: number;
}

/** A minimal register: it numbers what it sends and remembers nothing else. */
export interface Till {
  deviceId: string;
  token: string;
  /** The number of the next record. */
  next: number;
  /** Pushes records under the next numbers; returns the whole response. */
  push(records: Record[], envelope?: object): Promise<SyncAnswer>;
  /** Pushes one record and returns its result. */
  put(type: string, data: object, options?: Partial<Record>): Promise<Json>;
  pull(query?: string, headers?: { [name: string]: string }): Promise<SyncAnswer>;
  send(method: string, path: string, body?: unknown, headers?: { [name: string]: string }): Promise<SyncAnswer>;
}

export async function enrol(
  service: Service,
  accountId: string,
  { name = "Caja 1", capabilities = [remoteEdit] as string[] | null, clock = () => new Date() } = {},
): Promise<Till> {
  const { code } = await createEnrolmentCode(service.deps, { accountId, name });
  const enrolled = await syncSend(service.baseUrl, undefined, "POST", "/enrol", {
    code,
    name,
    app_version: "3.8.1",
    ...(capabilities && { capabilities }),
  });
  if (enrolled.status !== 201) throw new Error(`enrolment failed: ${JSON.stringify(enrolled.body)}`);
  return tillOf(service, enrolled.body, clock);
}

export function tillOf(
  service: Pick<Service, "baseUrl">,
  { device_id, token }: { device_id: string; token: string },
  clock: () => Date = () => new Date(),
): Till {
  const till: Till = {
    deviceId: device_id,
    token,
    next: 1,
    send: (method, path, body, headers) => syncSend(service.baseUrl, till.token, method, path, body, headers),
    push(records, envelope = {}) {
      const sent_at = clock().toISOString();
      const numbered = records.map((record) => ({
        device_seq: till.next++,
        id: randomUUID(),
        op: "upsert",
        edited_at: sent_at,
        ...record,
      }));
      return till.send("POST", "/push", { sent_at, records: numbered, ...envelope });
    },
    async put(type, data, options = {}) {
      const { id, ...fields } = data as { id?: string };
      const answer = await till.push([{ type, ...(id && { id }), data: fields, ...options }]);
      if (answer.status !== 200) throw new Error(`push failed: ${JSON.stringify(answer.body)}`);
      return answer.body.results[0];
    },
    pull: (query = "", headers) => till.send("GET", `/changes${query}`, undefined, headers),
  };
  return till;
}

export async function syncSend(
  baseUrl: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: { [name: string]: string } = {},
): Promise<SyncAnswer> {
  const response = await fetch(`${baseUrl}/sync/v1${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** A record without what the server owns, as a register uploads it. */
export function upload<B extends object>(body: B): Omit<B, "object" | "created_at" | "updated_at" | "stock"> {
  const { object, created_at, updated_at, stock, has_variants, invoices, deleted_at, version, location_id, ...data } =
    body as Json;
  return data;
}
