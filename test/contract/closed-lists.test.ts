import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allActKinds } from "../../src/business/counter/act-kinds.ts";
import { allRights } from "../../src/business/counter/rights.ts";
import { registry } from "../../src/business/registry.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { putColumns } from "../../src/engine/resources/put-records.ts";
import { scopeOf, scopes } from "../../src/engine/resources/scopes.ts";
import { allMeans, paymentName } from "../../src/taxes/means.ts";

/** What the compiler cannot see of a closed list: that somebody does what it names, and that the guides say it. */

const root = fileURLToPath(new URL("../../", import.meta.url));

function textOf(...folders: readonly string[]): string {
  return folders
    .flatMap((folder) => globSync("**/*.{ts,tsx}", { cwd: join(root, folder) }).map((file) => join(root, folder, file)))
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

const guide = readFileSync(join(root, "docs/guide/escribir-una-caja.md"), "utf8");

test("every event is emitted somewhere", () => {
  const source = textOf("src/business", "src/fiscal", "src/api/sync", "src/webhooks/queue");
  const silent = eventTypes.filter((type) => !source.includes(`"${type}"`));
  expect(silent, "write.emit(…) where it happens, or name it in the events of its resource").toEqual([]);
});

test("every right is asked for at the counter", () => {
  const source = textOf("caja/src", "register");
  const unasked = allRights.filter((right) => !source.includes(`"${right}"`));
  expect(unasked, "ask for it with authorize(…) where the cashier does it").toEqual([]);
});

test("every permission is one that a resource or a route takes, and every operation has one", () => {
  const taken = registry.flatMap(({ resource: { scope }, operations: { create, update } }) => [
    ...(scope === null ? [] : [scopeOf(scope, "read")]),
    ...(scope !== null && (create || update) ? [scopeOf(scope, "write")] : []),
  ]);
  const apart = ["events:read", "audit:read", "clock:write"];
  const idle = scopes.filter((scope) => !apart.includes(scope) && !taken.includes(scope));
  expect(idle, "nothing takes these permissions").toEqual([]);
});

test("every resource has a table with its columns", () => {
  const schema = readFileSync(join(root, "schema.sql"), "utf8");
  const missing = registry.flatMap(({ resource }) => {
    const [, columns = ""] = new RegExp(`create table ${resource.table} \\(([^;]*)`, "i").exec(schema) ?? [];
    return putColumns(resource).flatMap((name) =>
      new RegExp(`^\\s+"?${name}"? `, "m").test(columns) ? [] : [`${resource.table}.${name}`],
    );
  });
  expect(missing, "add a migration, and run `npm run generate`").toEqual([]);
});

test("the guide for registers names every right, every act and every means of payment", () => {
  const missing = [...allRights, ...allActKinds, ...allMeans].filter((code) => !guide.includes(`\`${code}\``));
  expect(missing, "name them in docs/guide/escribir-una-caja.md").toEqual([]);
  const unlike = allMeans.filter((code) => !guide.includes(`| \`${code}\` | ${paymentName(code)} |`));
  expect(unlike, "their rows in the table of means").toEqual([]);
});
