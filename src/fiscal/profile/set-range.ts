import { type Actor, recordAudit, theOperator } from "../../access/accounts/record-audit.ts";
import type { Client, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import { isTechnicalKey } from "../content/document-hash.ts";
import type { NumberingRange, RangeKind } from "../numbering/numbering.ts";
import { findUnused, recordSkipped, type SkippedBy, type Stretch } from "../numbering/skipped-numbers.ts";
import { recordTakenBefore } from "../numbering/taken-numbers.ts";
import { readRanges, sealSecret } from "./profile.ts";
import { ProfileError, type ProfileField } from "./profile-error.ts";
import type { ConfiguringDeps } from "./set-profile.ts";

export interface RangeInput {
  kind: Exclude<RangeKind, "internal">;
  prefix: string;
  first: number;
  last: number;
  /** YYYY-MM-DD, Bogotá; absent, as it was. */
  validFrom?: string | null;
  validUntil: string | null;
  technicalKey?: string;
  resolution?: string;
  /** The first number to use here, for a business that used earlier ones elsewhere. */
  next?: number;
  /** Why those numbers are skipped. */
  reason?: string;
  /** Whom it serves; absent, as it was, which for a new one is everybody. */
  place?: RangePlace;
}

/** One register, the registers of one warehouse, those of one sede, or all. */
export type RangePlace =
  | { registerId: string }
  | { warehouseId: string; registers: readonly string[] }
  | { locationId: string }
  | "everywhere";

/**
 * Adds a numbering range, or corrects the one of the same kind, prefix and first number. Two ranges never share a
 * number: the authority accepts each number once.
 */
export async function setRange(
  deps: ConfiguringDeps,
  accountId: string,
  input: RangeInput,
  actor: Actor = theOperator,
): Promise<NumberingRange> {
  return transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(sql`update account_clock set seq = seq where account_id = ${accountId}`);
    if (rowCount === 0) throw new ProfileError("unknown_account", `No existe la cuenta ${accountId}.`);
    const range = await putRange(client, deps, accountId, input, "cli");
    const { kind, prefix, first, last, next, validFrom, validUntil, resolution } = range;
    const key_changed = input.technicalKey !== undefined;
    const validity = { valid_from: validFrom, valid_until: validUntil };
    const { registerId: register_id, warehouseId: warehouse_id, locationId: location_id } = range;
    const place = { register_id, warehouse_id, ...(location_id !== null && { location_id }) };
    const details = { kind, prefix, from: first, to: last, next, ...validity, resolution, ...place, key_changed };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "numbering_range.set", details, actor });
    return range;
  });
}

/** For callers that already hold the account's clock and write the audit log. */
export async function putRange(
  client: Client,
  deps: Omit<ConfiguringDeps, "pool">,
  accountId: string,
  input: RangeInput,
  by: SkippedBy,
): Promise<NumberingRange> {
  const { secretKeys: secretKey } = deps.config;
  const { same, next, skipped } = await planRange(client, secretKey, accountId, input);
  const at = deps.clock.now();
  const rangeId = same?.id ?? uuidv7(at);
  await store(client, deps, accountId, rangeId, input, next);
  await recordTakenBefore(client, accountId, { ...input, id: rangeId }, at);
  if (typeof input.place === "object" && "registers" in input.place) await storePlace(client, accountId, input.place);
  if (skipped.length > 0)
    await recordSkipped(client, accountId, {
      stretches: skipped,
      rangeId,
      reason: must(input.reason, "Without a reason the stretches were refused"),
      by,
      at,
    });
  return must(
    (await readRanges(client, secretKey, accountId)).find((range) => isSame(range, input)),
    "The range has just been stored",
  );
}

/**
 * The range that the input would correct, if there is one, its next number, and the numbers before it that no document
 * will have. Throws when the range could not be stored.
 */
export async function planRange(
  db: Queryable,
  secretKey: SecretKeys,
  accountId: string,
  input: RangeInput,
): Promise<{ same: NumberingRange | undefined; next: number; skipped: Stretch[] }> {
  check(input);
  await checkPlace(db, accountId, input.place);
  const ranges = await readRanges(db, secretKey, accountId);
  const same = ranges.find((range) => isSame(range, input));
  const expected = same?.next ?? input.first;
  const next = Math.max(input.next ?? input.first, expected);
  if (next > input.last + 1)
    throw badRange(`Ya se usaron números hasta ${next - 1}: el rango no puede terminar antes.`, "last");
  const clash = ranges.find(
    (range) =>
      range !== same && range.prefix === input.prefix && range.first <= input.last && input.first <= range.last,
  );
  if (clash) throw badRange(`Se cruza con el rango ${clash.prefix} ${clash.first}–${clash.last}.`, "first");
  if (input.kind === "invoice" && !input.technicalKey && !same?.technicalKey)
    throw badRange("Falta la clave técnica del rango: con ella se calcula el CUFE.", "technicalKey");
  const skipped =
    expected < next ? await findUnused(db, accountId, input.prefix, { first: expected, last: next - 1 }) : [];
  const [first, last] = [skipped[0], skipped.at(-1)];
  if (first && last && !input.reason)
    throw badRange(
      `Los números del ${first.first} al ${last.last} quedarían sin documento. Diga por qué, por ejemplo: usados en otro sistema.`,
      "reason",
    );
  return { same, next, skipped };
}

function isSame(range: NumberingRange, { kind, prefix, first }: RangeInput): boolean {
  return range.kind === kind && range.prefix === prefix && range.first === first;
}

async function store(
  client: Client,
  deps: Omit<ConfiguringDeps, "pool">,
  accountId: string,
  id: string,
  input: RangeInput,
  next: number,
): Promise<void> {
  const now = deps.clock.now();
  const key = input.technicalKey
    ? sealSecret(deps.config.secretKeys, "technical key", accountId, input.technicalKey)
    : null;
  const place = typeof input.place === "object" ? input.place : undefined;
  const registerId = place && "registerId" in place ? place.registerId : null;
  const warehouseId = place && "warehouseId" in place ? place.warehouseId : null;
  const locationId = place && "locationId" in place ? place.locationId : null;
  // A corrected range is told of anew when it ends.
  await client.query(sql`
    insert into numbering_ranges (account_id, id, kind, prefix, first_number, last_number, next_number, valid_from,
      valid_until, technical_key, resolution, register_id, warehouse_id, location_id, created_at)
    values (${accountId}, ${id}, ${input.kind}, ${input.prefix}, ${input.first}, ${input.last}, ${next},
      ${input.validFrom ?? null}, ${input.validUntil}, ${key}, ${input.resolution ?? null}, ${registerId}, ${warehouseId},
      ${locationId}, ${now})
    on conflict (account_id, id) do update set last_number = excluded.last_number, next_number = excluded.next_number,
      valid_from = case when ${input.validFrom !== undefined} then excluded.valid_from else numbering_ranges.valid_from end,
      valid_until = excluded.valid_until,
      technical_key = coalesce(excluded.technical_key, numbering_ranges.technical_key),
      resolution = coalesce(excluded.resolution, numbering_ranges.resolution),
      register_id = case when ${input.place !== undefined} then excluded.register_id else numbering_ranges.register_id end,
      warehouse_id = case when ${input.place !== undefined} then excluded.warehouse_id else numbering_ranges.warehouse_id end,
      location_id = case when ${input.place !== undefined} then excluded.location_id else numbering_ranges.location_id end,
      told = '{}'`);
}

/** Each register stands in one warehouse: the last that names it. */
async function storePlace(
  client: Client,
  accountId: string,
  { warehouseId, registers }: Extract<RangePlace, { warehouseId: string }>,
): Promise<void> {
  await client.query(sql`
    delete from register_places where account_id = ${accountId} and warehouse_id = ${warehouseId}
      and register_id <> all(${registers}::uuid[])`);
  await client.query(sql`
    insert into register_places (account_id, register_id, warehouse_id)
    select ${accountId}::uuid, r, ${warehouseId}::uuid from unnest(${registers}::uuid[]) as r
    on conflict (account_id, register_id) do update set warehouse_id = excluded.warehouse_id`);
}

async function checkPlace(db: Queryable, accountId: string, place: RangePlace = "everywhere"): Promise<void> {
  if (place === "everywhere") return;
  if ("locationId" in place) {
    await checkLocation(db, accountId, place.locationId);
    return;
  }
  const registers = "registerId" in place ? [place.registerId] : place.registers;
  if (registers.length === 0) throw badRange("Diga qué cajas están en esa bodega.", "place");
  const warehouse = "warehouseId" in place ? place.warehouseId : null;
  // A directory and a table of the account's are never read by one statement: they may be on two servers.
  const known = await db.query(
    sql`select from devices where account_id = ${accountId} and id = any(${registers}::uuid[])`,
  );
  const found = await db.query(sql`select from warehouses where account_id = ${accountId} and id = ${warehouse}`);
  if (warehouse !== null && found.rowCount === 0) throw badRange(`La cuenta no tiene la bodega ${warehouse}.`, "place");
  if ((known.rowCount ?? 0) < new Set(registers).size)
    throw badRange("Una de esas cajas no es de la cuenta. Véalas en Cajas.", "place");
}

async function checkLocation(db: Queryable, accountId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(
    sql`select from locations where account_id = ${accountId} and id = ${id} and active`,
  );
  if (rowCount === 0) throw badRange(`La cuenta no tiene abierta la sede ${id}.`, "place");
}

function badRange(message: string, field: ProfileField): ProfileError {
  return new ProfileError("bad_range", message, field);
}

/** The authority's limits: a prefix has at most four letters or digits, a number at most nine digits. */
function check({ prefix, first, last, next, validFrom, validUntil, technicalKey, kind }: RangeInput): void {
  if (!/^[A-Z0-9]{0,4}$/.test(prefix))
    throw badRange(`El prefijo "${prefix}" no es válido: hasta 4 letras mayúsculas o números.`, "prefix");
  const isNumber = (value: number) => Number.isSafeInteger(value) && value >= 1 && value <= 999_999_999;
  if (!isNumber(first) || !isNumber(last) || first > last)
    throw badRange("El rango va de un número a otro mayor, entre 1 y 999999999.", isNumber(first) ? "last" : "first");
  if (next !== undefined && !(Number.isSafeInteger(next) && next >= first && next <= last + 1))
    throw badRange(`El próximo número debe estar entre ${first} y ${last + 1}.`, "next");
  if (validUntil !== null && !isDay(validUntil))
    throw badRange(`"${validUntil}" no es una fecha: escríbala como 2028-12-31.`, "validUntil");
  if (validFrom && !isDay(validFrom))
    throw badRange(`"${validFrom}" no es una fecha: escríbala como 2026-12-31.`, "validFrom");
  if (validFrom && validUntil && validFrom > validUntil)
    throw badRange(`El rango no puede empezar el ${validFrom} y vencer antes, el ${validUntil}.`, "validFrom");
  if (validUntil === null && kind !== "note")
    throw badRange("Falta hasta cuándo vale el rango, por ejemplo 2028-12-31.", "validUntil");
  if (technicalKey !== undefined && !isTechnicalKey(technicalKey))
    throw badRange("La clave técnica son 40 dígitos hexadecimales en minúscula.", "technicalKey");
}

/** The database's calendar has no year 0. */
function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !text.startsWith("0000") &&
    new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
  );
}
