import { advisedIn } from "../../../access/people/membership.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, oneOf } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import { findEndpoint, listEndpoints } from "../../../webhooks/endpoints/store.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { concernsFor, readConcerns } from "../home/attention.ts";
import { concernsOfOwnSedes } from "../own-sedes.ts";
import { type Figures, figuresAgeMs, overviewPeriods, readFigures } from "./overview.ts";

const Period = Type.Object({ period: Type.Optional(oneOf(overviewPeriods)) }, { additionalProperties: false });
const maxCached = 1_000;

export function overviewRoutes(app: TypedApp, deps: ServedDeps): void {
  const cache = new Map<string, { figures: Promise<Figures>; until: number }>();

  app.get(
    "/overview",
    { config: { right: "developers:read" }, schema: { querystring: Period } },
    async (request): Promise<Answers["GET /overview"]> => {
      const { accountId } = request.session;
      const { period = "24h" } = request.query;
      const now = deps.clock.now();
      const endpoints = await listEndpoints(deps.pool, accountId, now);
      const endpointIds = endpoints.map(({ id }) => id);
      return cached(`${accountId} ${period} ${endpointIds}`, () =>
        readFigures(deps.pool, { accountId, endpointIds, withEvents: true, period, now }),
      );
    },
  );
  app.get("/attention", { config: { right: "today:read" } }, async ({ session }) => {
    const [all, advised] = await Promise.all([
      readConcerns(deps, session.accountId, deps.clock.now()),
      advisedIn(deps.reads, session),
    ]);
    const data = await concernsOfOwnSedes(deps.pool, session, concernsFor(all, advised));
    return { object: "list", data } satisfies Answers["GET /attention"];
  });
  app.get(
    "/webhook-endpoints/:id/figures",
    { config: { right: "developers:read" }, schema: { params: ById, querystring: Period } },
    async ({ session: { accountId }, params: { id }, query: { period = "24h" } }) => {
      const now = deps.clock.now();
      await findEndpoint(deps.pool, accountId, id, now);
      return cached(`${accountId} ${period} ${id}`, () =>
        readFigures(deps.pool, { accountId, endpointIds: [id], withEvents: false, period, now }),
      ) satisfies Promise<Answers["GET /webhook-endpoints/:id/figures"]>;
    },
  );

  /** Concurrent requests for the same figures share one count. */
  function cached(key: string, read: () => Promise<Figures>): Promise<Figures> {
    const found = cache.get(key);
    if (found && found.until > performance.now()) return found.figures;
    if (cache.size >= maxCached) cache.clear();
    const figures = read();
    figures.catch(() => cache.delete(key));
    cache.set(key, { figures, until: performance.now() + figuresAgeMs });
    return figures;
  }
}
