import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { createLocation, ensureLocation, updateLocation } from "../../../business/locations/operations.ts";
import { tellRegisters } from "../../../business/locations/registers.ts";
import { locations } from "../../../business/locations/resource.ts";
import { type Location, LocationChanges, NewLocation } from "../../../business/locations/schema.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { writing } from "../../../engine/writing/writing.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readLocations } from "./locations.ts";
import { actorOf } from "./session-routes.ts";

/** The sedes of the business, which its owner opens, edits and closes. Their registers learn of it. */
export function locationRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/locations",
    { config: { right: "anyone" } },
    async ({ session: { accountId, locationIds } }): Promise<Answers["GET /locations"]> => {
      const known = await readLocations(deps.pool, accountId);
      const hers = known.filter(({ id }) => locationIds === null || locationIds.includes(id));
      if (known.length > 0) return { object: "list", data: hers };
      // The business is from a process that knew of none.
      await writing(deps, accountId, async (write) => {
        if (!(await ensureFirst(write))) write.discard();
      });
      return { object: "list", data: await readLocations(deps.pool, accountId) };
    },
  );
  app.post(
    "/locations",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: NewLocation } },
    async (request, reply) => {
      const { accountId } = request.session;
      const made = await writing(deps, accountId, async (write) => {
        await ensureFirst(write);
        const location = await createLocation(write, request.body);
        await told(write, "location.created", location, actorOf(request));
        return location;
      });
      return reply.code(201).send(made);
    },
  );
  app.patch(
    "/locations/:id",
    { config: { right: "settings:write" }, schema: { params: ById, body: LocationChanges } },
    async (request): Promise<Answers["PATCH /locations/:id"]> => {
      const { accountId } = request.session;
      return writing(deps, accountId, async (write) => {
        await ensureFirst(write);
        const id = request.params.id.toLowerCase();
        const before = (await write.load(locations, id))?.body;
        const location = await updateLocation(write, id, request.body);
        await told(write, "location.updated", location, actorOf(request), before);
        return location;
      });
    },
  );
}

async function ensureFirst(write: Write): Promise<boolean> {
  const { rows } = await write.client.query<{ name: string }>(
    sql`select name from accounts where id = ${write.accountId}`,
  );
  return ensureLocation(write, oneRow(rows).name);
}

async function told(
  write: Write,
  action: "location.created" | "location.updated",
  after: Location,
  actor: ReturnType<typeof actorOf>,
  before?: Location,
): Promise<void> {
  tellRegisters(write);
  const { id, name, active } = after;
  const details = { location_id: id, name, active, ...(before && changed(before, after)) };
  await recordAudit(write.client, { accountId: write.accountId, at: write.at, action, details, actor });
}

/** The fields that are another now, as they were and as they are. */
function changed(before: Location, after: Location): { before: object; after: object } {
  const names = (Object.keys(after) as (keyof Location)[]).filter(
    (name) => name !== "updated_at" && (before[name] ?? null) !== (after[name] ?? null),
  );
  const only = (of: Location) => Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  return { before: only(before), after: only(after) };
}
