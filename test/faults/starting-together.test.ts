import { expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { readMigrations } from "../../src/db/migrate.ts";
import { mostrador, startMostrador } from "../support/process.ts";
import { emptyDatabase } from "../support/service.ts";

test("when three processes migrate one empty database, one does it and the others wait and find it done", async () => {
  await using database = await emptyDatabase();
  const env = { DATABASE_URL: database.url, SECRET_KEY: "k".repeat(32) };
  const all = await Promise.all([1, 2, 3].map(() => mostrador(["migrate", "--json"], env)));
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, ""]));
  const applied = all.map(({ stdout }) => JSON.parse(stdout).applied.length).toSorted((a, b) => a - b);
  expect(applied).toEqual([0, 0, (await readMigrations()).length]);
});

test("three services started together on an empty database become ready, with one demo shop", async () => {
  await using database = await emptyDatabase();
  const env = { DATABASE_URL: database.url, SECRET_KEY: "k".repeat(32) };
  const services = await Promise.all(
    [["api"], ["sync"], ["workers"]].map(([part]) => startMostrador(env, ["--only", part!])),
  );
  try {
    for (const { adminUrl } of services) expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    const pool = createPool({ url: database.url, max: 1 });
    const { rows } = await pool.query("select count(*) from accounts");
    expect(rows).toEqual([{ count: 1 }]);
    await pool.end();
    const [api, sync] = services as [(typeof services)[0], (typeof services)[0]];
    expect((await fetch(`${api.url}/docs`)).status).toBe(200);
    expect((await fetch(`${api.url}/sync/v1/changes`)).status).toBe(404);
    expect((await fetch(`${sync.url}/sync/v1/changes`)).status).toBe(401);
    expect((await fetch(`${sync.url}/public/v1/customers`)).status).toBe(404);
  } finally {
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0]);
  }
});
