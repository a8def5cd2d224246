import type { Config } from "../../config.ts";
import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { keyIdIn, keyIdOf } from "../../lib/secret-box.ts";
import { currentKey, type SecretKeys } from "../../lib/secret-keys.ts";
import { storeIdentity } from "./identity.ts";
import { retireKey } from "./retired-keys.ts";
import { type Place, resealFiscal, type SealedColumn, sealedColumns, sealedInPayloads } from "./sealed-columns.ts";

/** Rows read at once. Each is written by itself, so that nobody waits for another. */
const chunkSize = 200;
/** A process that still seals with the previous key would be followed for ever. */
const maxPasses = 20;

export interface Rotation {
  /** How many secrets are in new boxes. */
  resealed: number;
  /** Those that neither key opens. They stay as they are. */
  unreadable: string[];
}

type Settings = Pick<Config, "environment" | "secretKey" | "retiredKeys"> & { secretKeys: BothKeys };
export type BothKeys = Exclude<SecretKeys, string>;

/**
 * Seals every stored secret with the current key. It may be interrupted anywhere and run again: what is done is not done twice. A box is
 * replaced only if it is still the one that was read, so the service may change secrets meanwhile. In the end the installation
 * takes the current key for its own.
 */
export async function rotateSecrets(
  pool: Pool,
  settings: Settings,
  progress: (done: number) => void = () => {},
): Promise<Rotation> {
  const { secretKeys, retiredKeys: known } = settings;
  await retireKey(pool, { ...secretKeys, known });
  const total = Math.max(1, await countLeft(pool, secretKeys));
  const rotation: Rotation = { resealed: 0, unreadable: [] };
  const report = (resealed: number) => {
    rotation.resealed += resealed;
    progress(Math.min(0.99, rotation.resealed / total));
  };
  for (let pass = 0; pass < maxPasses; pass++) {
    rotation.unreadable = [];
    const before = rotation.resealed;
    for (const column of sealedColumns)
      rotation.unreadable.push(...(await resealColumn(pool, secretKeys, column, report)));
    await resealPayloads(pool, secretKeys, report);
    if (rotation.resealed === before) break;
  }
  if ((await countLeft(pool, secretKeys)) === rotation.unreadable.length) await storeIdentity(pool, settings);
  progress(1);
  return rotation;
}

/** Boxes that do not say that they are of the current key. */
async function countLeft(pool: Pool, keys: SecretKeys): Promise<number> {
  const id = keyIdOf(currentKey(keys));
  let left = 0;
  for (const { table, column } of sealedColumns) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*) from ${table} where ${column} is not null and substring(${column} from 2 for 4) <> $1`,
      [id],
    );
    left += oneRow(rows).count;
  }
  return left;
}

async function resealColumn(
  pool: Pool,
  keys: SecretKeys,
  sealed: SealedColumn,
  report: (resealed: number) => void,
): Promise<string[]> {
  const { table, column, holder, id } = sealed;
  const unreadable: string[] = [];
  let after: Place = { accountId: nil, id: nil };
  for (;;) {
    const { rows } = await pool.query<{ account_id: string; id: string; box: Buffer }>(
      `select ${holder} as account_id, ${id} as id, ${column} as box from ${table}
        where (${holder}, ${id}) > ($1::uuid, $2::uuid) and ${column} is not null and substring(${column} from 2 for 4) <> $3
        order by ${holder}, ${id} limit ${chunkSize}`,
      [after.accountId, after.id, keyIdOf(currentKey(keys))],
    );
    const last = rows.at(-1);
    if (!last) return unreadable;
    after = { accountId: last.account_id, id: last.id };
    let resealed = 0;
    for (const row of rows) {
      const place = { accountId: row.account_id, id: row.id };
      const box = sealed.reseal(keys, place, row.box);
      if (!box) unreadable.push(`${table}.${column} ${row.account_id} ${row.id}`);
      else {
        const { rowCount } = await pool.query(
          `update ${table} set ${column} = $3 where ${holder} = $1 and ${id} = $2 and ${column} = $4`,
          [place.accountId, place.id, box, row.box],
        );
        resealed += rowCount ?? 0;
      }
    }
    report(resealed);
  }
}

/** Changes that wait for their code, or waited: a few of each business. */
async function resealPayloads(pool: Pool, keys: SecretKeys, report: (resealed: number) => void): Promise<void> {
  let after: Place = { accountId: nil, id: nil };
  for (;;) {
    const { rows } = await pool.query<{ account_id: string; id: string; payload: string }>(sql`
      select account_id, id, payload from confirmations
      where (account_id, id) > (${after.accountId}::uuid, ${after.id}::uuid) and payload::text like '%"sealed_%'
      order by account_id, id limit ${chunkSize}`);
    const last = rows.at(-1);
    if (!last) return;
    after = { accountId: last.account_id, id: last.id };
    for (const { account_id, id, payload } of rows) {
      const renewed = renewedPayload(keys, account_id, payload);
      if (renewed === undefined) continue;
      const { rowCount } = await pool.query(sql`
        update confirmations set payload = ${renewed}
        where account_id = ${account_id} and id = ${id} and payload::text = ${payload}`);
      report(rowCount ?? 0);
    }
  }
}

/** Undefined when nothing in it is in a box of another key. */
function renewedPayload(keys: SecretKeys, accountId: string, text: string): string | undefined {
  const payload = JSON.parse(text) as Record<string, unknown>;
  const own = keyIdOf(currentKey(keys));
  let isRenewed = false;
  for (const [field, name] of Object.entries(sealedInPayloads)) {
    const value = payload[field];
    if (typeof value !== "string") continue;
    const box = Buffer.from(value, "base64");
    const renewed = keyIdIn(box).equals(own) ? undefined : resealFiscal(keys, name, accountId, box);
    if (!renewed) continue;
    payload[field] = renewed.toString("base64");
    isRenewed = true;
  }
  return isRenewed ? JSON.stringify(payload) : undefined;
}

const nil = "00000000-0000-0000-0000-000000000000";
