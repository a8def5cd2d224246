import { maxPasswordLength } from "../../../access/accounts/password.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import {
  addFactor,
  makeCodesAnew,
  removeFactor,
  renameFactor,
} from "../../../access/people/second-step/change-factors.ts";
import { kindsOf, listFactors } from "../../../access/people/second-step/factors.ts";
import { countRecoveryCodes } from "../../../access/people/second-step/recovery-codes.ts";
import { requireProof, requireStepUp, steppedUpUntil, stepUp } from "../../../access/people/second-step/step-up.ts";
import { beginTotp, confirmTotp } from "../../../access/people/second-step/totp-factor.ts";
import { browserToken, forgetBrowsers, listBrowsers } from "../../../access/people/second-step/trusted-browser.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label } from "../../../engine/resources/fields.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readAccount } from "./account.ts";
import { answerOf, StepBody } from "./second-step-routes.ts";
import { actorOf } from "./session-routes.ts";

const closed = { additionalProperties: false };
const name = label(60);
const current_password = Type.Optional(Type.String({ minLength: 1, maxLength: maxPasswordLength }));
const NewFactor = Type.Object({ name, current_password }, closed);
const Name = Type.Object({ name }, closed);
const Code = Type.Object(
  { code: Type.String({ pattern: "^\\d{6}$", "x-hints": { pattern: "El código tiene 6 dígitos." } }) },
  closed,
);

/** What a person shows beside the password. */
export function factorRoutes(app: TypedApp, deps: Deps): void {
  app.get("/second-step", async (request): Promise<Answers["GET /second-step"]> => {
    const { personId, id } = request.session;
    const now = deps.clock.now();
    const until = await steppedUpUntil(deps.pool, id, now);
    return {
      kinds: await kindsOf(deps.pool, personId),
      factors: await listFactors(deps.pool, personId),
      recovery_codes: await countRecoveryCodes(deps.pool, personId),
      browsers: await listBrowsers(deps.pool, personId, browserToken(request, deps.config), now),
      stepped_up_until: until ?? null,
    };
  });
  app.post("/step-up", { schema: { body: StepBody } }, async (request): Promise<Answers["POST /step-up"]> => {
    const answer = answerOf(request.body);
    if (answer.kind === "mailed_code") throw new ApiError("SECOND_STEP_EXPIRED");
    const from = { remote_address: request.ip, user_agent: request.headers["user-agent"] ?? null };
    return { stepped_up_until: await stepUp(deps, request.session, answer, from) };
  });
  app.post("/factors/totp", { schema: { body: NewFactor } }, async ({ session, body }, reply) => {
    await requireProof(deps, session, body.current_password);
    const { email } = await readAccount(deps.pool, session);
    const begun: Answers["POST /factors/totp"] = await beginTotp(deps, {
      personId: session.personId,
      email,
      name: body.name.trim(),
    });
    return reply.code(201).send(begun);
  });
  app.post("/factors/totp/:id/confirm", { schema: { params: ById, body: Code } }, async (request) => {
    const { session, params, body } = request;
    const confirming = { personId: session.personId, id: params.id, code: body.code };
    const made: Answers["POST /factors/totp/:id/confirm"] = await addFactor(
      deps,
      session,
      "totp",
      async (client) => ({ id: params.id, ...(await confirmTotp(deps, client, confirming)) }),
      actorOf(request),
    );
    return made;
  });
  app.patch("/factors/:id", { schema: { params: ById, body: Name } }, async (request, reply) => {
    const renamed = { id: request.params.id, name: request.body.name.trim() };
    await renameFactor(deps, request.session, renamed, actorOf(request));
    return reply.code(204).send();
  });
  app.delete("/factors/:id", { schema: { params: ById } }, async (request, reply) => {
    await requireStepUp(deps, request.session);
    await removeFactor(deps, request.session, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
  app.post("/recovery-codes", async (request, reply) => {
    await requireStepUp(deps, request.session);
    const codes = await makeCodesAnew(deps, request.session, actorOf(request));
    return reply.code(201).send({ codes } satisfies Answers["POST /recovery-codes"]);
  });
  browserRoutes(app, deps);
}

/** The browsers that need not show it for 30 days. */
function browserRoutes(app: TypedApp, deps: Deps): void {
  app.delete("/trusted-browsers/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId, personId } = request.session;
    const { id } = request.params;
    const at = deps.clock.now();
    await transaction(deps.pool, async (client) => {
      if ((await forgetBrowsers(client, personId, id)) === 0)
        throw new ApiError("NOT_FOUND", { param: "id", message: "Ese navegador ya no se recordaba." });
      const details = { browser_id: id };
      await recordAudit(client, { accountId, at, action: "browser.forgotten", details, actor: actorOf(request) });
    });
    return reply.code(204).send();
  });
}
