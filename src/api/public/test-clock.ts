import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { advanceClock, ClockError } from "../../access/accounts/test-clock.ts";
import type { Deps } from "../../deps.ts";
import { oneOf } from "../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import { noteOfNewest, tellOf } from "../../webhooks/queue/tell-of-endpoints.ts";
import { readJsonBodies, requireBody } from "../http/body-parser.ts";
import { handleErrors } from "../http/error-handler.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import { validatorCompiler } from "../http/validation.ts";
import { authenticate } from "./authenticate.ts";
import { keyLimits } from "./key-limits.ts";
import { testClockPath, testEndpointEventsPath } from "./test-clock-path.ts";

const bodyLimitBytes = 1024;
/** Each move makes everything look for what fell due. */
const perSecond = 2;
const failedPerMinute = 30;

const Advance = Type.Object({ advance: Type.String({ minLength: 1, maxLength: 40 }) }, { additionalProperties: false });

const Tell = Type.Object(
  { type: oneOf(["webhook_endpoint.failing", "webhook_endpoint.deactivated", "webhook_endpoint.recovered"]) },
  { additionalProperties: false },
);

/** Shows the clock of a test installation to whoever has one of its keys, and moves it for keys that may: it is everybody's. */
export function testClockRoutes(app: FastifyInstance, deps: Deps): void {
  if (deps.config.environment !== "test") return;
  const limits = {
    keys: keyLimits(perSecond, 5 * perSecond, undefined),
    failedAttempts: rateLimiter(failedPerMinute / 60, failedPerMinute),
  };
  void app.register((plain: FastifyInstance, _options, done) => {
    const api = plain.withTypeProvider<TypeBoxTypeProvider>();
    plain.setValidatorCompiler(validatorCompiler as never);
    readJsonBodies(plain, bodyLimitBytes);
    handleErrors(plain, deps.config.publicUrl);
    plain.addHook("onRequest", authenticate(deps, limits));
    plain.addHook("preValidation", (request, _reply, next) => {
      requireBody(request);
      next();
    });
    const { clock, pool } = deps;
    api.get(testClockPath, () => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() }));
    api.post(testClockPath, { config: { permission: "clock:write" }, schema: { body: Advance } }, async (request) => {
      try {
        return await advanceClock(pool, clock, request.body.advance);
      } catch (error) {
        if (error instanceof ClockError) throw validationError([{ param: "advance", message: error.message }]);
        throw error;
      }
    });
    api.post(
      testEndpointEventsPath,
      { config: { permission: "clock:write" }, schema: { body: Tell } },
      async (request, reply) => {
        const { accountId } = request.access;
        const id = await noteOfNewest(pool, accountId, request.body.type);
        if (id === undefined)
          throw new ApiError("NOT_FOUND", {
            message: "La cuenta no tiene webhooks. Agregue uno en el portal y repita.",
          });
        await tellOf(deps, accountId);
        return reply.code(202).send({ id });
      },
    );
    done();
  });
}
