import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { resources } from "../business/registry.ts";
import { heldTables, recordTables, tableNames } from "./tables.ts";

test("every table of the schema says what it holds, how long, and what erasing a person does with it", () => {
  const schema = readFileSync(new URL("../../schema.sql", import.meta.url), "utf8");
  const tables = Array.from(schema.matchAll(/^create table (\w+)/gm), ([, name]) => name);
  expect(tables.toSorted(), "say it in src/privacy/tables.ts").toEqual(tableNames.toSorted());
});

test("what is published is written anew, or kept because the law says so", () => {
  const published = resources.map(({ table }) => table);
  const others = published.filter((table) => !(recordTables as readonly string[]).includes(table));
  expect(others).toEqual(["invoices"]);
  expect(heldTables.invoices.keeps).toBe("law");
  expect(recordTables.filter((name) => !published.some((table) => table === name))).toEqual([]);
});
