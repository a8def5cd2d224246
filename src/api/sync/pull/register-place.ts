import type { Location } from "../../../business/locations/schema.ts";
import type { Reads } from "../../../db/shared-reads.ts";
import { prepared } from "../../../db/sql.ts";
import type { Placed } from "../../../engine/resources/placed.ts";

/** Where a register stands. */
export interface RegisterPlace {
  /** Its sede's id. */
  id: string;
  /** What it is told of its sede; null in a business with one, where nobody speaks of it. */
  told: ToldLocation | null;
}

type ToldLocation = Pick<
  Location,
  | "id"
  | "name"
  | "address"
  | "municipality"
  | "phone"
  | "establishment_code"
  | "ticket_header"
  | "ticket_footer"
  | "default_warehouse_id"
>;

/** The sede of a register, and whether there are others. Registers are a directory: they are read apart. */
export async function readPlace(
  db: Reads,
  { accountId, deviceId }: { accountId: string; deviceId: string },
): Promise<RegisterPlace> {
  const [registers, locations] = await Promise.all([
    db.query<{ location_id: string | null }>(prepared("select location_id from devices where id = $1", [deviceId])),
    db.query<{ body: string }>(prepared("select body from locations where account_id = $1", [accountId])),
  ]);
  const id = registers.rows[0]?.location_id ?? accountId;
  const all = locations.rows.map(({ body }) => JSON.parse(body) as Location);
  const own = all.length > 1 ? all.find((one) => one.id === id) : undefined;
  return { id, told: own ? told(own) : null };
}

function told(location: Location): ToldLocation {
  const { id, name, address, municipality, phone, establishment_code } = location;
  const { ticket_header, ticket_footer, default_warehouse_id } = location;
  return {
    ...{ id, name, address, municipality, phone, establishment_code },
    ...{ ticket_header, ticket_footer, default_warehouse_id },
  };
}

/** The business with the register's sede in it. */
export function businessText(body: string, { told: location }: RegisterPlace): string {
  if (!location) return body;
  return JSON.stringify({ ...(JSON.parse(body) as object), location });
}

/** A cashier as registers know her; null for one who does not work here, whom a register that knew her forgets. */
export function cashierText(body: string, { id }: RegisterPlace): string | null {
  const { location_ids, ...cashier } = JSON.parse(body) as { location_ids: string[] | null };
  return location_ids === null || location_ids.includes(id) ? JSON.stringify(cashier) : null;
}

/** Whether something is of this register's sede. Every order names its own. */
export function isAt({ location_id }: Placed, { id }: RegisterPlace): boolean {
  return location_id === id;
}
