import { expect, test } from "vitest";
import { serverAddresses, serverNames } from "./database-address.ts";

test("an address of several servers is one address for each, with the same credentials, database and options", () => {
  const url = "postgres://yo:cl%40ve@a.example:5432,b.example,[::1]:5433/mostrador?sslmode=require";
  expect(serverAddresses(url)).toEqual([
    "postgres://yo:cl%40ve@a.example:5432/mostrador?sslmode=require",
    "postgres://yo:cl%40ve@b.example/mostrador?sslmode=require",
    "postgres://yo:cl%40ve@[::1]:5433/mostrador?sslmode=require",
  ]);
  expect(serverNames(url)).toBe("a.example:5432, b.example, [::1]:5433");
});

test.each([
  "postgres://yo:clave@db.example:5432/mostrador",
  "postgresql://db.example/m?options=-c%20a%3D1,2",
  "postgres:///m?host=/var/run/postgresql",
  "db.example,otro",
])("%s stays as it is", (url) => {
  expect(serverAddresses(url)).toEqual([url]);
});
