import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { locations } from "./resource.ts";
import type { Location, LocationChanges, NewLocation } from "./schema.ts";

/** More than any business of this size has; a page shows them all. */
export const maxLocations = 100;

/** The first sede has the account's own id, so that whoever knows the business knows it. */
export function firstLocation({ accountId, at }: Pick<Write, "accountId" | "at">, name: string): Location {
  return { ...newBody(accountId, name, at), is_first: true };
}

/** Opens the first sede of a business that has none. False if it has one. */
export async function ensureLocation(write: Write, name: string): Promise<boolean> {
  if (await write.load(locations, write.accountId)) return false;
  write.put(locations, { body: firstLocation(write, name) });
  return true;
}

export async function createLocation(write: Write, input: NewLocation): Promise<Location> {
  const { client, accountId } = write;
  const { rows } = await client.query<{ count: number }>(
    sql`select count(*)::int as count from locations where account_id = ${accountId}`,
  );
  if ((rows[0]?.count ?? 0) >= maxLocations)
    throw new ApiError("CONFLICT", {
      message: `Un negocio tiene hasta ${maxLocations} sedes. Cambie una que ya no use.`,
    });
  await refuseSameName(write, input.name);
  await checkWarehouse(write, input.default_warehouse_id);
  const body: Location = { ...newBody(uuidv7(write.at), input.name, write.at), ...given(input) };
  write.put(locations, { body });
  return body;
}

export async function updateLocation(write: Write, id: string, changes: LocationChanges): Promise<Location> {
  const stored = await write.load(locations, id);
  if (!stored) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta sede en el negocio." });
  if (changes.name !== undefined && changes.name !== stored.body.name) await refuseSameName(write, changes.name, id);
  if (changes.default_warehouse_id !== stored.body.default_warehouse_id)
    await checkWarehouse(write, changes.default_warehouse_id);
  if (changes.active === false && stored.body.active) await refuseClosing(write, stored.body);
  const { name, active } = changes;
  const body: Location = {
    ...stored.body,
    ...(name !== undefined && { name }),
    ...(active !== undefined && { active }),
    ...given(changes),
    updated_at: write.at.toISOString(),
  };
  write.put(locations, { body });
  return body;
}

function newBody(id: string, name: string, at: Date): Location {
  const instant = at.toISOString();
  return {
    object: "location",
    id,
    name,
    address: null,
    municipality: null,
    phone: null,
    establishment_code: null,
    ticket_header: null,
    ticket_footer: null,
    default_warehouse_id: null,
    color: null,
    is_first: false,
    active: true,
    created_at: instant,
    updated_at: instant,
  };
}

const detailNames = [
  "address",
  "municipality",
  "phone",
  "establishment_code",
  "ticket_header",
  "ticket_footer",
  "default_warehouse_id",
  "color",
] as const;

function given(input: NewLocation | LocationChanges): Partial<Location> {
  return Object.fromEntries(
    detailNames.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name] || null]])),
  );
}

/** Names that differ in capitals alone are one name in a list. Sedes of before keep theirs. */
async function refuseSameName({ client, accountId }: Write, name: string, ownId?: string): Promise<void> {
  const { rowCount } = await client.query(sql`
    select from locations where account_id = ${accountId} and id is distinct from ${ownId ?? null}::uuid
      and lower(body->>'name') = lower(${name})`);
  if (rowCount === 0) return;
  throw validationError([{ param: "name", message: `Ya hay una sede que se llama «${name}». Escriba otro nombre.` }]);
}

async function checkWarehouse(write: Write, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const { rowCount } = await write.client.query(sql`
    select from warehouses where account_id = ${write.accountId} and id = ${id} and active and deleted_at is null`);
  if (rowCount === 0) throw referenceNotFound("default_warehouse_id", "una bodega abierta");
}

/** A closed sede sells no more: its registers go elsewhere first. The first one stays, and so one is always open. */
async function refuseClosing(write: Write, { id, is_first }: Location): Promise<void> {
  const { client, accountId } = write;
  if (is_first)
    throw validationError([
      {
        param: "active",
        message: "Es la sede con que nació el negocio y no se cierra. Cámbiele el nombre y la dirección si se mudó.",
      },
    ]);
  const registers = await client.query(
    sql`select from devices where account_id = ${accountId} and location_id = ${id} and revoked_at is null`,
  );
  if ((registers.rowCount ?? 0) > 0)
    throw new ApiError("CONFLICT", {
      param: "active",
      message: "Tiene cajas vinculadas. Páselas a otra sede o retírelas en Cajas, y después ciérrela.",
    });
}
