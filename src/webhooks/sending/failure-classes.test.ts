import fc from "fast-check";
import { expect, test } from "vitest";
import { AddressNotPublicError } from "../endpoints/address-rules.ts";
import { classify, failureClasses, hintFor, outcomeOfStatus } from "./failure-classes.ts";

const coded = (code: string, syscall?: string) => Object.assign(new Error(code), { code, ...(syscall && { syscall }) });
const named = (name: string) => Object.assign(new Error(name), { name });
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });

test.each([
  ["dns", coded("ENOTFOUND", "getaddrinfo")],
  ["dns", coded("EAI_AGAIN", "getaddrinfo")],
  ["dns", coded("ENODATA", "queryAaaa")],
  ["dns", coded("ESERVFAIL", "queryA")],
  ["dns", coded("ETIMEOUT", "queryA")],
  ["dns", coded("ECONNREFUSED", "queryA")],
  ["address", new AddressNotPublicError("127.0.0.1")],
  ["address", fetchFailed(new AddressNotPublicError("10.0.0.1"))],
  ["connect", coded("ECONNREFUSED", "connect")],
  ["connect", coded("ECONNRESET", "connect")],
  ["connect", coded("EHOSTUNREACH", "connect")],
  ["connect", coded("ENETUNREACH", "connect")],
  ["connect", fetchFailed(coded("ECONNREFUSED", "connect"))],
  ["connect", new AggregateError([coded("ECONNREFUSED", "connect"), coded("ENETUNREACH", "connect")])],
  ["tls", coded("CERT_HAS_EXPIRED")],
  ["tls", coded("CERT_NOT_YET_VALID")],
  ["tls", coded("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["tls", coded("SELF_SIGNED_CERT_IN_CHAIN")],
  ["tls", coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE")],
  ["tls", coded("UNABLE_TO_GET_ISSUER_CERT_LOCALLY")],
  ["tls", coded("ERR_TLS_CERT_ALTNAME_INVALID")],
  ["tls", coded("ERR_SSL_WRONG_VERSION_NUMBER")],
  ["tls", coded("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION")],
  ["tls", coded("EPROTO", "write")],
  ["timeout", coded("UND_ERR_CONNECT_TIMEOUT")],
  ["timeout", coded("UND_ERR_HEADERS_TIMEOUT")],
  ["timeout", coded("UND_ERR_ABORTED")],
  ["timeout", coded("ETIMEDOUT", "connect")],
  ["timeout", coded("ERR_TLS_HANDSHAKE_TIMEOUT")],
  ["timeout", coded("ECANCELLED", "queryA")],
  ["timeout", new DOMException("deadline", "TimeoutError")],
  ["timeout", new DOMException("deadline", "AbortError")],
  ["timeout", AbortSignal.abort().reason],
  ["response", coded("ECONNRESET", "read")],
  ["response", coded("EPIPE", "write")],
  ["response", coded("UND_ERR_SOCKET")],
  ["response", fetchFailed(coded("UND_ERR_SOCKET"))],
  ["response", coded("UND_ERR_HEADERS_OVERFLOW")],
  ["response", coded("HPE_INVALID_CONSTANT")],
  ["response", named("HTTPParserError")],
] as const)("%s: %s", (failure, error) => {
  expect(classify(error)).toBe(failure);
});

test("a reset while connecting is a failed connection, and a bad certificate stays one", () => {
  expect(classify(coded("ECONNRESET", "read"), "connecting")).toBe("connect");
  expect(classify(coded("ECONNRESET", "read"), "exchanging")).toBe("response");
  expect(classify(coded("CERT_HAS_EXPIRED"), "connecting")).toBe("tls");
  expect(classify(coded("UND_ERR_CONNECT_TIMEOUT"), "connecting")).toBe("timeout");
});

test.each([
  new TypeError("x is not a function"),
  coded("EMFILE", "connect"),
  coded("ENOMEM"),
  coded("EADDRNOTAVAIL", "connect"),
  coded("UND_ERR_DESTROYED"),
  coded("UND_ERR_CLOSED"),
  coded("UND_ERR_INVALID_ARG"),
  "ECONNRESET",
  undefined,
  null,
])("%s is our own failure, not the receiver's", (error) => {
  expect(classify(error)).toBeNull();
});

test("a cause that points back to itself is followed only so far", () => {
  const error = new Error("loop");
  error.cause = error;
  expect(classify(error)).toBeNull();
});

test.each([
  [200, { delivered: true, status: 200 }],
  [204, { delivered: true, status: 204 }],
  [299, { delivered: true, status: 299 }],
  [199, { delivered: false, failure: "status", status: 199 }],
  [101, { delivered: false, failure: "status", status: 101 }],
  [300, { delivered: false, failure: "redirect", status: 300 }],
  [301, { delivered: false, failure: "redirect", status: 301 }],
  [304, { delivered: false, failure: "redirect", status: 304 }],
  [399, { delivered: false, failure: "redirect", status: 399 }],
  [400, { delivered: false, failure: "status", status: 400 }],
  [410, { delivered: false, failure: "status", status: 410 }],
  [503, { delivered: false, failure: "status", status: 503 }],
])("status %i", (status, outcome) => {
  expect(outcomeOfStatus(status)).toEqual(outcome);
});

test("every class has its own hint, and a common status a more specific one", () => {
  const hints = failureClasses.map((failure) => hintFor(failure));
  expect(new Set(hints).size).toBe(failureClasses.length);
  expect(hintFor("status", 404)).toContain("404");
  expect(hintFor("status", 418)).toBe(hintFor("status"));
  expect(hintFor("timeout", 404)).toBe(hintFor("timeout"));
});

test("anything that can be thrown is classified without throwing", () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      expect([...failureClasses, null]).toContain(classify(thrown));
    }),
  );
});
