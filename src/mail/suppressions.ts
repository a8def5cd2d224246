import type { Config } from "../config.ts";
import type { Queryable } from "../db/pool.ts";
import { type Statement, sql } from "../db/sql.ts";
import { uuidBytes, uuidOfBytes } from "../lib/ids.ts";
import { must } from "../lib/must.ts";
import { hmac, isMacOfAny, lastingKeys } from "../lib/secret-keys.ts";

/** Why a business does not mail tickets to an address: the buyer's decision, or a mailbox that does not exist. */
export type Suppression = "unsubscribed" | "bounced";

/** A buyer's address at one business, as it is stored and as it stands in links: nobody reads the address out of it. */
export interface Subscription {
  accountId: string;
  addressHash: Buffer;
  /** As it was stored with keys of before. */
  formerHashes: readonly Buffer[];
}

type Secrets = Pick<Config, "secretKeys" | "retiredKeys">;

export function subscriptionOf(config: Secrets, accountId: string, address: string): Subscription {
  const normalized = address.trim().normalize("NFC").toLowerCase();
  const [addressHash, ...formerHashes] = lastingKeys(config, "mail suppressions").map((key) =>
    hmac(key, `${accountId}\n${normalized}`),
  );
  return { accountId, addressHash: must(addressHash, "There is always a current key"), formerHashes };
}

export async function findSuppression(
  db: Queryable,
  { accountId, addressHash, formerHashes }: Subscription,
): Promise<Suppression | undefined> {
  const { rows } = await db.query<{ reason: Suppression }>(sql`
    select reason from mail_suppressions
    where account_id = ${accountId} and address_hash = any(${[addressHash, ...formerHashes]}::bytea[])
    order by reason = 'unsubscribed' desc limit 1`);
  return rows[0]?.reason;
}

/** What the buyer decided is never replaced by what a server said. */
export function suppress({ accountId, addressHash }: Subscription, reason: Suppression, now: Date): Statement {
  return sql`
    insert into mail_suppressions as s (account_id, address_hash, reason, created_at)
    values (${accountId}, ${addressHash}, ${reason}, ${now})
    on conflict (account_id, address_hash) do update set reason = excluded.reason, created_at = excluded.created_at
    where s.reason = 'bounced'`;
}

/** Only the buyer takes an unsubscription back. */
export function unsuppress({ accountId, addressHash, formerHashes }: Subscription, reason: Suppression): Statement {
  return sql`
    delete from mail_suppressions
    where account_id = ${accountId} and address_hash = any(${[addressHash, ...formerHashes]}::bytea[]) and reason = ${reason}`;
}

export const unsubscribePath = "/baja";

/** The page on which a buyer stops the tickets of a business. What it knows of him is in the query, which no log has. */
export function unsubscribeLink(config: Secrets & Pick<Config, "publicUrl">, subscription: Subscription): string {
  const content = Buffer.concat([uuidBytes(subscription.accountId), subscription.addressHash]);
  const [key] = lastingKeys(config, "unsubscribe links");
  const signature = hmac(key, content);
  const token = Buffer.concat([content, signature]).toString("base64url");
  return `${config.publicUrl}${unsubscribePath}?t=${token}`;
}

const idBytes = 16;
const macBytes = 32;

/** Undefined for a link that we did not make. */
export function readUnsubscribeToken(config: Secrets, token: string): Subscription | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== idBytes + 2 * macBytes) return undefined;
  const content = bytes.subarray(0, idBytes + macBytes);
  const mac = bytes.subarray(idBytes + macBytes);
  if (!isMacOfAny(mac, lastingKeys(config, "unsubscribe links"), (key) => hmac(key, content))) return undefined;
  const accountId = uuidOfBytes(content.subarray(0, idBytes));
  // Found by subscriptionOf under this hash, which may be of a key of before.
  return { accountId, addressHash: content.subarray(idBytes), formerHashes: [] };
}
