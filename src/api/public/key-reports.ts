import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { revokeReported } from "../../access/api-keys/report-key.ts";
import type { Deps } from "../../deps.ts";
import { networkOf } from "../../lib/network-of.ts";
import { Type } from "../../lib/schema.ts";
import { readJsonBodies, requireBody } from "../http/body-parser.ts";
import { handleErrors } from "../http/error-handler.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { validatorCompiler } from "../http/validation.ts";

export const keyReportsPath = "/public/key-reports";

const bodyLimitBytes = 8 * 1024;
const reportsPerMinute = 30;

const Report = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 200 }),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^https?://[^\\s<>"]+$' })),
  },
  { additionalProperties: false },
);

/**
 * Where programs that look for secrets in public places report a key: whoever has it may as well end it. The answer is always the
 * same and does not wait, so that it tells nobody which keys exist.
 */
export function keyReportRoutes(app: FastifyInstance, deps: Deps): void {
  const limiter = rateLimiter(reportsPerMinute / 60, reportsPerMinute);
  deps.sharedLimits?.join("key-report", limiter);
  void app.register((plain: FastifyInstance, _options, done) => {
    plain.setValidatorCompiler(validatorCompiler as never);
    readJsonBodies(plain, bodyLimitBytes);
    handleErrors(plain, deps.config.publicUrl);
    plain.addHook("preValidation", (request, _reply, next) => {
      requireBody(request);
      next();
    });
    const api = plain.withTypeProvider<TypeBoxTypeProvider>();
    api.post(keyReportsPath, { schema: { body: Report } }, (request, reply) => {
      const source = networkOf(request.ip);
      if (!limiter.take(source)) throw rateLimited(limiter.state(source));
      revokeReported(deps, request.body, request.ip).catch((error: Error) =>
        deps.log.error({ err: error }, "a reported key was not revoked"),
      );
      return reply.code(202).send({ received: true });
    });
    done();
  });
}
