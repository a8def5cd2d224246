import type { ServedDeps } from "../../../deps.ts";
import { searchQuery } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { find } from "./find.ts";

const Query = Type.Object({ q: Type.String({ ...searchQuery }) }, { additionalProperties: false });

/** The search over everything: a few records of each kind. */
export function searchRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/search",
    { schema: { querystring: Query } },
    async ({ session: { accountId }, query }): Promise<Answers["GET /search"]> => ({
      object: "list",
      data: await find(deps, accountId, query.q),
    }),
  );
}
