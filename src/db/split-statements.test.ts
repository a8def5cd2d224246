import { expect, test } from "vitest";
import { readMigrations } from "./migrate.ts";
import { splitStatements } from "./split-statements.ts";

test("a semicolon inside a text, a name, a comment or a body ends no statement", () => {
  const text = `select ';', 'it''s;', "a;b"; -- one; two
    /* three; four */ do $body$ begin; end $body$;
    select 1`;
  const statements = splitStatements(text);
  expect(statements).toHaveLength(3);
  expect(statements[0]).toBe(`select ';', 'it''s;', "a;b"`);
  expect(statements[2]).toBe("select 1");
});

test("comments alone are no statement", () => {
  expect(splitStatements("-- nothing;\n\n/* here; either */ ;")).toEqual([]);
});

test("the statements of a migration are its whole text", async () => {
  for (const { name, text } of await readMigrations()) {
    const statements = splitStatements(text);
    expect(statements.length, name).toBeGreaterThan(0);
    // Nothing that is left over can be a statement.
    let rest = text;
    for (const statement of statements) rest = rest.replace(statement, () => "");
    expect(rest.replaceAll(/--[^\n]*|[\s;]/g, ""), name).toBe("");
  }
});
