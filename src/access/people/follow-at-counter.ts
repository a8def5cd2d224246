import { plainArray } from "../../db/arrays.ts";
import { ofAllAccounts } from "../../db/nodes.ts";
import type { Client, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { validationError } from "../../lib/errors.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { type Actor, recordAudit, theService } from "../accounts/record-audit.ts";
import { atCounter, type CounterRight, grantedOf } from "./counter-rights.ts";
import { type StandingRow, standingOf } from "./membership.ts";

/** A connection with a transaction that holds the account's lock. */
type Locked = Pick<Queryable, "query"> & { totalCount?: never };

/** A cashier who is a person of the business, as her row is. */
interface Linked {
  id: string;
  person_id: string;
  name: string;
  permissions: string[];
  rights: string[] | null;
  location_ids: string[] | null;
}

/** What a person of the business is at its registers: it follows from her name and her role. */
export interface CounterPlace {
  name: string;
  /** What she may do besides selling; undefined if she does not attend. */
  rights: CounterRight[] | undefined;
  location_ids: string[] | null;
}

/** What each of these persons is at the registers. Whoever does not belong to the business is left out. */
export async function counterPlaces(
  db: Pick<Queryable, "query">,
  accountId: string,
  personIds: readonly string[] | null,
): Promise<Map<string, CounterPlace>> {
  const wanted = personIds && plainArray(personIds);
  const { rows } = await db.query<StandingRow & { id: string; name: string; email: string }>(sql`
    select p.id, p.name, p.email, m.role, m.location_ids, r.name as role_name, r.rights as role_rights
    from memberships m join people p on p.id = m.person_id left join roles r on r.id = m.role_id
    where m.account_id = ${accountId} and (${wanted}::uuid[] is null or m.person_id = any(${wanted}::uuid[]))`);
  return new Map(rows.map((row) => [row.id, placeOf(row)]));
}

function placeOf(row: StandingRow & { name: string; email: string }): CounterPlace {
  const { rights, locationIds } = standingOf(row);
  return { name: nameAtCounter(row), rights: atCounter(rights), location_ids: locationIds && [...locationIds] };
}

/** Of somebody who has not said her name, the first half of her address. */
const nameAtCounter = ({ name, email }: { name: string; email: string }) =>
  (name === "" ? email.slice(0, email.indexOf("@")) : name).slice(0, 80);

interface Cause {
  accountId: string;
  at: Date;
  actor: Actor;
}

/** Changes who belongs to a business, what they may do or how they are called, and lets the registers know in the same transaction. */
export async function changingPeople<T>(
  deps: CoreDeps,
  cause: Cause,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { accountId } = cause;
  const { result, isTold } = await withAccountLock(deps, accountId, async (client) => {
    const ended = await endedByRole(client, accountId);
    const result = await work(client);
    const isBack = await bringBack(client, accountId, ended);
    return { result, isTold: (await followAtCounter(client, cause)) || isBack };
  });
  if (isTold) deps.feed?.announce(accountId);
  return result;
}

/**
 * Makes the cashiers who are persons of the business what their roles say. Whoever left, or may attend no more, ends at the registers.
 * Resolves with whether registers have something to receive.
 */
export async function followAtCounter(client: Locked, { accountId, at, actor }: Cause): Promise<boolean> {
  const { rows: linked } = await client.query<Linked>(sql`
    select id, person_id, name, permissions, rights, location_ids from cashiers
    where account_id = ${accountId} and person_id is not null and deleted_at is null`);
  if (linked.length === 0) return false;
  const places = await counterPlaces(
    client,
    accountId,
    linked.map(({ person_id }) => person_id),
  );
  const changed = linked.flatMap((cashier) => {
    const place = places.get(cashier.person_id);
    const isHers = place?.rights !== undefined && isSame(cashier, { ...place, ...grantedOf(place.rights) });
    return isHers ? [] : [{ cashier, place }];
  });
  if (changed.length === 0) return false;
  const seq = await moveFeed(client, accountId);
  for (const { cashier, place } of changed) await change(client, { accountId, at, actor, seq, cashier, place });
  return true;
}

interface Change extends Cause {
  seq: number;
  cashier: Linked;
  place: CounterPlace | undefined;
}

async function change(client: Locked, { accountId, at, actor, seq, cashier, place }: Change): Promise<void> {
  const { id, name } = cashier;
  if (place?.rights === undefined) {
    await client.query(sql`
      update cashiers set seq = ${seq}, updated_at = ${at}, deleted_at = ${at} where account_id = ${accountId} and id = ${id}`);
    await recordAudit(client, { accountId, at, action: "cashier.retired", details: { name }, actor });
    return;
  }
  const { permissions, rights } = grantedOf(place.rights);
  await client.query(sql`
    update cashiers set seq = ${seq}, updated_at = ${at}, name = ${place.name}, permissions = ${permissions}, rights = ${rights},
      location_ids = ${place.location_ids}::uuid[]
    where account_id = ${accountId} and id = ${id}`);
  const before = { name, permissions: [...cashier.permissions, ...(cashier.rights ?? [])] };
  const details = { name, before, after: { name: place.name, permissions: place.rights } };
  await recordAudit(client, { accountId, at, action: "cashier.updated", details, actor });
}

/**
 * The same for what a process of the version before changed, which knows of no persons at the registers. Resolves with in how many
 * businesses somebody was different.
 */
export async function followEverywhere(deps: CoreDeps): Promise<number> {
  const { pool, clock } = deps;
  const linked = await ofAllAccounts(pool, async (part) => {
    const text = `select c.account_id, c.person_id, c.updated_at from cashiers c
      where c.person_id is not null and c.deleted_at is null and ${part.of("c.account_id", 1)}`;
    return (
      await pool.query<{ account_id: string; person_id: string; updated_at: Date }>(prepared(text, [...part.values]))
    ).rows;
  });
  if (linked.length === 0) return 0;
  const { rows } = await pool.query<{ account_id: string }>(sql`
    select distinct c.account_id
    from json_to_recordset(${JSON.stringify(linked)}::json) as c(account_id uuid, person_id uuid, updated_at timestamptz)
    left join memberships m on m.account_id = c.account_id and m.person_id = c.person_id
    left join roles r on r.id = m.role_id
    where m.person_id is null or greatest(m.updated_at, r.updated_at) > c.updated_at`);
  let followed = 0;
  for (const { account_id: accountId } of rows) {
    const cause = { accountId, at: clock.now(), actor: theService };
    await deps.partitions.ensure(cause.at);
    const isTold = await withAccountLock(deps, accountId, (client) => followAtCounter(client, cause));
    if (isTold) followed += 1;
  }
  return followed;
}

/** Back at the registers with the PIN that she had, unless somebody has it now: for a removal that is taken back, and a right that is given back. Resolves with whether she is. */
export async function returnToCounter(
  client: Locked,
  { accountId, personId, endedAt }: { accountId: string; personId: string | null; endedAt: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(sql`
    update cashiers c set deleted_at = null
    where account_id = ${accountId} and person_id = ${personId} and deleted_at = ${endedAt} and not exists (
      select from cashiers other
      where other.account_id = c.account_id and other.deleted_at is null
        and (other.person_id = c.person_id or other.pin_keyed_hash = c.pin_keyed_hash))`);
  if (rowCount === 0) return false;
  const seq = await moveFeed(client, accountId);
  await client.query(sql`
    update cashiers set seq = ${seq} where account_id = ${accountId} and person_id = ${personId} and deleted_at is null`);
  return true;
}

interface Ended {
  personId: string;
  endedAt: Date;
}

/** Who left the registers because of the last change of her role, or of what it permits. Whoever was taken off them herself is not among them. */
async function endedByRole(client: Locked, accountId: string): Promise<Ended[]> {
  const { rows: retired } = await client.query<{ person_id: string; deleted_at: Date }>(sql`
    select person_id, deleted_at from cashiers
    where account_id = ${accountId} and person_id is not null and deleted_at is not null`);
  if (retired.length === 0) return [];
  const { rows: changes } = await client.query<{ person_id: string; at: Date; role_at: Date | null }>(sql`
    select m.person_id, m.updated_at as at, r.updated_at as role_at
    from memberships m left join roles r on r.id = m.role_id where m.account_id = ${accountId}`);
  return retired.flatMap(({ person_id: personId, deleted_at: endedAt }) => {
    const last = changes.find((one) => one.person_id === personId);
    const isByRole = [last?.at, last?.role_at].some((at) => at?.getTime() === endedAt.getTime());
    return isByRole ? [{ personId, endedAt }] : [];
  });
}

/** With the right to attend they come back, each with the PIN that she had. Resolves with whether somebody did. */
async function bringBack(client: Locked, accountId: string, ended: readonly Ended[]): Promise<boolean> {
  if (ended.length === 0) return false;
  const ids = ended.map(({ personId }) => personId);
  const places = await counterPlaces(client, accountId, ids);
  let isBack = false;
  for (const { personId, endedAt } of ended)
    if (places.get(personId)?.rights !== undefined)
      isBack = (await returnToCounter(client, { accountId, personId, endedAt })) || isBack;
  return isBack;
}

/** Throws if somebody whom she would meet at the registers of these sedes has her PIN: the one could sign as the other. */
export async function requireOwnPin(
  client: Locked,
  {
    accountId,
    personId,
    location_ids,
  }: { accountId: string; personId: string; location_ids: readonly string[] | null },
): Promise<void> {
  const places = location_ids as string[] | null;
  const { rows } = await client.query<{ name: string }>(sql`
    select own.name from cashiers own join cashiers other
      on other.account_id = own.account_id and other.id <> own.id and other.pin_keyed_hash = own.pin_keyed_hash
    where own.account_id = ${accountId} and own.person_id = ${personId} and own.deleted_at is null and other.deleted_at is null
      and own.location_ids is distinct from ${places}::uuid[]
      and (other.location_ids is null or ${places}::uuid[] is null or other.location_ids && ${places}::uuid[])
    limit 1`);
  if (!rows[0]) return;
  const message = `En esas sedes alguien tiene en la caja el mismo PIN que ${rows[0].name}. Dele antes otro PIN, en Mostrador.`;
  throw validationError([{ param: "location_ids", message }]);
}

/** The next place in the account's order, in the feed of its registers. */
async function moveFeed(client: Locked, accountId: string): Promise<number> {
  const { rows } = await client.query<{ seq: number }>(sql`
    update account_clock set seq = seq + 1, feed_seq = seq + 1, ts = ts + interval '1 millisecond'
    where account_id = ${accountId} returning seq`);
  return oneRow(rows).seq;
}

interface Own {
  name: string;
  permissions: readonly string[];
  rights: readonly string[] | null;
  location_ids: readonly string[] | null;
}

function isSame(one: Own, other: Own): boolean {
  const textOf = ({ name, permissions, rights, location_ids }: Own) =>
    JSON.stringify([name, permissions.toSorted(), rights?.toSorted() ?? null, location_ids?.toSorted() ?? null]);
  return textOf(one) === textOf(other);
}
