import type { Session } from "../../../access/people/session.ts";
import { readCounterSettings, setCounterSettings, setTicketMail } from "../../../business/counter/business-info.ts";
import {
  type Cashier,
  type CashierChanges,
  createCashier,
  listCashiers,
  retireCashier,
  updateCashier,
} from "../../../business/counter/cashiers.ts";
import { readActs } from "../../../business/counter/counter-acts.ts";
import { allRights, rights } from "../../../business/counter/rights.ts";
import { requireLocations } from "../../../business/locations/registers.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label, nullable, oneOf, uuid } from "../../../engine/resources/fields.ts";
import { readTicketMailing } from "../../../fiscal/documents/ticket-mailing.ts";
import { type ApiError, validationError } from "../../../lib/errors.ts";
import { contradiction, isScaleLabel, readScaleLabel, scaleLabelOf } from "../../../lib/scale-label.ts";
import { Type } from "../../../lib/schema.ts";
import { mostTipPercent } from "../../../taxes/tip.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { actList } from "../lists/counter-acts.ts";
import { sedesGiven } from "../own-sedes.ts";
import { actorOf } from "../settings/session-routes.ts";
import { serveRows } from "../tables/serve-list.ts";
import { isOfSome, requireOwnCashier, tooManyCashiers, unknownCashier } from "./own-cashier.ts";
import { personCashierRoutes, requireGivable, requireSettable, whoMayAttend } from "./person-cashier-routes.ts";
import { pinChecks } from "./pin-checks.ts";
import { pin } from "./pin-field.ts";

const closed = { additionalProperties: false };
const ticketText = nullable(Type.String({ maxLength: 500 }));
const Settings = Type.Object(
  {
    ticket_header: ticketText,
    ticket_footer: ticketText,
    color: nullable(Type.String({ pattern: "^#[0-9a-fA-F]{6}$" })),
    cash_rounding: Type.Union([Type.Literal(0), Type.Literal(50), Type.Literal(100)]),
    tip_percent: Type.Integer({ minimum: 0, maximum: mostTipPercent }),
    blind_count: Type.Boolean(),
    lock_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 240 })),
    scale_labels: Type.Optional(Type.Array(Type.String({ maxLength: 13 }), { maxItems: 5, uniqueItems: true })),
  },
  closed,
);

const LabelQuery = Type.Object({ format: Type.String({ maxLength: 13 }) }, closed);

const TicketMail = Type.Object({ active: Type.Boolean() }, closed);

const name = label(80);
const permissions = Type.Array(oneOf(allRights), { maxItems: allRights.length, uniqueItems: true });
/** Null for all sedes, also those to come. */
const location_ids = Type.Optional(nullable(Type.Array(uuid(), { minItems: 1, maxItems: 100, uniqueItems: true })));
const NewCashier = Type.Object({ name, pin, permissions, location_ids }, closed);
const ChangedCashier = Type.Partial(NewCashier, closed);

const toRead = { right: "settings:read" } as const;
const toChange = { right: "settings:write", ofWhole: true } as const;
const ofCashiers = { right: "cashiers" } as const;

/** What a business tells its registers: the texts of its tickets, and who stands at the counter; and what they tell it back. */
export function counterRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/counter",
    { config: toRead },
    ({ session }): Promise<Answers["GET /counter"]> => readCounterSettings(deps.pool, session.accountId),
  );
  app.put(
    "/counter",
    { config: toChange, schema: { body: Settings } },
    ({ session, body }): Promise<Answers["PUT /counter"]> => {
      const wrong = body.scale_labels?.findIndex((format) => !isScaleLabel(format)) ?? -1;
      if (wrong >= 0) throw unreadableLabel(`scale_labels.${wrong}`);
      checkContradiction(body.scale_labels ?? []);
      return setCounterSettings(deps, session.accountId, body);
    },
  );
  app.get(
    "/counter/scale-label",
    { config: toRead, schema: { querystring: LabelQuery } },
    async ({ query }): Promise<Answers["GET /counter/scale-label"]> => {
      if (!isScaleLabel(query.format)) throw unreadableLabel("format");
      const example = scaleLabelOf(query.format, "123", 735);
      return { example, ...readScaleLabel(example, [query.format])! };
    },
  );
  const ticketMailing = (accountId: string) => readTicketMailing(deps.pool, deps.config, accountId, deps.clock.now());
  app.get(
    "/ticket-mail",
    { config: toRead },
    ({ session }): Promise<Answers["GET /ticket-mail"]> => ticketMailing(session.accountId),
  );
  app.put(
    "/ticket-mail",
    { config: toChange, schema: { body: TicketMail } },
    async (request): Promise<Answers["PUT /ticket-mail"]> => {
      const { accountId } = request.session;
      await setTicketMail(deps, accountId, request.body.active, actorOf(request));
      return ticketMailing(accountId);
    },
  );
  cashierRoutes(app, deps);
}

function cashierRoutes(app: TypedApp, deps: Deps): void {
  const pins = pinChecks(deps);
  personCashierRoutes(app, deps, pins);
  app.get(
    "/cashiers",
    { config: { right: { any: ["cashiers", "settings:read"] } } },
    async ({ session }): Promise<Answers["GET /cashiers"]> => {
      const all = await listCashiers(deps.pool, session.accountId);
      return {
        object: "list",
        data: all.filter(({ location_ids }) => !location_ids || isOfSome(session, location_ids)),
        rights: allRights.map((id) => ({ id, title: titleOf(rights[id].words) })),
        people: session.rights.has("cashiers") ? await whoMayAttend(deps, session, all) : [],
      };
    },
  );
  app.post("/cashiers", { config: ofCashiers, schema: { body: NewCashier } }, async (request, reply) => {
    const { body, session } = request;
    requireGivable(session, body.permissions, body.name.trim());
    const input = { ...body, name: body.name.trim(), location_ids: sedesGiven(session, body.location_ids) };
    await pins.check(session, { pin: input.pin, location_ids: input.location_ids ?? null });
    await requireLocations(deps.pool, request.session.accountId, input.location_ids);
    const cashier = await createCashier(deps, request.session.accountId, input, actorOf(request));
    if (!cashier) throw tooManyCashiers("name");
    return reply.code(201).send(cashier);
  });
  app.patch(
    "/cashiers/:id",
    { config: ofCashiers, schema: { params: ById, body: ChangedCashier } },
    async (request, reply) => {
      const { accountId } = request.session;
      const known = await requireOwnCashier(deps, request.session, request.params.id);
      requireChangeable(request.session, known, request.body);
      if (request.body.location_ids !== undefined) sedesGiven(request.session, request.body.location_ids);
      await pins.checkChange(request.session, request.params.id.toLowerCase(), request.body);
      await requireLocations(deps.pool, accountId, request.body.location_ids);
      if (!(await updateCashier(deps, accountId, request.params.id, request.body, actorOf(request))))
        throw unknownCashier();
      return reply.code(204).send();
    },
  );
  app.delete("/cashiers/:id", { config: ofCashiers, schema: { params: ById } }, async (request, reply) => {
    await requireOwnCashier(deps, request.session, request.params.id);
    if (!(await retireCashier(deps, request.session.accountId, request.params.id, actorOf(request))))
      throw unknownCashier();
    return reply.code(204).send();
  });
}

/** What of a cashier's rights she changes must be hers, and all of them if she sets the PIN: she could sign with it. */
function requireOwnRights(session: Session, known: Cashier | undefined, changes: CashierChanges): void {
  const before = known?.permissions ?? [];
  const added = changes.permissions?.filter((right) => !before.includes(right)) ?? [];
  requireGivable(session, changes.pin === undefined ? added : [...before, ...added], known?.name ?? "el cajero");
}

/** Of a person of the business only the PIN is set here: the rest is her role's. */
function requireChangeable(session: Session, known: Cashier | undefined, changes: CashierChanges): void {
  if (!known?.person_id) {
    requireOwnRights(session, known, changes);
    return;
  }
  const { name, permissions, location_ids } = changes;
  const param = Object.entries({ name, permissions, location_ids }).find(([, value]) => value !== undefined)?.[0];
  const message = `El nombre, las sedes y los derechos de ${known.name} son los de su rol. Cámbielos en Personas.`;
  if (param !== undefined) throw validationError([{ param, message }]);
  requireSettable(session, known);
}

const titleOf = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}`;

/** The acts at the counters, newest first. */
export function actRoutes(app: TypedApp, deps: Deps): void {
  serveRows(app, deps, actList, {
    read: ({ accountId, query }, limit, after) => readActs(deps.pool, accountId, query, limit, after),
    instantOf: ({ occurred_at }) => occurred_at,
  });
}

function unreadableLabel(param: string): ApiError {
  const message =
    "Escriba las 13 posiciones: primero 2 y hasta dos cifras fijas, A por cada cifra del artículo, G por cada una del peso en gramos o P del precio, X lo que no cuenta y C al final. Por ejemplo 20AAAAAGGGGGC.";
  return validationError([{ param, message }]);
}

function checkContradiction(formats: readonly string[]): void {
  const both = contradiction(formats);
  if (!both) return;
  const [earlier, later] = both;
  const message = `Con «${earlier}» y «${later}» una misma etiqueta se leería de dos maneras. Cambie las cifras con que empieza uno de los dos, por ejemplo 21, o quítelo.`;
  throw validationError([{ param: `scale_labels.${formats.indexOf(later)}`, message }]);
}
