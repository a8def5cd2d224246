import type { FastifyInstance } from "fastify";
import { portalPaths } from "../test/support/portal-paths.ts";
import { type Address, allFiles, allRules, isAt, isOf } from "../test/support/rules.ts";
import { promises } from "./promises.ts";

/** They call every route; what else holds one is more telling. */
const walks = /^test\/(fuzz|contract\/(permissions|pagination|request-bodies))/;
const most = 3;

const introduction = `# What holds what

Written by \`npm run generate\` from the tests themselves and \`scripts/promises.ts\`. Each row names the files of the tests, at most ${most}, with the most tests first. For single tests, by status, error or words:
\`node scripts/tests-of.ts POST /public/v1/customers 409\` (see [testing.md](testing.md)).

Every route of the public API is also held by the suites that walk them all: \`test/contract\` (permissions, pagination, bodies, the OpenAPI document) and \`test/fuzz\`, which walks those of registers and of the portal too. Every page is opened by
\`test/portal/every-page.test.ts\`, \`test/portal/pages.test.ts\` and \`test/scenarios/born-yesterday.test.ts\`. A dash means: by those, and by tests that put the address together.
`;

/** Promises, routes and pages, each with the files of the tests that hold it. */
export async function whatHoldsWhat(app: FastifyInstance): Promise<string> {
  const files = await filesOfAddresses();
  const holding = (isIt: (address: Address) => boolean) => {
    const counts = new Map<string, number>();
    for (const { path, addresses } of files) if (addresses.some(isIt)) counts.set(path, (counts.get(path) ?? 0) + 1);
    return [...counts].toSorted(([, a], [, b]) => b - a).map(([path]) => path);
  };
  const routes = (of: { routes: { method: string | string[]; url: string }[] }) =>
    of.routes
      .flatMap(({ method, url }) => [method].flat().map((one) => ({ method: one, url })))
      .filter(({ method }) => method !== "HEAD")
      .toSorted((a, b) => a.url.localeCompare(b.url, "en") || a.method.localeCompare(b.method, "en"))
      .map(
        ({ method, url }): Row => [
          `\`${method} ${url}\``,
          holding((address) => isOf(address, method) && isAt(address, url)),
        ],
      );
  const pages = portalPaths().map(
    (path): Row => [`\`${path}\``, holding((address) => address.name.startsWith("/") && isAt(address, path))],
  );
  return [
    introduction,
    "## Promises\n",
    ...Object.entries(promises).map(([title, list]) =>
      table(`### ${title}`, [
        "Promise",
        ...list.map(({ promise, heldBy }): Row => [promise, heldBy.map(([path]) => path)]),
      ]),
    ),
    table("## The public API", ["Route", ...routes(app.publicRoutes)]),
    table("## What registers call", ["Route", ...routes(app.syncRoutes)]),
    table("## What the portal calls", ["Route", ...routes(app.portalRoutes)]),
    table("## The portal's pages", ["Page", ...pages]),
  ].join("\n");
}

type Row = [what: string, files: string[]];

/** Once for each test, and once more for the file with its own helpers: a route that only a helper calls is named too. */
async function filesOfAddresses(): Promise<{ path: string; addresses: Address[] }[]> {
  return [...(await allRules()), ...(await allFiles())].filter(({ path }) => !walks.test(path));
}

function table(title: string, [first, ...rows]: [string, ...Row[]]): string {
  const lines = rows.map(([what, files]) => `| ${what} | ${links(files)} |`);
  return [title, "", `| ${first} | Tests |`, "|---|---|", ...lines, ""].join("\n");
}

function links(files: readonly string[]): string {
  const named = [...new Set(files)]
    .slice(0, most)
    .map((path) => `[${path.replace(/^test\/|\.test\.ts$/g, "")}](../${path})`);
  return named.join(", ") || "—";
}
