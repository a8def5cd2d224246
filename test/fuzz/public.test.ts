import { readFileSync } from "node:fs";
import { test } from "vitest";
import { checkResponse } from "../support/check-response.ts";
import { startService } from "../support/service.ts";
import { campaign, type Target } from "./campaign.ts";
import { type FuzzedRoute, fuzzedRequest } from "./requests.ts";
import { rounds } from "./rounds.ts";
import { type TwinShop, twinShops } from "./twin-shops.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const document: Json = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
const prefix = "/public/v1";
const documented = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
  Object.entries<Json>(operations).map(([method, operation]) => routeOf(method, path, operation)),
);

test.each(rounds())(
  "no request to the public API, seed %i, fails, leaks or gets an undocumented response",
  async (seed, count) => {
    await using service = await startService();
    const twins = await twinShops(service);
    const known = new Map<TwinShop, Record<string, string[]>>();
    for (const shop of twins.shops) known.set(shop, { ...twins.byField, ...(await placesOf(shop)) });
    const routes = documented.map((route) => ({ ...route, ids: twins.sharedIds[listOf(route.path)] ?? twins.ids }));
    const target: Target<TwinShop> = {
      name: "public",
      baseUrl: service.baseUrl,
      speakers: twins.shops,
      routes,
      make: (route, shop, chance) =>
        fuzzedRequest(route, chance, {
          credential: chance.happens(0.02) ? [] : [["Authorization", `Bearer ${shop.key}`]],
          words: { ids: twins.ids, marker: shop.marker, known: known.get(shop)! },
        }),
      check({ method, target: path }, answer) {
        const isUnknownHead = method === "HEAD" && answer.status === 404;
        if (!isUnknownHead) checkResponse(method, path.slice(prefix.length), answer);
      },
    };
    await campaign(target, seed, count);
  },
  600_000,
);

function routeOf(method: string, path: string, operation: Json): FuzzedRoute {
  const parameters = (operation.parameters ?? []).filter((one: Json) => one.in === "query");
  const body = operation.requestBody?.content["application/json"].schema;
  return {
    method: method.toUpperCase(),
    path: prefix + path.replace(/\{(\w+)\}/g, ":$1"),
    ...(parameters.length > 0 && {
      query: {
        type: "object",
        properties: Object.fromEntries(parameters.map((one: Json) => [one.name, one.schema])),
      },
    }),
    ...(body && { body }),
    root: document,
    // An export reads everything, so a few are enough. Writes cover more code than reads.
    weight: path.startsWith("/exports/") ? 0.6 : method === "get" ? 1 : 3,
  };
}

function listOf(path: string): string {
  return path.slice(prefix.length).replace("/:id", "");
}

/** Cursors and tags that this shop received, for both shops to send. */
async function placesOf({ portal }: TwinShop): Promise<Record<string, string[]>> {
  const lists = documented.filter(
    ({ method, path, query }) => method === "GET" && query?.properties.limit && !path.includes(":"),
  );
  const answers = await Promise.all(
    lists.map(({ path }) => portal.business.api.get(`${path.slice(prefix.length)}?limit=1`)),
  );
  return {
    starting_after: answers.map(({ body }) => body.next_cursor as string).filter(Boolean),
    etag: answers.map(({ headers }) => headers.get("etag")!),
  };
}
