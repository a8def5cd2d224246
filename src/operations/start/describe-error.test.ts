import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { logOptions } from "./logger.ts";

/** The line that would be logged. */
function lineOf(err: unknown) {
  let line = "";
  const destination = {
    write(text: string) {
      line = text;
    },
  };
  pino(logOptions("info"), destination).error({ err }, "algo falló");
  return { line, ...(JSON.parse(line).err as object) };
}

test("a log line has an error's type, message, code and stack, and no other property of it", () => {
  const client = new pg.Client({ password: "una-clave" });
  const error = Object.assign(new pg.DatabaseError("terminating connection", 1, "error"), {
    client: Object.assign(client, { secretKey: 12345 }),
    code: "57P01",
    detail: "Key (email)=(ana@example.com) already exists.",
    internalQuery: "select secret from accounts",
  });
  const { line, ...described } = lineOf(error);
  expect(described).toEqual({
    type: "DatabaseError",
    message: "terminating connection",
    code: "57P01",
    stack: expect.stringContaining("describe-error.test.ts"),
  });
  for (const hidden of ["una-clave", "12345", "ana@example.com", "select secret"]) expect(line).not.toContain(hidden);
});

test("its causes are described in the same way, and a cycle of causes ends", () => {
  const inner = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", client: { secret: 1 } });
  expect(lineOf(new TypeError("fetch failed", { cause: inner }))).toMatchObject({
    type: "TypeError",
    cause: { type: "Error", code: "ECONNREFUSED" },
  });
  inner.cause = inner;
  expect(lineOf(inner).line.match(/"ECONNREFUSED"/g)).toHaveLength(4);
});

test("a thrown value that is not an error is logged as text", () => {
  expect(lineOf("se fue")).toMatchObject({ type: "string", message: "se fue" });
});
