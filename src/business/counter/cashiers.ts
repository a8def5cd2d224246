import { pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { AuditAction } from "../../access/accounts/audit-actions.ts";
import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import { type CounterRight, grantedOf } from "../../access/people/counter-rights.ts";
import type { CounterPlace } from "../../access/people/follow-at-counter.ts";
import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { hmac, lastingKeys } from "../../lib/secret-keys.ts";
import { type Granted, type Right, rightsOf } from "./rights.ts";

/** A cashier as the owner sees her; the PIN is known to nobody. */
export interface Cashier {
  id: string;
  name: string;
  /** All that she may do besides selling. */
  permissions: Right[];
  /** The sedes where she works; null for all of them, also those to come. */
  location_ids: string[] | null;
  /** The person of the business who she is: her name, sedes and rights are those of her role. Null of somebody who is only a cashier. */
  person_id: string | null;
  created_at: Date;
}

/** A person of the business whose role lets her attend, and who is no cashier yet. */
export type MayAttend = Pick<Cashier, "id" | "name" | "permissions" | "location_ids">;

export interface CashierChanges {
  name?: string | undefined;
  pin?: string | undefined;
  permissions?: readonly Right[] | undefined;
  location_ids?: readonly string[] | null | undefined;
}

/** A new one works everywhere unless it is said where. */
export type NewCashier = Required<{ [Key in "name" | "pin" | "permissions"]: NonNullable<CashierChanges[Key]> }> &
  Pick<CashierChanges, "location_ids"> & { person_id?: string };

type CashierDeps = WritingDeps & Pick<CoreDeps, "config">;

/** More than any counter has; a page of the feed holds them all. */
export const maxCashiers = 200;

/** About 0.3 s per attempt on a tablet: PINs are short, and whoever takes one home has their hashes. */
export const pinRounds = 600_000;

export async function hashPin(pin: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await promisify(pbkdf2)(pin, salt, pinRounds, 32, "sha256");
  return ["pbkdf2-sha256", pinRounds, salt.toString("base64url"), key.toString("base64url")].join("$");
}

async function isPin(pin: string, hash: string): Promise<boolean> {
  const [, rounds, salt, key] = hash.split("$");
  const expected = Buffer.from(key!, "base64url");
  const derived = await promisify(pbkdf2)(pin, Buffer.from(salt!, "base64url"), Number(rounds), 32, "sha256");
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/** With each key that it may have been made with, the current one first. The account in it keeps equal PINs apart. */
function keyedHashes({ config }: Pick<CoreDeps, "config">, accountId: string, pin: string): [Buffer, ...Buffer[]] {
  const [first, ...former] = lastingKeys(config, "cashier pins");
  return [hmac(first, accountId, pin), ...former.map((key) => hmac(key, accountId, pin))];
}

/** A PIN as its owner will have it: of whom, and where she works (null for all sedes). */
export interface WantedPin {
  pin: string;
  location_ids: readonly string[] | null;
  /** Without it, of somebody new. */
  ownerId?: string | undefined;
}

/**
 * Whether somebody whom she may meet at a register has this PIN: then each of them could sign as the other. Of those who work only in
 * other sedes nothing is told. Those set by the version before are derived one after the
 * other, so that an owner with many people does not keep all threads busy.
 */
export async function isPinTaken(
  deps: Pick<CoreDeps, "config" | "pool">,
  accountId: string,
  { pin, location_ids, ownerId }: WantedPin,
): Promise<boolean> {
  const { rows } = await deps.pool.query<{ pin_hash: string; pin_keyed_hash: Buffer | null }>(sql`
    select pin_hash, pin_keyed_hash from cashiers
    where account_id = ${accountId} and deleted_at is null and id is distinct from ${ownerId ?? null}::uuid
      and (location_ids is null or ${placesIn(location_ids)}::uuid[] is null or location_ids && ${placesIn(location_ids)}::uuid[])`);
  const hashes = keyedHashes(deps, accountId, pin);
  if (rows.some(({ pin_keyed_hash: own }) => own !== null && hashes.some((one) => one.equals(own)))) return true;
  for (const { pin_hash, pin_keyed_hash } of rows)
    if (pin_keyed_hash === null && (await isPin(pin, pin_hash))) return true;
  return false;
}

/** The same of a cashier who keeps her PIN and works elsewhere from now on. */
export async function meetsSamePin(
  db: Queryable,
  accountId: string,
  { id, location_ids }: Pick<Cashier, "id" | "location_ids">,
): Promise<boolean> {
  const { rows } = await db.query(sql`
    select 1 from cashiers own join cashiers other
      on other.account_id = own.account_id and other.id <> own.id and other.pin_keyed_hash = own.pin_keyed_hash
    where own.account_id = ${accountId} and own.id = ${id} and other.deleted_at is null
      and (other.location_ids is null or ${placesIn(location_ids)}::uuid[] is null
        or other.location_ids && ${placesIn(location_ids)}::uuid[])
    limit 1`);
  return rows.length > 0;
}

export async function listCashiers(db: Queryable, accountId: string): Promise<Cashier[]> {
  const { rows } = await db.query<Omit<Cashier, "permissions"> & Granted>(sql`
    select id, name, permissions, rights, location_ids, person_id, created_at from cashiers
    where account_id = ${accountId} and deleted_at is null order by name, id`);
  return rows.map(({ id, name, created_at, location_ids, person_id, ...granted }) => ({
    ...{ id, name, created_at, location_ids, person_id },
    permissions: rightsOf(granted),
  }));
}

const placesIn = (ids: readonly string[] | null | undefined) => ids?.map((id) => id.toLowerCase()) ?? null;

/** Undefined when the business has too many already. */
export async function createCashier(
  deps: CashierDeps,
  accountId: string,
  input: NewCashier,
  actor: Actor,
): Promise<Cashier | undefined> {
  const pinHash = await hashPin(input.pin);
  const [keyedHash] = keyedHashes(deps, accountId, input.pin);
  return writing(deps, accountId, async (write) => {
    const known = await listCashiers(write.client, accountId);
    if (input.person_id !== undefined) requireNotThere(known, input.person_id);
    if (known.length >= maxCashiers) {
      write.discard();
      return undefined;
    }
    const { name } = input;
    const { permissions, rights } = grantedOf(input.permissions);
    const cashier: Cashier = {
      id: uuidv7(write.at),
      name,
      permissions: rightsOf({ permissions, rights }),
      location_ids: placesIn(input.location_ids),
      person_id: input.person_id ?? null,
      created_at: write.at,
    };
    write.moveFeed();
    write.addStatement(sql`
      insert into cashiers (account_id, id, seq, name, pin_hash, pin_keyed_hash, permissions, rights, location_ids, person_id,
        created_at, updated_at)
      values (${accountId}, ${cashier.id}, ${write.seq}, ${name}, ${pinHash}, ${keyedHash}, ${permissions}, ${rights},
        ${cashier.location_ids}::uuid[], ${cashier.person_id}, ${write.at}, ${write.at})`);
    await recordAudit(write.client, { accountId, at: write.at, action: "cashier.created", details: { name }, actor });
    return cashier;
  });
}

/** Asked behind the account's lock: two who add her at the same moment add her once. */
function requireNotThere(known: readonly Cashier[], personId: string): void {
  if (known.some(({ person_id }) => person_id === personId))
    throw validationError([{ param: "person_id", message: "Esta persona ya atiende. Cambie su PIN en la lista." }]);
}

/** Makes somebody who was typed as a cashier the person of the business who she is. Her PIN and what she sold stay hers. */
export async function joinCashier(
  deps: WritingDeps,
  accountId: string,
  { id, personId, place }: { id: string; personId: string; place: CounterPlace & { rights: CounterRight[] } },
  actor: Actor,
): Promise<boolean> {
  const { permissions, rights } = grantedOf(place.rights);
  const changes = { name: place.name, permissions: place.rights };
  return change(
    deps,
    { accountId, id, action: "cashier.updated", actor, changes, check: (known) => requireNotThere(known, personId) },
    (at, seq) => sql`
    update cashiers set seq = ${seq}, updated_at = ${at}, person_id = ${personId}, name = ${place.name},
      permissions = ${permissions}, rights = ${rights}, location_ids = ${place.location_ids}::uuid[]
    where account_id = ${accountId} and id = ${id}`,
  );
}

/** False when there is no such cashier. */
export async function updateCashier(
  deps: CashierDeps,
  accountId: string,
  id: string,
  changes: CashierChanges,
  actor: Actor,
): Promise<boolean> {
  const pinHash = changes.pin === undefined ? null : await hashPin(changes.pin);
  const keyedHash = changes.pin === undefined ? null : keyedHashes(deps, accountId, changes.pin)[0];
  const granted = changes.permissions ? grantedOf(changes.permissions) : { permissions: null, rights: null };
  return change(
    deps,
    { accountId, id, action: "cashier.updated", actor, changes },
    (at, seq) => sql`
    update cashiers set seq = ${seq}, updated_at = ${at}, name = coalesce(${changes.name ?? null}, name),
      pin_hash = coalesce(${pinHash}, pin_hash), pin_keyed_hash = coalesce(${keyedHash}, pin_keyed_hash),
      permissions = coalesce(${granted.permissions}, permissions),
      rights = coalesce(${granted.rights}, rights),
      location_ids = case when ${changes.location_ids !== undefined} then ${placesIn(changes.location_ids)}::uuid[] else location_ids end
    where account_id = ${accountId} and id = ${id}`,
  );
}

export async function retireCashier(deps: WritingDeps, accountId: string, id: string, actor: Actor): Promise<boolean> {
  return change(
    deps,
    { accountId, id, action: "cashier.retired", actor },
    (at, seq) => sql`
    update cashiers set seq = ${seq}, updated_at = ${at}, deleted_at = ${at}
    where account_id = ${accountId} and id = ${id}`,
  );
}

async function change(
  deps: WritingDeps,
  target: {
    accountId: string;
    id: string;
    action: AuditAction;
    actor: Actor;
    changes?: CashierChanges;
    check?: (known: readonly Cashier[]) => void;
  },
  statement: (at: Date, seq: number) => ReturnType<typeof sql>,
): Promise<boolean> {
  const { accountId, id, action, actor } = target;
  return writing(deps, accountId, async (write) => {
    const all = await listCashiers(write.client, accountId);
    target.check?.(all);
    const known = all.find((one) => one.id === id.toLowerCase());
    if (!known) {
      write.discard();
      return false;
    }
    write.moveFeed();
    write.addStatement(statement(write.at, write.seq));
    const details = { name: known.name, ...(target.changes && changeOf(known, target.changes)) };
    await recordAudit(write.client, { accountId, at: write.at, action, details, actor });
    return true;
  });
}

/** What the audit log tells of a change; of a PIN only that it is another one. */
function changeOf({ name, permissions }: Cashier, changes: CashierChanges): object {
  const after = { name: changes.name ?? name, permissions: changes.permissions ?? permissions };
  return { before: { name, permissions }, after, pin_changed: changes.pin !== undefined };
}
