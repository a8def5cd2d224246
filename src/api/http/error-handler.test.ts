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
  ["a server that refuses writes", failure("cannot execute UPDATE in a read-only transaction", "25006")],
  ["too many connections", failure("sorry, too many clients already", "53300")],
  ["a lock timeout", failure("canceling statement due to lock timeout", "55P03")],
  ["a statement timeout", failure("canceling statement due to statement timeout", "57014")],
  ["no free connection in time", new Error("timeout exceeded when trying to connect")],
  ["a connection that broke", new Error("Connection terminated unexpectedly")],
])("%s is 503 with Retry-After", (_what, error) => {
  expect(toApiError(error)).toMatchObject({ code: "INTERNAL_ERROR", status: 503, headers: { "retry-after": "2" } });
});

test.each([
  ["a missing table", failure('relation "customers" does not exist', "42P01")],
  ["a constraint", failure("duplicate key value violates unique constraint", "23505")],
  ["a bug", new TypeError("Cannot read properties of undefined")],
  ["something that is not an error", "algo"],
])("%s is 500, without its message", (_what, error) => {
  const response = toApiError(error);
  expect(response).toMatchObject({ code: "INTERNAL_ERROR", status: 500 });
  expect(response.message).toMatch(/^Ocurrió un error de nuestro lado\./);
});

test("an error meant for the client is not changed", () => {
  const error = new ApiError("CONFLICT");
  expect(toApiError(error)).toBe(error);
});

test("a client that hangs up in the middle of its body is not our failure", async () => {
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
