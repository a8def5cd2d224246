import type { Client, Queryable } from "../../db/pool.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { sql } from "../../db/sql.ts";
import { endpointNotFound } from "./endpoint-not-found.ts";
import { openHeaders } from "./own-headers.ts";
import type { SecretBox } from "./secret-box.ts";

export type EndpointStatus = "active" | "paused" | "deactivated";

/** An endpoint as the portal shows it. Its secret is shown once, when it is created. */
export interface Endpoint {
  id: string;
  /** The owner's own name for it. */
  name: string | null;
  url: string;
  event_types: string[];
  /** Of its own headers; their values are not shown. */
  header_names: string[];
  /** Only what belongs to these sedes, and what belongs to none; null: everything. */
  location_ids: string[] | null;
  /** Only orders and sales of these sources; null: of all. */
  sources: string[] | null;
  /** Deliveries a second; null: as many as it takes. */
  per_second: number | null;
  status: EndpointStatus;
  created_at: Date;
  updated_at: Date;
  consecutive_failures: number;
  failing_since: Date | null;
  secret_overlap_until: Date | null;
  /** The last attempt that failed, tests aside. */
  last_failure: { at: Date; failure: string; status: number | null } | null;
}

export const maxEndpointsPerAccount = 5;

interface EndpointRow extends Omit<Endpoint, "last_failure"> {
  last_failure_at: Date | null;
  last_failure: string;
  last_failure_status: number | null;
}

/** `secret_overlap_until` is null once it has passed. */
export async function listEndpoints(db: Reads, accountId: string, now: Date): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointRow>(sql`
    select id, name, url, event_types, header_names, location_ids, sources, per_second, status, created_at, updated_at, consecutive_failures, failing_since,
      case when secret_overlap_until > ${now} then secret_overlap_until end as secret_overlap_until,
      last_failure_at, last_failure, last_failure_status
    from webhook_endpoints where account_id = ${accountId} order by created_at, id`);
  return rows.map(
    ({ last_failure_at: at, last_failure: failure, last_failure_status: status, ...endpoint }): Endpoint => ({
      ...endpoint,
      last_failure: at === null ? null : { at, failure, status },
    }),
  );
}

export async function findEndpoint(db: Queryable, accountId: string, id: string, now: Date): Promise<Endpoint> {
  const found = (await listEndpoints(db, accountId, now)).find((endpoint) => endpoint.id === id);
  if (!found) throw endpointNotFound();
  return found;
}

/** Locks an endpoint's row until the transaction ends; required before its deliveries are dropped. */
export async function lockEndpoint(
  client: Client,
  accountId: string,
  id: string,
): Promise<{ url: string; status: EndpointStatus; consecutive_failures: number; failing_since: Date | null }> {
  const { rows } = await client.query(sql`
    select url, status, consecutive_failures, failing_since from webhook_endpoints
    where account_id = ${accountId} and id = ${id} for update`);
  if (!rows[0]) throw endpointNotFound();
  return rows[0];
}

/** Called after every change of a status, with the account's clock held: writers read this flag instead of the endpoints. */
export async function refreshFansOut(client: Client, accountId: string): Promise<void> {
  await client.query(sql`
    update account_clock set fans_out = exists (
      select from webhook_endpoints where account_id = ${accountId} and status = 'active')
    where account_id = ${accountId}`);
}

/** What sending needs to know of an endpoint; a new `version` means that it must be read again. */
export interface SendingEndpoint {
  accountId: string;
  id: string;
  version: number;
  url: string;
  secret: string;
  previous: { secret: string; until: Date } | null;
  ownHeaders: Record<string, string>;
  /** Deliveries a second, of all processes together; null: as many as it takes. */
  perSecond: number | null;
}

/** Leaves out endpoints whose secret cannot be read (SECRET_KEY has changed), so that the others are still sent to. */
export async function loadForSending(
  db: Queryable,
  box: SecretBox,
  ids: readonly { accountId: string; endpointId: string }[],
  onUnreadable: (endpointId: string, error: unknown) => void,
): Promise<SendingEndpoint[]> {
  const accountIds = ids.map(({ accountId }) => accountId);
  const { rows } = await db.query(sql`
    select p.account_id, p.id, p.version, p.url, p.secret, p.previous_secret, p.secret_overlap_until, p.own_headers, p.per_second
    from webhook_endpoints p
    where p.account_id = any(${accountIds}::uuid[]) and p.id = any(${ids.map(({ endpointId }) => endpointId)}::uuid[])`);
  return rows.flatMap((row): SendingEndpoint[] => {
    const { account_id: accountId, id, version, url, secret_overlap_until: until } = row;
    try {
      const secret = box.open(row.secret, id);
      const previous = row.previous_secret && { secret: box.open(row.previous_secret, id), until };
      const ownHeaders = openHeaders(box, id, row.own_headers);
      return [{ accountId, id, version, url, secret, previous, ownHeaders, perSecond: row.per_second }];
    } catch (error) {
      onUnreadable(id, error);
      return [];
    }
  });
}

/** The secrets that sign at this time, the newest first. */
export function signingSecrets({ secret, previous }: SendingEndpoint, at: Date): string[] {
  return previous !== null && at < previous.until ? [secret, previous.secret] : [secret];
}
