import type { Client, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { AuditAction } from "./audit-actions.ts";
import { type ChainedEntry, chainColumns, contentOf } from "./audit-chain.ts";

/**
 * By which way a change was made: the portal, the command line, a register, the service by itself, an assistant with a key; a stranger
 * failed to sign in.
 */
export const actorKinds = ["owner", "operator", "register", "service", "stranger", "assistant"] as const;

/** Who made a change and, if known, from where. */
export interface Actor {
  kind: (typeof actorKinds)[number];
  sessionId: string | null;
  remoteAddress: string | null;
  /** The person who acted, as far as it is known, and the role in which it was done. */
  personId?: string;
  /** At the time; without it, the entry of somebody who acts in the portal takes it from the person. */
  personName?: string;
  role?: string;
}

export const theService: Actor = { kind: "service", sessionId: null, remoteAddress: null };
/** Whoever uses the installation's command line. */
export const theOperator: Actor = { kind: "operator", sessionId: null, remoteAddress: null };

export interface NewEntry {
  accountId: string;
  at: Date;
  action: AuditAction;
  /** `before` and `after` are what a change replaced, and by what. */
  details: Record<string, unknown>;
  actor: Actor;
}

/** A connection with a transaction: the pool, which has a count of connections, is none. */
type InTransaction = Pick<Queryable, "query"> & { totalCount?: never };

/**
 * Writes an entry in the account's audit log, always in the transaction that makes the change, so that both commit or
 * neither does. Details never contain a secret or a code.
 *
 * The first statement moves the end of the account's chain and holds it until the transaction ends; the second takes the entry's
 * number and hashes from it. They are sent together. Whoever holds the end must not wait for a lock on the account's row.
 */
export async function recordAudit(client: InTransaction, entry: NewEntry, times: number | null = null): Promise<void> {
  const { accountId, at, action, actor } = entry;
  const personName = actor.personName ?? (await nameOf(client, actor));
  const said = {
    account_id: accountId,
    id: uuidv7(at),
    created_at: at,
    action,
    details: JSON.stringify(entry.details),
    actor: actor.kind,
    session_id: actor.sessionId,
    remote_address: actor.remoteAddress,
    person_id: actor.personId ?? null,
    person_name: personName ?? null,
    role: actor.role ?? null,
  };
  const content = contentOf(said);
  await Promise.all([
    client.query(sql`
      insert into audit_heads (account_id, count, previous, hash)
      values (${accountId}, 1, '', sha256(int8send(1) || ${content}))
      on conflict (account_id) do update set count = audit_heads.count + 1, previous = audit_heads.hash,
        hash = sha256(audit_heads.hash || int8send(audit_heads.count + 1) || ${content})`),
    client.query(sql`
      insert into audit_log (account_id, created_at, id, action, details, actor, session_id, remote_address,
        person_id, person_name, role, seq, previous, hash, times, times_hash)
      select h.account_id, ${at}::timestamptz, ${said.id}::uuid, ${action}, ${said.details}::json, ${said.actor},
        ${said.session_id}::uuid, ${said.remote_address}, ${said.person_id}::uuid, ${said.person_name}, ${said.role},
        h.count, h.previous, h.hash, ${times}::int, sha256(h.hash || int8send(${times}::int))
      from audit_heads h where h.account_id = ${accountId}`),
  ]);
}

/** A stranger may have tried to be the person: no name is theirs. */
async function nameOf(client: InTransaction, { kind, personId }: Actor): Promise<string | undefined> {
  if (kind !== "owner" || personId === undefined) return undefined;
  const { rows } = await client.query<{ name: string }>(sql`
    select coalesce(nullif(name, ''), email) as name from people where id = ${personId}`);
  return rows[0]?.name;
}

/**
 * Replaces what entries say in detail, such as a person's name that must be forgotten. The chain keeps the digest of what stood there, and an
 * entry of its own holds that of what stands there now: `verify` accepts exactly these changes.
 */
export async function redactAudit(
  client: Client,
  { accountId, at, actor }: { accountId: string; at: Date; actor: Actor },
  replacements: readonly { id: string; created_at: Date; details: Record<string, unknown> }[],
): Promise<void> {
  if (replacements.length === 0) return;
  const entries = [];
  for (const { id, created_at, details: given } of replacements) {
    const { rows } = await client.query<ChainedEntry>({
      text: `select ${chainColumns} from audit_log where account_id = $1 and created_at = $2 and id = $3 for update`,
      values: [accountId, created_at, id],
    });
    const entry = oneRow(rows);
    const details = JSON.stringify(given);
    const digest = contentOf({ ...entry, details }).toString("hex");
    await client.query(sql`
      update audit_log set details = ${details}, replaced = ${entry.replaced ?? contentOf(entry)}
      where account_id = ${accountId} and created_at = ${created_at} and id = ${id}`);
    entries.push({ id, digest });
  }
  await recordAudit(client, { accountId, at, action: "audit.redacted", details: { entries }, actor });
}

/**
 * Drops an account's oldest entries, up to the first that is younger. Where the chain begins then, its end remembers.
 * Returns how many were dropped.
 */
export async function forgetAudit(client: Client, accountId: string, before: Date): Promise<number> {
  const { rows } = await client.query<{ seq: number; hash: Buffer }>(sql`
    select seq, hash from audit_log
    where account_id = ${accountId} and seq < (
      select coalesce(min(seq), (select count + 1 from audit_heads where account_id = ${accountId}))
      from audit_log where account_id = ${accountId} and created_at >= ${before})
    order by seq desc limit 1`);
  const last = rows[0];
  if (!last) return 0;
  await client.query(sql`
    update audit_heads set kept_seq = ${last.seq}, kept_hash = ${last.hash} where account_id = ${accountId}`);
  const { rowCount } = await client.query(
    sql`delete from audit_log where account_id = ${accountId} and seq <= ${last.seq}`,
  );
  return rowCount ?? 0;
}
