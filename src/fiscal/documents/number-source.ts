import { prepared, type Statement, sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { Notice } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import {
  type FoundRange,
  findRange,
  type NumberingRange,
  type RangeKind,
  rangeName,
  servesAll,
  spanishKinds,
} from "../numbering/numbering.ts";
import { withOwnRange } from "../numbering/own-ranges.ts";
import { type RangeEnd, rangeEnds, rangeUses } from "../numbering/range-use.ts";
import { skipTaken } from "../numbering/taken-numbers.ts";
import { storeNextNumbers } from "./issued-rows.ts";

export type FoundNumber =
  | { kind: "found"; range: NumberingRange; number: number }
  | Extract<FoundRange, { kind: "none" }>;

/** The numbers that one account's documents take within one write. */
export interface NumberSource {
  readonly ranges: readonly NumberingRange[];
  /** Whether it matters which register a document is from. */
  readonly servesPlaces: boolean;
  /** A document that is issued again keeps the number it has. */
  find(kind: RangeKind, registers: readonly string[], assigned?: { rangeId: string; number: number }): FoundNumber;
  take(range: NumberingRange, number: number): void;
  /** Stores what was taken, and what the owner has now been told of. */
  statements(): Statement[];
  /** Ranges that soon end, each told once per cause. */
  notices(): Notice[];
}

export async function openNumbers(write: Write, ranges: NumberingRange[]): Promise<NumberSource> {
  const { accountId, at } = write;
  const places = ranges.some(({ warehouseId }) => warehouseId !== null) ? await readPlaces(write) : [];
  const sedes = ranges.some(({ locationId }) => locationId !== null) ? await readSedes(write) : [];
  const today = bogotaDate(at);
  const used = new Set<NumberingRange>();
  const ends = new Map<NumberingRange, RangeEnd>();
  for (const range of ranges) skipTaken(range);
  return {
    ranges,
    servesPlaces: !ranges.every(servesAll),
    find(kind, registers, assigned) {
      const own = assigned && ranges.find((range) => range.id === assigned.rangeId);
      if (own) return { kind: "found", range: own, number: assigned.number };
      const warehouses = places.flatMap((row) => (registers.includes(row.register_id) ? [row.warehouse_id] : []));
      const locations = sedes.flatMap(({ id, location_id }) => (registers.includes(id) ? [location_id] : []));
      const place = { registers, warehouses, locations };
      const found = findRange(withOwnRange(ranges, kind, at), kind, today, place);
      return found.kind === "found" ? { ...found, number: found.range.next } : found;
    },
    take(range, number) {
      if (number !== range.next) return;
      range.next += 1;
      skipTaken(range);
      used.add(range);
    },
    notices() {
      if (used.size === 0) return [];
      for (const end of rangeEnds(rangeUses(ranges, today), today))
        if (end.why !== null && !end.range.told.includes(end.why)) ends.set(end.range, end);
      return [...ends.values()].map(endNotice);
    },
    statements: () => [
      ...(used.size > 0 ? [storeNextNumbers(accountId, [...used], at)] : []),
      ...(ends.size > 0 ? [storeTold(accountId, [...ends.values()])] : []),
    ],
  };
}

async function readPlaces({ client, accountId }: Write): Promise<{ register_id: string; warehouse_id: string }[]> {
  const { rows } = await client.query(sql`
    select register_id, warehouse_id from register_places where account_id = ${accountId}`);
  return rows;
}

/** The registers with their sedes, as they are now: also a document that waited is of where its register stands. */
async function readSedes({ client, accountId }: Write): Promise<{ id: string; location_id: string }[]> {
  const { rows } = await client.query(sql`
    select id, coalesce(location_id, account_id) as location_id from devices where account_id = ${accountId}`);
  return rows;
}

function endNotice({ range, remaining, why }: RangeEnd): Notice {
  const what =
    why === "soon"
      ? `vence el ${range.validUntil}`
      : `tiene ${remaining} ${remaining === 1 ? "número" : "números"} más`;
  const message = `El rango ${rangeName(range)} para ${spanishKinds[range.kind]} ${what}, y no hay otro que siga.`;
  return { kind: "range_ending", subject: `${range.id} ${why}`, message };
}

function storeTold(accountId: string, ends: readonly RangeEnd[]): Statement {
  const rows = ends.map(({ range, why }) => ({ id: range.id, why }));
  return prepared(
    `update numbering_ranges r set told = array_append(r.told, e.why)
     from json_to_recordset($2::json) as e(id uuid, why text)
     where r.account_id = $1 and r.id = e.id`,
    [accountId, JSON.stringify(rows)],
  );
}
