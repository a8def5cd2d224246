import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { referenceNotFound } from "../../lib/errors.ts";

/** Throws unless the business has this sede and it is open. None stands for the first, which always is. */
export async function requireOpenLocation(
  db: Queryable,
  accountId: string,
  locationId: string | null | undefined,
): Promise<void> {
  if (!locationId || locationId.toLowerCase() === accountId) return;
  const { rowCount } = await db.query(
    sql`select from locations where account_id = ${accountId} and id = ${locationId} and active`,
  );
  if (rowCount === 0) throw referenceNotFound("location_id", "una sede abierta");
}

/** Throws unless the business has all of these sedes. */
export async function requireLocations(
  db: Queryable,
  accountId: string,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  const wanted = new Set(ids?.map((id) => id.toLowerCase()).filter((id) => id !== accountId));
  if (wanted.size === 0) return;
  const { rowCount } = await db.query(
    sql`select from locations where account_id = ${accountId} and id = any(${[...wanted]}::uuid[])`,
  );
  if (rowCount !== wanted.size) throw referenceNotFound("location_ids", "una de las sedes");
}

/**
 * Moves a register to another sede. What it has uploaded stays where it was; what it uploads from now on, and has not uploaded
 * yet, is of the new one. False if the business has no such register.
 */
export async function moveRegister(
  deps: WritingDeps,
  { accountId, deviceId, locationId }: { accountId: string; deviceId: string; locationId: string },
  actor: Actor,
): Promise<boolean> {
  return writing(deps, accountId, async (write) => {
    await requireOpenLocation(write.client, accountId, locationId);
    const { rows } = await write.client.query<{ name: string }>(sql`
      update devices set location_id = nullif(${locationId}::uuid, account_id)
      where account_id = ${accountId} and id = ${deviceId} returning name`);
    const [device] = rows;
    if (!device) {
      write.discard();
      return false;
    }
    tellRegisters(write);
    const details = { device_id: deviceId, name: device.name, location_id: locationId };
    await recordAudit(write.client, { accountId, at: write.at, action: "device.moved", details, actor });
    return true;
  });
}

/** Registers receive the business, with their sede in it, and the cashiers of their sede once more. */
export function tellRegisters(write: Write): void {
  const { accountId, seq } = write;
  write.moveFeed();
  write.addStatement(sql`update counter_settings set seq = ${seq} where account_id = ${accountId}`);
  write.addStatement(sql`update cashiers set seq = ${seq} where account_id = ${accountId}`);
}
