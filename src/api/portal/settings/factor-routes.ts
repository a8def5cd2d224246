import { maxPasswordLength } from "../../../access/accounts/password.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import {
  addFactor,
  makeCodesAnew,
  removeFactor,
  renameFactor,
} from "../../../access/people/second-step/change-factors.ts";
import { kindsOf, listFactors } from "../../../access/people/second-step/factors.ts";
import {
  authenticationOptions,
  checkNewPasskey,
  hasPasskeys,
  registrationOptions,
  storePasskey,
} from "../../../access/people/second-step/passkeys.ts";
import { countRecoveryCodes } from "../../../access/people/second-step/recovery-codes.ts";
import { putSecuritySettings, readSecuritySettings } from "../../../access/people/second-step/security-settings.ts";
import { requireProof, steppedUpUntil, stepUp } from "../../../access/people/second-step/step-up.ts";
import { beginTotp, confirmTotp } from "../../../access/people/second-step/totp-factor.ts";
import { browserToken, forgetBrowsers, listBrowsers } from "../../../access/people/second-step/trusted-browser.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label, maxPesos, nullable } from "../../../engine/resources/fields.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readAccount } from "./account.ts";
import { answerOf, Credential, StepBody } from "./second-step-routes.ts";
import { actorOf } from "./session-routes.ts";

/** Everybody's own. */
const own = { right: "anyone" } as const;
const closed = { additionalProperties: false };
const name = label(60);
const current_password = Type.Optional(Type.String({ minLength: 1, maxLength: maxPasswordLength }));
const NewFactor = Type.Object({ name, current_password }, closed);
const Proof = Type.Object({ current_password }, closed);
const NewPasskey = Type.Object({ name, credential: Credential }, closed);
const Name = Type.Object({ name }, closed);
const Settings = Type.Object(
  {
    demands_second_step: Type.Boolean(),
    refund_step_up_above: nullable(Type.Integer({ minimum: 0, maximum: maxPesos })),
  },
  closed,
);
const Code = Type.Object(
  { code: Type.String({ pattern: "^\\d{6}$", "x-hints": { pattern: "El código tiene 6 dígitos." } }) },
  closed,
);

/** What a person shows beside the password. */
export function factorRoutes(app: TypedApp, deps: Deps): void {
  app.get("/second-step", { config: own }, async (request): Promise<Answers["GET /second-step"]> => {
    const { personId, id } = request.session;
    const now = deps.clock.now();
    const until = await steppedUpUntil(deps.pool, id, now);
    return {
      kinds: await kindsOf(deps.pool, personId),
      factors: await listFactors(deps.pool, personId),
      recovery_codes: await countRecoveryCodes(deps.pool, personId),
      browsers: await listBrowsers(deps.pool, personId, browserToken(request, deps.config), now),
      stepped_up_until: until ?? null,
      has_passkeys: hasPasskeys(deps.config),
    };
  });
  app.post(
    "/step-up",
    { config: own, schema: { body: StepBody } },
    async (request): Promise<Answers["POST /step-up"]> => {
      const answer = answerOf(request.body);
      if (answer.kind === "mailed_code") throw new ApiError("SECOND_STEP_EXPIRED");
      const from = { remote_address: request.ip, user_agent: request.headers["user-agent"] ?? null };
      return { stepped_up_until: await stepUp(deps, request.session, answer, from) };
    },
  );
  app.post("/factors/totp", { config: own, schema: { body: NewFactor } }, async ({ session, body }, reply) => {
    await requireProof(deps, session, body.current_password);
    const { email } = await readAccount(deps.pool, session);
    const begun: Answers["POST /factors/totp"] = await beginTotp(deps, {
      personId: session.personId,
      email,
      name: body.name.trim(),
    });
    return reply.code(201).send(begun);
  });
  app.post("/factors/totp/:id/confirm", { config: own, schema: { params: ById, body: Code } }, async (request) => {
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
  passkeyRoutes(app, deps);
  app.patch("/factors/:id", { config: own, schema: { params: ById, body: Name } }, async (request, reply) => {
    const renamed = { id: request.params.id, name: request.body.name.trim() };
    await renameFactor(deps, request.session, renamed, actorOf(request));
    return reply.code(204).send();
  });
  app.delete("/factors/:id", { config: own, schema: { params: ById } }, async (request, reply) => {
    await removeFactor(deps, request.session, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
  app.post("/recovery-codes", { config: own }, async (request, reply) => {
    const codes = await makeCodesAnew(deps, request.session, actorOf(request));
    return reply.code(201).send({ codes } satisfies Answers["POST /recovery-codes"]);
  });
  browserRoutes(app, deps);
  demandRoutes(app, deps);
}

/** What the owners demand. */
function demandRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/security-settings",
    { config: { right: "security" } },
    ({ session }): Promise<Answers["GET /security-settings"]> => readSecuritySettings(deps.pool, session.accountId),
  );
  app.put("/security-settings", { config: { right: "security" }, schema: { body: Settings } }, async (request) => {
    const { accountId } = request.session;
    await putSecuritySettings(deps, accountId, request.body, actorOf(request));
    return readSecuritySettings(deps.pool, accountId) satisfies Promise<Answers["PUT /security-settings"]>;
  });
}

function passkeyRoutes(app: TypedApp, deps: Deps): void {
  const registering = (sessionId: string) => `register ${sessionId}`;
  app.post("/factors/passkeys/options", { config: own, schema: { body: Proof } }, async ({ session, body }) => {
    if (!hasPasskeys(deps.config))
      throw new ApiError("VALIDATION_ERROR", {
        message:
          "Las llaves de acceso necesitan que el portal tenga un nombre, no una dirección IP. Use una aplicación de códigos.",
      });
    await requireProof(deps, session, body.current_password);
    const { email } = await readAccount(deps.pool, session);
    return registrationOptions(deps, { id: session.personId, email, name: "" }, registering(session.id));
  });
  app.post("/factors/passkeys", { config: own, schema: { body: NewPasskey } }, async (request, reply) => {
    const { session, body } = request;
    const passkey = await checkNewPasskey(deps, { purpose: registering(session.id), credential: body.credential });
    const stored = { personId: session.personId, name: body.name.trim(), passkey, now: deps.clock.now() };
    const made: Answers["POST /factors/passkeys"] = await addFactor(
      deps,
      session,
      "passkey",
      (client) => storePasskey(client, stored),
      actorOf(request),
    );
    return reply.code(201).send(made);
  });
  app.post("/step-up/passkey", { config: own }, ({ session }) =>
    authenticationOptions(deps, `step-up ${session.id}`, session.personId),
  );
}

/** The browsers that need not show it for 30 days. */
function browserRoutes(app: TypedApp, deps: Deps): void {
  app.delete("/trusted-browsers/:id", { config: own, schema: { params: ById } }, async (request, reply) => {
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
