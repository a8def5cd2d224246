import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { contractChanges } from "../support/contract-changes.ts";

const committed = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
const former = formerDocument();

/** The contract as integrators first had it; undefined in a copy without that history. */
function formerDocument(): unknown {
  try {
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const text = execFileSync("git", ["show", "a623a61:openapi.json"], { cwd, maxBuffer: 2 ** 24, stdio: "pipe" });
    return JSON.parse(text.toString());
  } catch {
    console.warn("The history of a623a61 is not here: openapi.json was not compared with it.");
    return undefined;
  }
}

test.skipIf(former === undefined)("nothing of the contract changed since a623a61: it was only added to", () => {
  // Decisions §11: texts hold no control and format characters. The pattern of every text says so since then.
  const isTextRule = (change: string) => /\/(schema|properties\/\w+|items)\/pattern: "\^/.test(change);
  expect(contractChanges(former, committed).filter((change) => !isTextRule(change))).toEqual([]);
});

test.each<[what: string, edit: (document: typeof committed) => void, told: RegExp]>([
  ["a path", (one) => delete one.paths["/customers"], /\/customers is gone/],
  ["a field", (one) => delete one.components.schemas.sale.properties.total, /total is gone/],
  ["a field called like a keyword", (one) => delete one.components.schemas.product.properties.description, /is gone/],
  ["a status", (one) => delete one.paths["/sales"].get.responses[200], /200 is gone/],
  ["a type", (one) => (one.components.schemas.sale.properties.total.type = "string"), /total\/type/],
  ["a field that is always there", (one) => one.components.schemas.sale.required.pop(), /required no longer has/],
  ["a field that must be sent", (one) => one.components.schemas.new_customer.required.push("email"), /now needs/],
  ["a limit", (one) => (one.components.schemas.new_customer.properties.name.maxLength = 9), /maxLength/],
  ["a limit that was not there", (one) => (one.components.schemas.new_category.maxLength = 9), /narrowed/],
  ["a value", (one) => one.components.schemas.customer.properties.document_type.enum.pop(), /enum no longer has/],
  ["a filter", (one) => one.paths["/sales"].get.parameters.splice(2, 1), /is gone/],
])("%s that changes is told", (_, edit, told) => {
  const changed = structuredClone(committed);
  edit(changed);
  expect(contractChanges(committed, changed).join("\n")).toMatch(told);
});
