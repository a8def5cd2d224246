import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { receiptRetentionDays } from "../api/sync/push/receipts.ts";
import { resources } from "../business/registry.ts";
import { deliveryRetentionDays } from "../engine/deliveries/retention.ts";
import { eventRetentionDays } from "../engine/events/event-types.ts";
import { allRetentionKinds, retentionDays, usualRetention } from "../lib/retention.ts";
import { retentionPage } from "./retention-page.ts";
import { heldTables, recordTables, tableNames } from "./tables.ts";

test("every table of the schema says what it holds, how long, and what erasing a person does with it", () => {
  const schema = readFileSync(new URL("../../schema.sql", import.meta.url), "utf8");
  const tables = Array.from(schema.matchAll(/^create table (\w+)/gm), ([, name]) => name);
  expect(tables.toSorted(), "say it in src/privacy/tables.ts").toEqual(tableNames.toSorted());
});

test("what is published is written anew, or kept because the law says so", () => {
  const published = resources.map(({ table }) => table);
  const others = published.filter((table) => !(recordTables as readonly string[]).includes(table));
  expect(others.toSorted()).toEqual(["invoices", "locations"]);
  expect(heldTables.invoices.keeps).toBe("law");
  expect(recordTables.filter((name) => !published.some((table) => table === name))).toEqual([]);
});

test("what is fixed in the code is what the operator reads", () => {
  expect(usualRetention).toMatchObject({
    events: eventRetentionDays,
    webhook_deliveries: deliveryRetentionDays,
    push_receipts: receiptRetentionDays,
  });
  const kept = new Set<string>(tableNames.map((name) => heldTables[name].keeps));
  expect(
    allRetentionKinds.filter((kind) => !kept.has(kind)),
    "a kind without a table",
  ).toEqual([]);
});

test("the operator's choice is read, and one beyond its limits is refused with the reason", () => {
  expect(retentionDays("R", "mails=60, counter_acts=730")).toEqual({ ...usualRetention, mails: 60, counter_acts: 730 });
  expect(() => retentionDays("R", "events=10")).toThrow("entre 30 y 30");
  expect(() => retentionDays("R", "correos=10")).toThrow("Las clases son");
});

test("the page for operators names every table, and how long its rows stay", () => {
  const page = readFileSync(new URL("../../docs/retention.md", import.meta.url), "utf8");
  expect(page).toBe(retentionPage());
});
