import { Type } from "../../lib/schema.ts";
import { uuid } from "./fields.ts";
import type { Condition } from "./list-sql.ts";
import type { DerivedColumn } from "./resource.ts";

/** What belongs to a sede. It is stored with the record when it is made, and stays. */
export interface Placed {
  location_id?: string | null | undefined;
}

/** The kinds of records that know their sede. A write gives it to those that it makes. */
const placedNames = [
  "sale",
  "return",
  "invoice",
  "cash_session",
  "stock_movement",
  "warehouse",
  "quote",
  "order",
  "purchase",
] as const;

export function isPlaced(object: string): boolean {
  return (placedNames as readonly string[]).includes(object);
}

/** The sede of a record that has one. What names none is the first one's, which has the account's id. */
export function locationOf(body: { object: string } & Placed, accountId: string): string | undefined {
  return isPlaced(body.object) ? (body.location_id ?? accountId) : undefined;
}

/** Optional, because what was stored before a business could have several has none. */
export const locationField = {
  location_id: Type.Optional(
    Type.Unsafe<string | undefined>({
      ...uuid(),
      description: "Su sede. Un registro sin el campo es de la primera, la que tiene `is_first`.",
    }),
  ),
};

export const locationFilter = {
  location_id: Type.Optional(
    uuid({ description: "De esa sede, también los registros de la primera que no la nombran." }),
  ),
};

/** The first sede has the account's id, and null in a column, so that what was stored before is its own. */
export function columnOf(locationId: string | null | undefined, accountId: string): string | null {
  return locationId === accountId ? null : (locationId ?? null);
}

export const locationColumn = {
  location_id: { type: "uuid", from: (body: Placed, accountId: string) => columnOf(body.location_id, accountId) },
} as const satisfies Record<string, DerivedColumn<Placed>>;

/** Records of any of these sedes, by the column above; of the whole business where it is not said of which. */
export function atLocations(ids: readonly string[] | null, accountId: string, column = "location_id"): Condition[] {
  if (ids === null) return [];
  const found = `${column} = any(?::uuid[])`;
  return [{ sql: ids.includes(accountId) ? `(${column} is null or ${found})` : found, values: [[...ids]] }];
}

/** Records of a sede, by the column above. */
export function atLocation(locationId: string | undefined, accountId: string): Condition[] {
  if (locationId === undefined) return [];
  const value = columnOf(locationId.toLowerCase(), accountId);
  if (value === null) return [{ sql: "location_id is null", values: [] }];
  return [{ sql: "location_id = ?", values: [value] }];
}
