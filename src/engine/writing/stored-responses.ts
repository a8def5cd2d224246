import { hash } from "node:crypto";
import { bytesArray, instantArray, plainArray, textArray } from "../../db/arrays.ts";
import { prepared, type Statement, sql, unnested } from "../../db/sql.ts";
import { forAccounts, ofAccountRows } from "../account-rows.ts";

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
  account_id: string;
  key: string;
  fingerprint: Buffer;
  status: number;
  headers: string;
  body: string;
}

/** An operation of an account. */
export interface AccountKey {
  accountId: string;
  once: IdempotencyKey;
}

export function findResponses(keys: readonly AccountKey[]): Statement {
  // This form and the one of storing a single response have no arrays to take apart.
  const [first, ...others] = keys;
  if (first && others.length === 0) {
    const { accountId, once } = first;
    return sql`
      select account_id, key, fingerprint, status, headers, body from idempotency_keys
      where account_id = ${accountId} and key = ${once.key} and created_at > ${once.validAfter}
      order by created_at desc limit 1`;
  }
  const accounts = keys.map(({ accountId }) => accountId);
  const asked = [textArray(keys.map(({ once }) => once.key)), instantArray(keys.map(({ once }) => once.validAfter))];
  return new Set(accounts).size === 1
    ? prepared(findOfOneText, [accounts[0], ...asked])
    : prepared(findText, [plainArray(accounts), ...asked]);
}

/** Of one account: on Citus it tells the shard. A condition by all accounts would be planned anew for each number of them. */
const findOfOneText = `
  select $1::uuid as account_id, k.key, r.*
  from ${unnested("$2::text[]", "$3::timestamptz[]")} as k(key, valid_after) cross join ${foundOf("$1::uuid")}`;

const findText = `
  select k.account_id, k.key, r.*
  from ${unnested("$1::uuid[]", "$2::text[]", "$3::timestamptz[]")} as k(account_id, key, valid_after)
  cross join ${foundOf("k.account_id")}`;

function foundOf(account: string): string {
  return `lateral (
    select i.fingerprint, i.status, i.headers, i.body from idempotency_keys i
    where i.account_id = ${account} and i.key = k.key and i.created_at > k.valid_after
    order by i.created_at desc limit 1) r`;
}

export interface NewResponse {
  accountId: string;
  at: Date;
  once: IdempotencyKey;
  response: StoredResponse;
}

export function storeResponses(responses: readonly NewResponse[]): Statement {
  const [first, ...others] = responses;
  if (first && others.length === 0) return storeOne(first);
  const values = [
    textArray(responses.map(({ once }) => once.key)),
    instantArray(responses.map(({ at }) => at)),
    bytesArray(responses.map(({ once }) => once.fingerprint)),
    plainArray(responses.map(({ response }) => response.status)),
    textArray(responses.map(({ response }) => JSON.stringify(response.headers))),
    textArray(responses.map(({ response }) => response.body)),
  ];
  return ofAccountRows(
    storeForms,
    responses.map(({ accountId }) => accountId),
    values,
  );
}

const stored = ["text", "timestamptz", "bytea", "int", "text", "text"];

const storeForms = forAccounts(
  `insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
   select c.account_id, r.key, r.at, r.fingerprint, r.status, r.headers::json, r.body`,
  {
    names: "key, at, fingerprint, status, headers, body",
    arrays: stored.map((type, i) => `$${i + 2}::${type}[]`),
    last: stored.length + 1,
  },
);

function storeOne({ accountId, at, once, response }: NewResponse): Statement {
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    values (${accountId}, ${once.key}, ${at}, ${once.fingerprint}, ${response.status}, ${JSON.stringify(response.headers)}, ${response.body})`;
}

/** The advisory lock of an operation. */
export function operationLock(accountId: string, key: string): bigint {
  return hash("sha256", `${accountId}\n${key}`, "buffer").readBigInt64BE();
}
