import { createHash } from "node:crypto";
import { jsonArray } from "../../db/json-array.ts";
import { type Statement, sql } from "../../db/sql.ts";

/** Identifies an operation that must happen only once, however often it is retried. */
export interface IdempotencyKey {
  key: string;
  fingerprint: Buffer;
  /** An operation stored before this no longer counts as the same one. */
  validAfter: Date;
  requestId: string;
}

/** An operation's HTTP response, stored verbatim. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface FoundResponse {
  key: string;
  fingerprint: Buffer;
  status: number;
  headers: string;
  body: string;
}

export function findResponses(accountId: string, keys: readonly IdempotencyKey[]): Statement {
  // Few accounts have two writers at once; this form and the one of storing have no arrays to take apart.
  if (keys.length === 1)
    return sql`
      select key, fingerprint, status, headers, body from idempotency_keys
      where account_id = ${accountId} and key = ${keys[0]!.key} and created_at > ${keys[0]!.validAfter}
      order by created_at desc limit 1`;
  return sql`
    select k.key, r.* from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ validAfter }) => validAfter)}::timestamptz[])
      as k(key, valid_after)
    cross join lateral (
      select fingerprint, status, headers, body from idempotency_keys
      where account_id = ${accountId} and key = k.key and created_at > k.valid_after
      order by created_at desc limit 1) r`;
}

export interface NewResponse {
  at: Date;
  once: IdempotencyKey;
  response: StoredResponse;
}

export function storeResponses(accountId: string, responses: readonly NewResponse[]): Statement {
  if (responses.length === 1) return storeOne(accountId, responses[0]!);
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    select c.account_id, r.key, r.at, r.fingerprint, r.status, r.headers, r.body::text from account_clock c cross join unnest(
      ${responses.map(({ once }) => once.key)}::text[], ${responses.map(({ at }) => at)}::timestamptz[],
      ${responses.map(({ once }) => once.fingerprint)}::bytea[], ${responses.map(({ response }) => response.status)}::int[],
      ${jsonArray(responses.map(({ response }) => JSON.stringify(response.headers)))}::json[],
      ${jsonArray(responses.map(({ response }) => response.body))}::json[])
      as r(key, at, fingerprint, status, headers, body)
    where c.account_id = ${accountId}`;
}

function storeOne(accountId: string, { at, once, response }: NewResponse): Statement {
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    values (${accountId}, ${once.key}, ${at}, ${once.fingerprint}, ${response.status}, ${JSON.stringify(response.headers)}, ${response.body})`;
}

/** The advisory lock of an operation. */
export function operationLock(accountId: string, key: string): bigint {
  return createHash("sha256").update(`${accountId}\n${key}`).digest().readBigInt64BE();
}
