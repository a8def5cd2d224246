import type { FastifyRequest } from "fastify";
import type { Session } from "../../access/people/session.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import type { Concern } from "./home/attention.ts";

/** The tables of records with a sede, by the part of an address that names them. */
export const tables: Readonly<Record<string, string>> = {
  sales: "sales",
  returns: "returns",
  invoices: "invoices",
  quotes: "quotes",
  orders: "orders",
  purchases: "purchases",
  "cash-sessions": "cash_sessions",
  movements: "stock_movements",
  warehouses: "warehouses",
  devices: "devices",
};

/** The same, by the fields that name one of them in what is sent. */
const named: Readonly<Record<string, string>> = {
  warehouse_id: "warehouses",
  from_warehouse_id: "warehouses",
  default_warehouse_id: "warehouses",
  cash_session_id: "cash_sessions",
  register_id: "devices",
};

/**
 * Whoever has only some sedes finds no record of another by its id, on whichever route names it. Lists ask for hers by themselves
 * (tables/sedes.ts).
 */
export async function requireOwnSede(db: Queryable, request: FastifyRequest, path: string): Promise<void> {
  const { session } = request;
  if (session.locationIds === null) return;
  if (request.routeOptions.config.ofWhole) throw ofWhole();
  const [, name] = /\/([a-z-]+)\/:id/.exec(path) ?? [];
  const table = name === undefined ? undefined : tables[name];
  const { id } = (request.params ?? {}) as { id?: string };
  if (name === "locations" && id) requireOwnLocations(session, [id]);
  if (table && id) await requireOwn(db, session, table, id);
  const body = (request.body ?? {}) as Record<string, unknown>;
  requirePlace(session, request.routeOptions.config.placedBy, body);
  // A record of hers that becomes one of all is taken from where she sees, and put where she may not.
  if ((table && body.location_id === null) || body.is_default === true) throw ofWhole();
  if (typeof body.location_id === "string") requireOwnLocations(session, [body.location_id]);
  for (const [field, of] of Object.entries(named)) {
    const value = body[field];
    if (typeof value === "string" && value !== "") await requireOwn(db, session, of, value);
  }
}

/** Fields of which one says the sede; the first is the sede itself. */
export type PlacedBy = readonly ["location_id", ...string[]];

/** Gives what she makes the sede that she means, or asks her for it. */
function requirePlace({ locationIds }: Session, placedBy: PlacedBy | undefined, body: Record<string, unknown>): void {
  if (!placedBy || placedBy.some((field) => body[field])) return;
  const [only, ...others] = locationIds ?? [];
  if (only === undefined || others.length > 0)
    throw validationError([{ param: placedBy[0], message: "Usted ve varias sedes. Diga de cuál es." }]);
  body[placedBy[0]] = only;
}

function ofWhole(): ApiError {
  return new ApiError("INSUFFICIENT_RIGHTS", {
    message: "Esto es de todo el negocio, y usted ve solo algunas sedes. Pídalo a quien es dueño.",
  });
}

function requireOwnLocations({ locationIds }: Session, ids: readonly string[]): void {
  if (ids.some((id) => !locationIds?.includes(id.toLowerCase()))) throw notHers();
}

/** The sedes that she gives to somebody: some of hers, and all of hers unless she says. */
export function sedesGiven(session: Session, asked: readonly string[] | null | undefined): readonly string[] | null {
  const { locationIds } = session;
  if (locationIds === null) return asked ?? null;
  if (asked === null) throw notHers();
  requireOwnLocations(session, asked ?? []);
  return asked ?? locationIds;
}

function notHers(): ApiError {
  return new ApiError("NOT_FOUND", {
    message: "No existe en las sedes que usted ve. Pídalo a quien es dueño del negocio.",
  });
}

async function requireOwn(db: Queryable, session: Session, table: string, id: string): Promise<void> {
  const own = await ownOnes(db, session, table, [id]);
  if (!own.has(id.toLowerCase())) throw notHers();
}

/** Those of these records that are of her sedes. */
async function ownOnes(
  db: Queryable,
  { accountId, locationIds }: Session,
  table: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const text = `select id from ${table} where account_id = $1 and id = any($2::uuid[])
    and coalesce(location_id, account_id) = any($3::uuid[])${table === "warehouses" ? " and is_shared is not true" : ""}`;
  const { rows } = await db.query<{ id: string }>(prepared(text, [accountId, [...ids], [...(locationIds ?? [])]]));
  return new Set(rows.map(({ id }) => id));
}

/** Those of these shifts that she may see. */
export async function ownShifts(db: Queryable, session: Session, ids: readonly string[]): Promise<string[]> {
  if (session.locationIds === null) return [...ids];
  const own = await ownOnes(db, session, "cash_sessions", ids);
  return ids.filter((id) => own.has(id.toLowerCase()));
}

/** What waits for attention, without what is of other sedes or counted over all of them. */
export async function concernsOfOwnSedes(
  db: Queryable,
  session: Session,
  concerns: readonly Concern[],
): Promise<Concern[]> {
  if (session.locationIds === null) return [...concerns];
  const devices = concerns.flatMap((one) => ("device_id" in one ? one.device_id : []));
  const own = devices.length > 0 ? await ownOnes(db, session, "devices", devices) : new Set<string>();
  return concerns.filter(
    (one) =>
      !("count" in one && !("device_id" in one)) &&
      one.kind !== "finding" &&
      !("location_id" in one && !(one.location_id !== null && session.locationIds?.includes(one.location_id))) &&
      !("device_id" in one && !own.has(one.device_id)),
  );
}

const tableOfFound: Readonly<Record<string, string>> = { sale: "sales", document: "invoices", quote: "quotes" };

/** What a search found, without what is of other sedes. */
export async function withinOwnSedes<T extends { kind: string; id: string }>(
  db: Queryable,
  session: Session,
  found: readonly T[],
): Promise<T[]> {
  if (session.locationIds === null) return [...found];
  const own = new Set<string>();
  for (const [kind, table] of Object.entries(tableOfFound)) {
    const ids = found.flatMap((one) => (one.kind === kind ? [one.id] : []));
    if (ids.length > 0) for (const id of await ownOnes(db, session, table, ids)) own.add(id);
  }
  return found.filter(({ kind, id }) => tableOfFound[kind] === undefined || own.has(id));
}
