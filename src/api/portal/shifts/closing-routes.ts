import type { Session } from "../../../access/people/session.ts";
import { whichSedes } from "../../../business/locations/which-sedes.ts";
import type { Deps } from "../../../deps.ts";
import { ById, uuid } from "../../../engine/resources/fields.ts";
import { readCodes, setCodes } from "../../../fiscal/closing/accounting-codes.ts";
import { type Closing, readDayClosing, readShiftClosing } from "../../../fiscal/closing/closing.ts";
import { isDay } from "../../../fiscal/closing/day.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { closingPaper } from "../../../paper/papers/closing-paper.ts";
import type { Press } from "../../../paper/press.ts";
import { readDisagreeing, readShiftSums } from "../../../reports/shift-sums.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { sendPaper, WidthQuery } from "../documents/send-paper.ts";
import { ownShifts } from "../own-sedes.ts";
import { actorOf } from "../settings/session-routes.ts";
import { sedesAsked } from "../tables/sedes.ts";
import { journalCsv } from "./journal-table.ts";

const closed = { additionalProperties: false };
/** As many as a page of shifts has. */
const uuidPattern = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const SumsQuery = Type.Object(
  {
    ids: Type.String({
      maxLength: 3_700,
      pattern: `^${uuidPattern}(,${uuidPattern}){0,99}$`,
      "x-hints": { pattern: "Escriba hasta 100 identificadores de turnos, separados por comas." },
    }),
  },
  closed,
);
const Sede = Type.Object({ location_id: Type.Optional(uuid()) }, closed);
const SedePaper = Type.Object({ ...WidthQuery.properties, ...Sede.properties }, closed);
const ByDate = Type.Object({ date: Type.String({ maxLength: 10 }) }, closed);

/** An account of the business's chart; letters and dots for those who number their own. */
const code = Type.String({
  pattern: "^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$",
  "x-hints": { pattern: "Una cuenta tiene hasta 20 números, letras, puntos o guiones, por ejemplo 110505." },
});
const codesBy = (name: string) =>
  Type.Unsafe<Record<string, string>>({
    type: "object",
    patternProperties: { [name]: code },
    additionalProperties: false,
    maxProperties: 40,
  });
const CodesBody = Type.Object(
  {
    payments: Type.Optional(codesBy("^[0-9A-Za-z_ -]{1,40}$")),
    income: Type.Optional(codesBy("^([0-9]{2}:[0-9.]{1,6}|untaxed)$")),
    taxes: Type.Optional(codesBy("^[0-9]{2}$")),
    ...Object.fromEntries(
      [
        "other_payment",
        "other_income",
        "other_tax",
        "returns",
        "tips",
        "third_parties",
        "cash_surplus",
        "cash_shortage",
        "cash_in",
        "cash_out",
      ].map((name) => [name, Type.Optional(code)]),
    ),
  },
  closed,
);

const ofShifts = { right: "shifts:read" } as const;

/** The close of a shift and of a day, its journal, and the accounts of that. */
export function closingRoutes(app: TypedApp, deps: Deps, press: Press): void {
  async function shiftOf(accountId: string, id: string): Promise<Closing> {
    const closing = await readShiftClosing(deps.pool, accountId, id.toLowerCase());
    if (!closing) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este turno en la cuenta." });
    return closing;
  }

  const dayOf: ReadDay = (session, date, { location_id }) =>
    readDayClosing(deps.pool, session.accountId, checkedDay(date), sedesAsked(session, location_id));

  app.get(
    "/cash-sessions/sums",
    { config: ofShifts, schema: { querystring: SumsQuery } },
    async ({ session, query }): Promise<Answers["GET /cash-sessions/sums"]> => {
      const ids = await ownShifts(deps.pool, session, query.ids.split(","));
      const [data, disagreeing] = await Promise.all([
        readShiftSums(deps.pool, session.accountId, ids),
        readDisagreeing(deps.pool, session.accountId, ids),
      ]);
      return { data, disagreeing };
    },
  );
  app.get(
    "/cash-sessions/:id/z",
    { config: ofShifts, schema: { params: ById } },
    ({ session, params }): Promise<Answers["GET /cash-sessions/:id/z"]> => shiftOf(session.accountId, params.id),
  );
  app.get(
    "/cash-sessions/:id/z.pdf",
    { config: ofShifts, schema: { params: ById, querystring: WidthQuery } },
    async (request, reply) => {
      const { accountId } = request.session;
      const closing = await shiftOf(accountId, request.params.id);
      return sendPaper(press, request, reply, await closingPaper(deps, accountId, closing, deps.clock.now()));
    },
  );

  app.get(
    "/days/:date/z",
    { config: ofShifts, schema: { params: ByDate, querystring: Sede } },
    async ({ session, params, query }): Promise<Answers["GET /days/:date/z"]> => dayOf(session, params.date, query),
  );
  app.get(
    "/days/:date/z.pdf",
    { config: ofShifts, schema: { params: ByDate, querystring: SedePaper } },
    async (request, reply) => {
      const { accountId } = request.session;
      const closing = await dayOf(request.session, request.params.date, request.query);
      return sendPaper(press, request, reply, await closingPaper(deps, accountId, closing, deps.clock.now()));
    },
  );
  journalRoute(app, deps, dayOf);
  codesRoutes(app, deps);
}

type ReadDay = (session: Session, date: string, asked: { location_id?: string }) => Promise<Closing>;

function journalRoute(app: TypedApp, deps: Deps, dayOf: ReadDay): void {
  app.get(
    "/days/:date/journal.csv",
    { config: { right: { all: ["reports:read", "exports"] } }, schema: { params: ByDate, querystring: Sede } },
    async ({ session, params, query }, reply) => {
      const date = checkedDay(params.date);
      const closing = await dayOf(session, date, query);
      const sedes = await whichSedes(deps.pool, session.accountId, sedesAsked(session, query.location_id));
      const csv = journalCsv(date, closing, await readCodes(deps.pool, session.accountId), sedes?.words);
      const name = ["diario", date, sedes?.mark].filter(Boolean).join("-");
      return reply
        .type("text/csv; charset=utf-8")
        .headers({
          "content-disposition": `attachment; filename="${name}.csv"`,
          "x-content-type-options": "nosniff",
        })
        .send(csv);
    },
  );
}

function codesRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/accounting-codes",
    { config: { right: { any: ["reports:read", "accounting"] } } },
    ({ session }): Promise<Answers["GET /accounting-codes"]> => readCodes(deps.pool, session.accountId),
  );
  app.put(
    "/accounting-codes",
    { config: { right: "accounting", ofWhole: true }, schema: { body: CodesBody } },
    async (request): Promise<Answers["PUT /accounting-codes"]> => {
      const { accountId } = request.session;
      await setCodes(deps, accountId, request.body, actorOf(request));
      return readCodes(deps.pool, accountId);
    },
  );
}

function checkedDay(text: string): string {
  if (isDay(text)) return text;
  throw validationError([{ param: "date", message: "No es un día. Escríbalo como 2026-11-16." }]);
}
