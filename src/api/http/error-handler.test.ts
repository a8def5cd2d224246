import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { ApiError } from "../../lib/errors.ts";
import { toApiError } from "./error-handler.ts";

const failure = (message: string, code: string) => Object.assign(new Error(message), { code });

test.each([
  ["connection refused", failure("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED")],
  ["connection reset by the database", failure("read ECONNRESET", "ECONNRESET")],
  ["server starting", failure("the database system is starting up", "57P03")],
  ["server stopping", failure("terminating connection due to administrator command", "57P01")],
  ["a server that takes no writes", failure("cannot execute UPDATE in a read-only transaction", "25006")],
  ["too many connections", failure("sorry, too many clients already", "53300")],
  ["a lock not got in time", failure("canceling statement due to lock timeout", "55P03")],
  ["a statement that took too long", failure("canceling statement due to statement timeout", "57014")],
  ["no free connection in time", new Error("timeout exceeded when trying to connect")],
  ["a connection that broke", new Error("Connection terminated unexpectedly")],
])("%s is 503 with Retry-After", (_what, error) => {
  expect(toApiError(error)).toMatchObject({ code: "INTERNAL_ERROR", status: 503, headers: { "retry-after": "2" } });
});

test.each([
  ["a table that is not there", failure('relation "customers" does not exist', "42P01")],
  ["a constraint", failure("duplicate key value violates unique constraint", "23505")],
  ["a mistake of ours", new TypeError("Cannot read properties of undefined")],
  ["a thing that is no error", "algo"],
])("%s is 500, without its words", (_what, error) => {
  const answer = toApiError(error);
  expect(answer).toMatchObject({ code: "INTERNAL_ERROR", status: 500 });
  expect(answer.message).toMatch(/^Ocurrió un error de nuestro lado\./);
});

test("an error meant for the client passes as it is", () => {
  const error = new ApiError("CONFLICT");
  expect(toApiError(error)).toBe(error);
});

test("a client that hangs up in the middle of its body is no failure of ours", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{");
  const [request] = (await once(server, "request")) as [IncomingMessage];
  socket.destroy();
  const [error] = await once(request, "error");
  expect(toApiError(error).status).toBe(400);
  server.close();
});
