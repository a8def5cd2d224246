import { atCounter, type CounterRight, inTable } from "../../../access/people/counter-rights.ts";
import { type CounterPlace, counterPlaces } from "../../../access/people/follow-at-counter.ts";
import { requireWithin } from "../../../access/people/given-role.ts";
import type { Session } from "../../../access/people/session.ts";
import {
  type Cashier,
  createCashier,
  joinCashier,
  listCashiers,
  type MayAttend,
  updateCashier,
} from "../../../business/counter/cashiers.ts";
import type { Deps } from "../../../deps.ts";
import { uuid } from "../../../engine/resources/fields.ts";
import { ApiError, referenceNotFound, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { actorOf } from "../settings/session-routes.ts";
import { requireOwnCashier, tooManyCashiers, unknownCashier } from "./own-cashier.ts";
import type { pinChecks } from "./pin-checks.ts";
import { pin } from "./pin-field.ts";

const closed = { additionalProperties: false };
const PersonCashier = Type.Object(
  { person_id: uuid(), pin: Type.Optional(pin), cashier_id: Type.Optional(uuid()) },
  closed,
);
const OwnPin = Type.Object({ pin }, closed);

type Attending = CounterPlace & { rights: NonNullable<CounterPlace["rights"]> };

/** Whoever the one who asks may make a cashier. */
export async function whoMayAttend(
  { pool }: Deps,
  session: Session,
  cashiers: readonly Cashier[],
): Promise<MayAttend[]> {
  const places = await counterPlaces(pool, session.accountId, null);
  const there = new Set(cashiers.map(({ person_id }) => person_id));
  return Array.from(places, ([id, place]) => ({ id, place })).flatMap(({ id, place }) => {
    if (!attends(place) || there.has(id) || !isWithin(session, place)) return [];
    return { id, name: place.name, location_ids: place.location_ids, permissions: place.rights };
  });
}

/** People of the business at its registers: nobody is typed twice, and what they may do there follows their roles. */
export function personCashierRoutes(app: TypedApp, deps: Deps, pins: ReturnType<typeof pinChecks>): void {
  app.post(
    "/cashiers/people",
    { config: { right: "cashiers" }, schema: { body: PersonCashier } },
    async (request, reply) => {
      const { session, body } = request;
      const personId = body.person_id.toLowerCase();
      const place = await placeOf(deps, session, personId);
      if (!place) throw referenceNotFound("person_id", "una persona del negocio que atienda");
      requireWithinOwn(session, place);
      const { pin: wanted, cashier_id: id } = body;
      const { location_ids } = place;
      if (id !== undefined) {
        await pins.checkChange(session, id.toLowerCase(), {
          location_ids,
          ...(wanted !== undefined && { pin: wanted }),
        });
        requireNobody(await requireOwnCashier(deps, session, id));
        const isJoined = await joinCashier(deps, session.accountId, { id, personId, place }, actorOf(request));
        if (!isJoined) throw unknownCashier();
        if (wanted !== undefined) await updateCashier(deps, session.accountId, id, { pin: wanted }, actorOf(request));
        return reply.code(204).send();
      }
      if (wanted === undefined) throw validationError([{ param: "pin", message: "Escriba un PIN de 4 a 8 cifras." }]);
      await addPerson(deps, pins, request, { personId, place, pin: wanted });
      return reply.code(204).send();
    },
  );
  app.put("/person/pin", { config: { right: "counter" }, schema: { body: OwnPin } }, async (request, reply) => {
    const { session, body } = request;
    const { accountId, personId } = session;
    const place = await placeOf(deps, session, personId);
    if (!place) throw referenceNotFound("person_id", "una persona del negocio que atienda");
    const own = (await listCashiers(deps.pool, accountId)).find(({ person_id }) => person_id === personId);
    if (own) {
      await pins.check(session, { pin: body.pin, location_ids: own.location_ids, ownerId: own.id });
      await updateCashier(deps, accountId, own.id, { pin: body.pin }, actorOf(request));
    } else await addPerson(deps, pins, request, { personId, place, pin: body.pin });
    return reply.code(204).send();
  });
}

async function addPerson(
  deps: Deps,
  pins: ReturnType<typeof pinChecks>,
  request: Parameters<typeof actorOf>[0],
  { personId, place, pin: wanted }: { personId: string; place: Attending; pin: string },
): Promise<void> {
  const { session } = request;
  const { name, rights: permissions, location_ids } = place;
  await pins.check(session, { pin: wanted, location_ids });
  const input = { name, pin: wanted, permissions, location_ids, person_id: personId };
  if (!(await createCashier(deps, session.accountId, input, actorOf(request)))) throw tooManyCashiers("person_id");
}

/** Whoever sets a PIN could sign with it: she may do at the counter all that its owner may. */
export function requireSettable(session: Session, cashier: Cashier): void {
  if (cashier.person_id === null || cashier.person_id === session.personId) return;
  requireWithinOwn(session, { ...cashier, rights: cashier.permissions });
}

/** Nobody lets a cashier do what she may not do herself. */
export function requireGivable(session: Session, given: readonly CounterRight[], name: string): void {
  requireWithin(session.rights, given.map(inTable), `Lo que ${name} puede en la caja`);
}

function requireWithinOwn(session: Session, place: Attending): void {
  requireWithin(session.rights, ["counter", ...place.rights.map(inTable)], `Lo que ${place.name} puede en la caja`);
  if (!isInSedes(session, place))
    throw new ApiError("INSUFFICIENT_RIGHTS", {
      message: `${place.name} atiende también en otras sedes. Pida el cambio a quien es dueño del negocio.`,
    });
}

const isInSedes = ({ locationIds }: Session, { location_ids }: Pick<CounterPlace, "location_ids">) =>
  locationIds === null || (location_ids?.every((id) => locationIds.includes(id)) ?? false);

function isWithin(session: Session, place: Attending): boolean {
  const own = atCounter(session.rights);
  return own !== undefined && place.rights.every((right) => own.includes(right)) && isInSedes(session, place);
}

function requireNobody(known: Cashier | undefined): void {
  if (known?.person_id)
    throw validationError([{ param: "cashier_id", message: `${known.name} ya es otra persona del negocio.` }]);
}

const attends = (place: CounterPlace | undefined): place is Attending => place?.rights !== undefined;

async function placeOf({ pool }: Deps, { accountId }: Session, personId: string): Promise<Attending | undefined> {
  const place = (await counterPlaces(pool, accountId, [personId])).get(personId);
  return attends(place) ? place : undefined;
}
