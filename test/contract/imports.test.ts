import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Every place of src, from the ground up: each may import from those before it and never from those after. A new folder
 * fails the test until it stands here; one of business may import nothing of its neighbours. Folders that need not know
 * each other stand on one line.
 */
const order = [
  ["lib"],
  ["config.ts"],
  ["db"],
  ["taxes"],
  ["costs"],
  ["engine/account-rows.ts"],
  ["engine/search", "engine/events"],
  ["engine/resources"],
  ["engine/deliveries"],
  ["engine/writing"],
  ["engine/deps.ts"],
  ["notices"],
  ["mail"],
  ["access/accounts"],
  ["access/api-keys", "access/devices", "access/people"],
  ["business"],
  ["business/products", "business/sales"],
  ["business/locations", "business/suppliers"],
  ["business/inventory"],
  ["business/orders", "business/purchases"],
  ["business/opening"],
  ["business/registry.ts"],
  ["reports"],
  ["fiscal/findings", "fiscal/numbering", "fiscal/content"],
  ["fiscal/profile"],
  ["fiscal/authority"],
  ["fiscal/returns", "fiscal/received"],
  ["fiscal/documents", "fiscal/closing"],
  ["fiscal/corrections"],
  ["paper"],
  ["webhooks/endpoints"],
  ["webhooks/sending"],
  ["webhooks/history"],
  ["webhooks/queue"],
  ["alerts", "privacy"],
  ["api/http"],
  ["deps.ts"],
  ["api/public"],
  ["api/exports", "api/sync"],
  // An owner has what registers uploaded tried again.
  ["api/portal"],
  ["sites"],
  ["mcp"],
  ["app.ts"],
  ["operations"],
  ["cli"],
  ["main.ts"],
];
const heights = new Map(order.flatMap((places, height) => places.map((place) => [place, height])));

function placeOf(file: string): string {
  const [first, second] = file.split("/");
  return heights.has(`${first}/${second}`) ? `${first}/${second}` : first!;
}

const imports = new Map(
  sourcesIn("src").map((file) => [file, importsOf(join("src", file)).map((target) => relative("src", target))]),
);

describe("src", () => {
  test("is read by this test", () => {
    expect(imports.get("api/http/etag.ts")).toEqual(["lib/errors.ts"]);
    expect(imports.size).toBeGreaterThan(80);
  });

  test("has no folder without a place in the order above", () => {
    const unknown = [...imports.keys()].map(placeOf).filter((place) => !heights.has(place));
    expect([...new Set(unknown)], "say in `order` what this folder may import").toEqual([]);
  });

  test("imports downward only", () => {
    const upward = [...imports].flatMap(([file, targets]) =>
      targets
        // The one way out of src: the commands that run the simulator, or are clients themselves.
        .filter((target) => !(file.startsWith("cli/") && /^\.\.\/(simulator|register|sdk\/src)\//.test(target)))
        .filter((target) => placeOf(target) !== placeOf(file))
        .filter((target) => !(heights.get(placeOf(target))! < heights.get(placeOf(file))!))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
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

test.each(["bench", "caja", "portal", "register", "sdk", "simulator", "ui"])(
  "%s has no cycles between files",
  (folder) => {
    const graph = new Map(sourcesIn(folder).map((file) => [join(folder, file), importsOf(join(folder, file))]));
    expect(graph.size).toBeGreaterThan(2);
    expect(findCycle(graph)).toBeUndefined();
  },
);

const sharedWithPortal = [
  ...[
    "src/taxes/means.ts",
    "src/taxes/tax-class-words.ts",
    "src/taxes/document-types.ts",
    "src/taxes/document-number.ts",
    "src/taxes/units.ts",
  ],
  ...[
    "src/lib/typed-number.ts",
    "src/lib/money.ts",
    "src/business/purchases/amounts.ts",
    "src/business/purchases/states.ts",
    "src/access/people/advice.ts",
    "src/access/people/needed-right.ts",
    "src/access/people/built-in-roles.ts",
    "src/access/people/rights.ts",
    "src/access/people/scope-rights.ts",
    "src/api/portal/lists/",
  ],
];

/** Where a program begins, and what runs in a thread or a page of its own. */
const beginnings = [
  ...[
    "src/main.ts",
    "src/cli/apart.ts",
    "src/sites/docs/cli-package-worker.ts",
    "src/paper/press-worker.ts",
    "src/paper/layout/fontkit.d.ts",
  ],
  ...["portal/src/main.tsx", "portal/vite.config.ts", "caja/src/main.tsx", "caja/vite.config.ts"],
];

/** The direct connection to the authority: built and held by its tests, and no business can choose it yet. */
const awaited = ["src/fiscal/authority/dian/direct-authority.ts", "src/fiscal/authority/dian/document/qr-text.ts"];

test("every file is used: a page, a route or a command that nothing names is not there", () => {
  const folders = ["src", "portal", "caja", "register", "simulator", "ui"];
  const files = folders.flatMap((folder) => sourcesIn(folder).map((file) => join(folder, file)));
  const users = [
    ...files,
    ...["scripts", "bench"].flatMap((folder) => sourcesIn(folder).map((file) => join(folder, file))),
  ];
  const used = new Set(users.flatMap(importsOf));
  const unused = files.filter((file) => !used.has(file) && !beginnings.includes(file) && !awaited.includes(file));
  expect(unused, "nothing imports these files").toEqual([]);
});

/** A register computes taxes by the same law as the server. */
test.each([
  ["portal", "no code but what both say and read alike", sharedWithPortal],
  ["sdk", "no code", []],
  ["simulator", "src/taxes/", ["src/taxes/"]],
  ["caja", "what it computes and says like the server", ["src/taxes/", "src/business/counter/rights.ts"]],
  [
    "register",
    "what it computes like the server",
    [
      ...["src/taxes/", "src/lib/money.ts", "src/lib/scale-label.ts", "src/fiscal/returns/plan-return.ts"],
      ...["src/business/counter/rights.ts", "src/business/counter/act-kinds.ts"],
      "src/business/counter/least-price.ts",
      ...["src/business/sale-totals/definition.ts", "src/privacy/traces.ts", "src/business/orders/states.ts"],
    ],
  ],
])("%s imports from src %s", (folder, _, allowed) => {
  expect(importsFromSrc(folder, runtimeImportsOf, allowed)).toEqual([]);
});

test.each([
  [
    "portal",
    [
      ...["src/api/portal/answers.ts", "src/engine/resources/scopes.ts", "src/engine/events/event-types.ts"],
      "src/sites/portal/addresses.ts",
      ...sharedWithPortal,
    ],
  ],
  ["sdk", []],
])("%s imports types from src only as listed here", (folder, allowed) => {
  expect(importsFromSrc(folder, importsOf, allowed)).toEqual([]);
});

test.each([
  ["portal", ["caja/", "simulator/"]],
  ["caja", ["portal/", "simulator/"]],
  ["register", ["portal/", "caja/", "simulator/"]],
  ["ui", ["src/", "portal/", "caja/", "register/", "simulator/"]],
])("%s imports nothing from %j", (folder, strange) => {
  const targets = sourcesIn(folder).flatMap((file) => importsOf(join(folder, file)));
  expect(targets.filter((target) => strange.some((place) => target.startsWith(place)))).toEqual([]);
});

test("what the portal shares runs in a browser: it imports nothing but what is shared", () => {
  const shared = sourcesIn("src")
    .map((file) => join("src", file))
    .filter((file) => sharedWithPortal.some((place) => file.startsWith(place)));
  expect(shared.length).toBeGreaterThan(sharedWithPortal.length);
  const others = shared.flatMap((file) =>
    runtimeImportsOf(file)
      .filter((target) => !sharedWithPortal.some((place) => target.startsWith(place)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(others).toEqual([]);
});

test("a type import is no import at run time", () => {
  expect(importsOf("portal/src/lib/answers.ts")).toEqual(["src/api/portal/answers.ts"]);
  expect(runtimeImportsOf("portal/src/lib/answers.ts")).toEqual([]);
});

function importsFromSrc(folder: string, read: (path: string) => string[], allowed: readonly string[]): string[] {
  return sourcesIn(folder).flatMap((file) =>
    read(join(folder, file))
      .filter((target) => target.startsWith("src/") && !allowed.some((place) => target.startsWith(place)))
      .map((target) => `${folder}/${file} imports ${target}`),
  );
}

test("the service runs without what only its development needs", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, object>;
  const missing = ["src", "register", "simulator"].flatMap((folder) =>
    sourcesIn(folder).flatMap((file) =>
      packagesOf(join(folder, file))
        .filter((name) => !(name in dependencies!))
        .map((name) => `${folder}/${file} imports ${name}`),
    ),
  );
  expect(missing).toEqual([]);
  expect(packagesOf("src/webhooks/sending/self-signed.ts")).toEqual(["selfsigned"]);
});

/** The packages that a file needs when it runs. */
function packagesOf(path: string): string[] {
  const text = withoutTypeImports(readFileSync(join(root, path), "utf8"));
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
  return pathsIn(path, readFileSync(join(root, path), "utf8"));
}

function runtimeImportsOf(path: string): string[] {
  return pathsIn(path, withoutTypeImports(readFileSync(join(root, path), "utf8")));
}

function withoutTypeImports(text: string): string {
  return text.replaceAll(/^import type [^;]+;/gm, "");
}

function pathsIn(path: string, text: string): string[] {
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
