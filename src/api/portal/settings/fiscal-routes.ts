import type { Deps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import { resendDocument } from "../../../fiscal/documents/resend-document.ts";
import type { NumberingRange } from "../../../fiscal/numbering/numbering.ts";
import { rangeUses } from "../../../fiscal/numbering/range-use.ts";
import { readSkipped } from "../../../fiscal/numbering/skipped-numbers.ts";
import { readProfile, readRanges } from "../../../fiscal/profile/profile.ts";
import { planProfile } from "../../../fiscal/profile/set-profile.ts";
import { planRange } from "../../../fiscal/profile/set-range.ts";
import { shownRangeWithSkipped } from "../../../fiscal/profile/shown-settings.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { requestConfirmation } from "./confirmations.ts";
import {
  ProfileBody,
  packProfile,
  packRange,
  profileAnswer,
  RangeBody,
  readProfileBody,
  readRangeBody,
  reportingProblems,
} from "./fiscal-settings.ts";
import { readRangePlaces } from "./range-places.ts";
import { actorOf } from "./session-routes.ts";

const toRead = { right: "settings:read" } as const;
const ofProfile = { right: "fiscal", ofWhole: true } as const;
const ofRanges = { right: "fiscal", placedBy: ["location_id", "register_id", "warehouse_id"] } as const;

/** The fiscal profile, its numbering ranges, and documents that were not accepted. */
export function fiscalRoutes(app: TypedApp, deps: Deps): void {
  const { secretKeys: secretKey } = deps.config;

  app.get("/fiscal-profile", { config: toRead }, async (request): Promise<Answers["GET /fiscal-profile"]> => {
    const profile = await readProfile(deps.pool, secretKey, request.session.accountId);
    if (!profile)
      throw new ApiError("NOT_FOUND", {
        message: "La cuenta todavía no tiene perfil fiscal. Regístrelo para que sus ventas tengan documento.",
      });
    return profileAnswer(profile, deps.config);
  });
  app.put("/fiscal-profile", { config: ofProfile, schema: { body: ProfileBody } }, async (request, reply) => {
    const { session } = request;
    const changes = readProfileBody(request.body);
    // Checked before a code is mailed: nobody should confirm a change that will be refused.
    const { nit } = await reportingProblems(planProfile(deps.pool, secretKey, session.accountId, changes));
    const payload = packProfile({ secretKey, accountId: session.accountId }, nit, changes);
    return reply.code(202).send(await requestConfirmation(deps, session, "fiscal_profile.set", payload));
  });

  app.get("/numbering-ranges", { config: toRead }, async (request): Promise<Answers["GET /numbering-ranges"]> => {
    const { accountId, locationIds } = request.session;
    const isHers = ({ locationId }: NumberingRange) =>
      locationIds === null || locationId === null || locationIds.includes(locationId);
    const ranges = (await readRanges(deps.pool, secretKey, accountId)).filter(isHers);
    const skipped = await readSkipped(deps.pool, accountId);
    const uses = rangeUses(ranges, bogotaDate(deps.clock.now()));
    const places = await readRangePlaces(deps.pool, accountId, ranges);
    return {
      object: "list",
      data: uses.map(({ range, state, remaining }) => ({
        ...shownRangeWithSkipped(range, skipped),
        ...places(range),
        state,
        remaining,
      })),
    };
  });
  app.post("/numbering-ranges", { config: ofRanges, schema: { body: RangeBody } }, async (request, reply) => {
    const { session } = request;
    const input = readRangeBody(request.body);
    await reportingProblems(planRange(deps.pool, secretKey, session.accountId, input));
    if (input.validUntil !== null && input.validUntil < bogotaDate(deps.clock.now()))
      throw validationError([
        { param: "valid_until", message: "Esa fecha ya pasó. Revise hasta cuándo vale el rango en la resolución." },
      ]);
    const payload = packRange({ secretKey, accountId: session.accountId }, input);
    return reply.code(202).send(await requestConfirmation(deps, session, "numbering_range.set", payload));
  });

  app.post(
    "/invoices/:id/resend",
    { config: { right: "documents:write" }, schema: { params: ById } },
    async (request, reply) => {
      const { accountId } = request.session;
      const by = { actor: actorOf(request), requestId: request.id };
      const invoice = await reportingProblems(resendDocument(deps, accountId, request.params.id.toLowerCase(), by));
      const { id, status, prefix, number, dian_message } = invoice;
      const sent: Answers["POST /invoices/:id/resend"] = { id, status, prefix, number, reason: dian_message };
      return reply.code(202).send(sent);
    },
  );
}
