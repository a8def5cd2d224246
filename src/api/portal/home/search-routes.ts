import type { Right } from "../../../access/people/rights.ts";
import type { ServedDeps } from "../../../deps.ts";
import { searchQuery } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { withinOwnSedes } from "../own-sedes.ts";
import { type Found, find } from "./find.ts";

const Query = Type.Object({ q: Type.String({ ...searchQuery }) }, { additionalProperties: false });

const rightByKind: Readonly<Record<Found["kind"], Right>> = {
  product: "products:read",
  customer: "customers:read",
  sale: "sales:read",
  document: "documents:read",
  quote: "sales:read",
};

/** The search over everything that one may see: a few records of each kind. */
export function searchRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/search",
    { config: { right: "anyone" }, schema: { querystring: Query } },
    async ({ session, query }): Promise<Answers["GET /search"]> => ({
      object: "list",
      data: (await withinOwnSedes(deps.pool, session, await find(deps, session, query.q))).filter(({ kind }) =>
        session.rights.has(rightByKind[kind]),
      ),
    }),
  );
}
