import { expect, test } from "vitest";
import { isDown, isNodeAway, isUnavailable } from "./transaction.ts";

/** As Citus 13.2 sends them when a node was killed, is starting, hangs, or refuses writes. */
const ofNodes = [
  {
    code: "08006",
    message: "connection to the remote node app@10.0.0.2:5432 failed with the following error: Connection refused",
  },
  { code: "08006", message: "could not establish any connections to the node 10.0.0.2:5432 after 5000 ms" },
  {
    code: "57P01",
    message: "terminating connection due to administrator command",
    where: "while executing command on 10.0.0.2:5432",
  },
  {
    code: "XX000",
    message: "server closed the connection unexpectedly",
    where: "while executing command on 10.0.0.2:5432",
  },
  {
    code: "25006",
    message: "cannot execute UPDATE in a read-only transaction",
    where: "while executing command on 10.0.0.2:5432",
  },
];
const ofTheServer = [
  { code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:5432" },
  { code: "57P01", message: "terminating connection due to administrator command" },
  { code: "08006", message: "connection failure" },
  { message: "Connection terminated unexpectedly" },
];
const ofTheStatement = [
  { code: "23505", message: "duplicate key value", where: "while executing command on 10.0.0.2:5432" },
  { code: "XX000", message: "cache lookup failed", where: "while executing command on 10.0.0.2:5432" },
  { code: "22P02", message: "invalid input syntax" },
];

test.each(ofNodes)("$code of a node is no sign that the database is away: $message", (error) => {
  expect([isNodeAway(error), isDown(error), isUnavailable(error)]).toEqual([true, false, true]);
});

test.each(ofTheServer)("$message concerns everybody", (error) => {
  expect([isNodeAway(error), isDown(error), isUnavailable(error)]).toEqual([false, true, true]);
});

test.each(ofTheStatement)("$message is the statement's own, on a node too", (error) => {
  expect([isNodeAway(error), isDown(error), isUnavailable(error)]).toEqual([false, false, false]);
});
