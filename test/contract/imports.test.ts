import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const ground = ["db", "lib"];
const feature = [...ground, "resources", "writing", "http"];

/**
 * Who may know whom: each folder of src (and each file at its top) with what it may import. A folder that is not here
 * fails the test: whoever adds one says where it stands.
 */
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  db: ["lib"],
  resources: ground,
  events: ground,
  // The queue of webhook deliveries: whoever writes events fills it, whoever takes the plan away empties it.
  deliveries: [...ground, "events"],
  writing: [...ground, "resources", "events", "deliveries"],
  accounts: [...ground, "deliveries"],
  "api-keys": [...ground, "accounts"],
  devices: [...ground, "writing", "accounts"],
  http: [...ground, "resources", "events", "writing", "api-keys", "deps.ts", "config.ts"],
  "events over http": [...feature, "events"],
  customers: feature,
  categories: feature,
  products: [...feature, "categories", "devices", "inventory"],
  inventory: [...feature, "products"],
  notices: ground,
  // A document is a sale's and its buyer's; a sale only shows the summaries of its documents. Who set the profile, a range
  // or a document going stands in the account's audit log.
  fiscal: [...feature, "customers", "sales", "events", "notices", "accounts", "config.ts"],
  sales: [...feature, "fiscal"],
  "cash-sessions": feature,
  quotes: feature,
  mail: [...ground, "notices", "deps.ts"],
  webhooks: [...ground, "events", "deliveries", "accounts", "mail", "deps.ts"],
  "portal-api": [
    ...ground,
    "resources",
    "http",
    "accounts",
    "api-keys",
    "devices",
    "deliveries",
    "events",
    "webhooks",
    "fiscal",
    "notices",
    "mail",
    "config.ts",
    "deps.ts",
  ],
  "portal-site": ["http", "docs"],
  sync: [...feature, "events", "devices", "deps.ts", ...records()],
  exports: [...feature, "api-keys", "events over http", ...records()],
  docs: ["lib", "http", "deps.ts", "config.ts"],
  verify: [...ground, "resources", ...records()],
  demo: [...ground, "resources", "writing", "accounts", "api-keys", "deps.ts", ...records()],
  "config.ts": [],
  "deps.ts": [...ground, "api-keys", "events", "deliveries", "writing", "sync", "http", "config.ts"],
  "app.ts": [
    ...ground,
    "http",
    "docs",
    "api-keys",
    "sync",
    "exports",
    "portal-api",
    "portal-site",
    "mail",
    "deps.ts",
    "events over http",
    ...records(),
  ],
  start: [
    ...ground,
    "http",
    "fiscal",
    "accounts",
    "api-keys",
    "deliveries",
    "mail",
    "webhooks",
    "writing",
    "sync",
    "portal-api",
    "demo",
    "app.ts",
    "config.ts",
    "deps.ts",
  ],
  cli: [
    ...ground,
    "fiscal",
    "accounts",
    "api-keys",
    "devices",
    "events",
    "webhooks",
    "demo",
    "verify",
    "start",
    "config.ts",
    "deps.ts",
  ],
  "main.ts": ["cli"],
};

function records(): string[] {
  return ["customers", "categories", "products", "inventory", "fiscal", "sales", "cash-sessions", "quotes"];
}

/** The event log's routes are a feature like any other; the log itself knows none. */
function standsIn(file: string): string {
  if (file === "events/routes.ts" || file === "events/schema.ts") return "events over http";
  return file.split("/")[0]!;
}

const imports = new Map(
  sourcesIn("src").map((file) => [file, importsOf(join("src", file)).map((target) => relative("src", target))]),
);

describe("src", () => {
  test("is read by this test", () => {
    expect(imports.get("http/etag.ts")).toEqual(["lib/errors.ts"]);
    expect(imports.size).toBeGreaterThan(80);
  });

  test("has no folder without a row in the matrix above", () => {
    const unknown = [...imports.keys()].map(standsIn).filter((place) => !(place in mayImport));
    expect([...new Set(unknown)], "add a row to mayImport that says what this folder may import").toEqual([]);
  });

  test("imports only what the matrix allows", () => {
    const forbidden = [...imports].flatMap(([file, targets]) => {
      const from = standsIn(file);
      return (
        targets
          // The one way out of src: the commands that run the simulator, or are clients themselves.
          .filter((target) => !(from === "cli" && /^\.\.\/(simulator|sdk\/src)\//.test(target)))
          .filter((target) => standsIn(target) !== from && !mayImport[from]?.includes(standsIn(target)))
          .map((target) => `${file} imports ${target}, but ${from} may not import ${standsIn(target)}`)
      );
    });
    expect(forbidden).toEqual([]);
  });

  test("has no cycles between files", () => {
    expect(findCycle(imports)).toBeUndefined();
    expect(
      findCycle(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["b"]],
        ]),
      ),
    ).toEqual(["b", "c", "b"]);
  });

  test("has no barrels: a name is imported from the file that defines it", () => {
    const barrels = [...imports.keys()].filter((file) =>
      /^export\s+(\*|\{[^}]*\})\s+from\s/m.test(readFileSync(join(root, "src", file), "utf8")),
    );
    expect(barrels).toEqual([]);
  });
});

/** A register computes taxes by the same law as the server: these modules are the law, and know nothing of the service. */
const taxLaw = ["tax", "tax-classes", "exact", "read-values", "fiscal-error", "bogota-time"].map(
  (name) => `src/fiscal/${name}.ts`,
);

test.each([
  ["portal", []],
  ["sdk", []],
  ["simulator", taxLaw],
])("%s imports nothing of src but %j", (folder, allowed) => {
  const reaching = sourcesIn(folder).flatMap((file) =>
    importsOf(join(folder, file))
      .filter((target) => target.startsWith("src/") && !(allowed as string[]).includes(target))
      .map((target) => `${folder}/${file} imports ${target}`),
  );
  expect(reaching).toEqual([]);
});

test("the service runs without what only its development needs", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, object>;
  const missing = ["src", "simulator"].flatMap((folder) =>
    sourcesIn(folder).flatMap((file) =>
      packagesOf(join(folder, file))
        .filter((name) => !(name in dependencies!))
        .map((name) => `${folder}/${file} imports ${name}`),
    ),
  );
  expect(missing).toEqual([]);
  expect(packagesOf("src/webhooks/self-signed.ts")).toEqual(["selfsigned"]);
});

/** The packages that a file needs when it runs. */
function packagesOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8").replaceAll(/^import type [^;]+;/gm, "");
  const named = text.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*"((?:@[^"/]+\/)?[^"./@][^"/]*)(?:\/[^"]*)?"/g);
  return [...new Set([...named].map((match) => match[1]!))].filter((name) => !name.startsWith("node:"));
}

/** The program's own files under a folder: neither tests nor what they are checked against. */
function sourcesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return globSync("**/*.{ts,tsx,mts}", { cwd: join(root, folder) })
    .filter((file) => !/\.(test|fixture)\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .toSorted();
}

/** What a file imports from this project, types included, as paths from the project's root. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const named = text.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return [...new Set([...named].map((match) => join(dirname(path), match[1]!)))].filter((target) =>
    /\.tsx?$/.test(target),
  );
}

/** The first ring of files that import each other, or undefined. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  function visit(file: string, path: readonly string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
