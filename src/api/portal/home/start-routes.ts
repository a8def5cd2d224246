import type { ServedDeps } from "../../../deps.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { hideStart, readStart } from "./first-steps.ts";

const Hidden = Type.Object({ is_hidden: Type.Boolean() }, { additionalProperties: false });

/** The first steps of a new business. */
export function startRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/start",
    { config: { right: "today:read" } },
    ({ session }): Promise<Answers["GET /start"]> => readStart(deps.pool, session.accountId),
  );
  const toChange = { right: "settings:write", ofWhole: true } as const;
  app.put("/start", { config: toChange, schema: { body: Hidden } }, async (request, reply) => {
    const hiddenAt = request.body.is_hidden ? deps.clock.now() : null;
    await hideStart(deps.pool, request.session.accountId, hiddenAt);
    return reply.code(204).send();
  });
}
