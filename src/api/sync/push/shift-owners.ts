import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, withoutReading } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";

/**
 * A sale counts in a shift of its own register only: what another one's drawer should hold is not for it to say. One that names such a
 * shift is stored outside of any, so that no figure of that shift has it, and the owner is told.
 */
export function foreignShift(id: string | null): Finding {
  const message = "Dice que es del turno de otra caja: cuenta en su día, y en ningún turno.";
  return { ...finding("cash_session_id", null, id, message), kind: "foreign_shift" };
}

interface KnownShift {
  id: string;
  device_id: string | null;
  status: string;
}

/** The registers of these shifts, as far as they have arrived, and whether they are closed; and the open ones of `openOf`. */
export function shiftOwners(
  accountId: string,
  shiftIds: readonly string[],
  openOf: string | null,
): Read<Map<string, KnownShift>> {
  if (shiftIds.length === 0 && openOf === null) return withoutReading(() => new Map());
  const statement = sql`
    select id, device_id, status from cash_sessions
    where account_id = ${accountId} and (id = any(${plainArray([...new Set(shiftIds)])}::uuid[])
      or (status = 'open' and device_id = ${openOf}))
    order by created_at, id`;
  return reading(statement, (rows: KnownShift[]) => new Map(rows.map((row) => [row.id, row])));
}

/** What the uploads of a register ask of the shifts that they name, and its open ones in the order in which they came. */
export function knownShifts(
  deviceId: string,
  shifts: ReadonlyMap<string, KnownShift>,
  retiredDevices: ReadonlySet<string>,
  arrived: { get(id: string): object | undefined },
) {
  const isOpen = ({ device_id, status }: KnownShift) => device_id === deviceId && status === "open";
  return {
    isOthersShift: (id: string | null) => {
      const owner = (id !== null && shifts.get(id)?.device_id) || deviceId;
      return owner !== deviceId && !retiredDevices.has(owner);
    },
    isClosedShift: (id: string) => shifts.get(id)?.status === "closed",
    isKnownShift: (id: string) => shifts.has(id) || arrived.get(id) !== undefined,
    openShifts: new Set([...shifts.values()].filter(isOpen).map(({ id }) => id)),
  };
}

export interface StraySale {
  id: string;
  device_id: string;
  device_seq: number;
}

/**
 * Sales of other registers that named a shift before it arrived, by its id. One that was cancelled or corrected since stays: what took
 * it back names the shift too.
 */
export async function findStraySales(
  write: Write,
  deviceId: string,
  shiftIds: readonly string[],
): Promise<(StraySale & { shift_id: string })[]> {
  if (shiftIds.length === 0) return [];
  const { rows } = await write.client.query<StraySale & { shift_id: string }>(sql`
    select id, device_id, coalesce(device_seq, 0) as device_seq, cash_session_id as shift_id from sales
    where account_id = ${write.accountId} and cash_session_id = any(${plainArray(shiftIds)}::uuid[])
      and device_id <> ${deviceId} and not coalesce(settled && '{cancelled,corrected}', false)`);
  return rows;
}
