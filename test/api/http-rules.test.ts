import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { newToken } from "../../src/lib/token.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import { type RawRequest, raw, rawClient } from "../support/raw.ts";
import { liveSettings } from "../support/service.ts";

const service = sharedService();
const shop = sharedShop(service);
const { call, post } = rawClient(service, shop);

const root = "/public/v1";
const tooLarge = "x".repeat(256 * 1024 + 1);
const browser = { origin: "https://tienda.example" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("paths and methods", () => {
  test("a known path with another method is ROUTE_NOT_FOUND and lists the allowed methods", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "QUERY"]) {
      const answer = await call({ method, path: "/customers" });
      expectError(answer, "ROUTE_NOT_FOUND");
      expect(answer.headers.allow).toBe("POST, GET, HEAD");
    }
    const one = await call({ method: "POST", path: `/sales/${randomUUID()}` });
    expect(one.headers.allow).toBe("GET, HEAD");
  });

  test("an unknown path is ROUTE_NOT_FOUND whatever else is wrong with the request", async () => {
    const faulty: RawRequest[] = [
      { path: "/clientes", headers: {} },
      { path: "", headers: {} },
      { path: "/Customers" },
      { path: "/customers/1/2" },
      { path: "/clientes?%00" },
      { method: "POST", path: "/clientes", body: "{" },
      { method: "POST", path: "/clientes", headers: { "content-type": "text/plain" }, body: tooLarge },
      { method: "QUERY", path: "/clientes" },
    ];
    for (const request of faulty) {
      const answer = await call(request);
      expectError(answer, "ROUTE_NOT_FOUND");
      expect(answer.headers.allow).toBeUndefined();
    }
  });

  test("a path that cannot be decoded is ROUTE_NOT_FOUND", async () => {
    for (const path of ["/customers/%zz", "/customers/%", "/%ED%A0%80", "/customers/%C3"]) {
      const answer = await call({ path });
      expectError(answer, "ROUTE_NOT_FOUND");
      expect(answer.headers["request-id"]).toBe(answer.body.error.request_id);
    }
  });

  test("OPTIONS gets 403 from a browser and 404 with Allow from anyone else, never CORS headers", async () => {
    const preflight = { ...browser, "access-control-request-method": "POST" };
    const answers = [
      await call({ method: "OPTIONS", path: "/customers", headers: preflight }),
      await call({ method: "OPTIONS", path: "/customers" }),
      await call({ path: "/customers", headers: { ...browser, ...bearer(shop.key) } }),
    ];
    expectError(answers[0]!, "BROWSER_REQUESTS_NOT_ALLOWED");
    expectError(answers[1]!, "ROUTE_NOT_FOUND");
    expect(answers[1]!.headers.allow).toBe("POST, GET, HEAD");
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("HEAD answers as GET does, without the body, and needs the key too", async () => {
    await shop.api.post("/customers", { name: "Ana" });
    const get = await call({ path: "/customers" });
    const head = await call({ method: "HEAD", path: "/customers" });
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    for (const name of ["etag", "content-type", "content-length", "vary"]) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
    expect((await call({ method: "HEAD", path: "/customers", headers: {} })).status).toBe(401);
  });

  test("a record is found by its id in capitals", async () => {
    const { body } = await shop.api.post("/customers", { name: "Ana" });
    expect((await shop.api.get(`/customers/${body.id.toUpperCase()}`)).body).toEqual(body);
    expect((await shop.api.patch(`/customers/${body.id.toUpperCase()}`, { phone: "300" })).status).toBe(200);
  });
});

describe("requests that are too long or not HTTP", () => {
  test("a path that ends before its id is not a route", async () => {
    for (const route of service.app.publicRoutes.routes.filter(({ url }) => url.includes(":"))) {
      const path = route.url.replace(/^\/public\/v1/, "").replace(/:\w+/, "");
      for (const end of ["", "?include_deleted=true"]) {
        const answer = await call({ method: String(route.method), path: path + end });
        if (route.method !== "HEAD") expectError(answer, "ROUTE_NOT_FOUND");
        expect([path, answer.status, answer.headers.allow]).toEqual([path, 404, undefined]);
      }
    }
  });

  test("an id that is too long is an ill-formed id, whatever its length", async () => {
    expectError(await call({ path: `/customers/${"a".repeat(10_000)}` }), "VALIDATION_ERROR", { param: "id" });
  });

  test("a long parameter is checked against its own limit", async () => {
    expectError(await call({ path: `/customers?q=${"a".repeat(10_000)}` }), "VALIDATION_ERROR", { param: "q" });
  });

  test("a URL or headers over 16 KiB get the error envelope", async () => {
    const long = "a".repeat(17_000);
    const answers = [
      await call({ path: `/customers?q=${long}` }),
      await call({ path: "/customers", headers: { ...bearer(shop.key), "x-long": long } }),
      await call({ path: "/customers", headers: bearer(long) }),
    ];
    for (const answer of answers) {
      expectError(answer, "VALIDATION_ERROR", { param: "headers" });
      expect(answer.headers["request-id"]).toBe(answer.body.error.request_id);
      expect(answer.headers.connection).toBe("close");
    }
  });

  test("bytes that are not an HTTP request get the error envelope, and the service keeps running", async () => {
    const { port } = new URL(service.baseUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("¿Hola?\r\n\r\n");
    const answer = await textOf(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
    expect((await shop.api.get("/customers")).status).toBe(200);
  });

  test("a request without Host gets the error envelope", async () => {
    const { port } = new URL(service.baseUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET ${root}/customers HTTP/1.1\r\nAuthorization: Bearer ${shop.key}\r\nConnection: close\r\n\r\n`);
    const answer = await textOf(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
      error: { code: "VALIDATION_ERROR", param: "Host" },
    });
  });

  test("in live, a request for another host is refused, whatever its path", async () => {
    await using live = await service.sibling(
      liveSettings({ PUBLIC_URL: "https://api.tienda.example", TRUST_PROXY: "1" }),
    );
    const ask = (host: string, path: string, headers = {}) =>
      raw(live.baseUrl, { path, headers: { host, ...headers } });
    for (const host of ["api.tienda.example", "API.Tienda.example:443", "api.tienda.example:8080"])
      expect((await ask(host, `${root}/customers`)).body.error.code).toBe("UNAUTHENTICATED");
    const paths = [`${root}/customers`, "/portal/api/session", "/sync/v1/changes", "/docs", "/cuenta", "/nada"];
    const forwarded = { "x-forwarded-host": "api.tienda.example" };
    for (const host of [
      "malo.example",
      "127.0.0.1",
      "api.tienda.example.malo.example",
      "api.tienda.example@malo.example",
      "",
    ])
      for (const path of paths) {
        const answer = await ask(host, path, forwarded);
        expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([
          400,
          "VALIDATION_ERROR",
          "Host",
        ]);
        expect(answer.body.error.message).toContain("https://api.tienda.example");
      }
  });

  test("an unknown Expect header is ignored", async () => {
    const answer = await call({ path: "/customers", headers: { ...bearer(shop.key), expect: "200-ok" } });
    expect(answer.status).toBe(200);
  });

  test("an unreadable body sent to an unknown path gets the error envelope", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await raw(service.baseUrl, { method: "POST", path: "/nada", headers, body: "{" });
    expectError(answer, "INVALID_JSON");
    expect(answer.headers["request-id"]).toBe(answer.body.error.request_id);
  });
});

describe("request ids", () => {
  test("every response has its own, never the client's", async () => {
    const given = { ...bearer(shop.key), "request-id": "mio", "x-request-id": "mio" };
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => call({ path: "/customers", headers: given })),
      call({ path: "/customers", headers: {} }),
      call({ path: "/clientes" }),
      call({ path: "/customers/%zz" }),
      call({ method: "OPTIONS", path: "/customers", headers: browser }),
      call({ method: "HEAD", path: "/customers" }),
      post("/customers", '{"name":"Ana"}'),
      post("/customers", "{"),
      post("/customers", tooLarge),
      call({ path: "/customers", headers: { ...bearer(shop.key), "if-none-match": "*" } }),
    ]);
    const ids = answers.map(({ headers }) => headers["request-id"]);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(answers.length);
  });
});

describe("repeated headers and parameters", () => {
  test("two Idempotency-Key headers are refused", async () => {
    const answer = await post("/customers", '{"name":"Ana"}', { "idempotency-key": ["a", "b"] });
    expectError(answer, "VALIDATION_ERROR", { param: "Idempotency-Key" });
  });

  test("the first of two Authorization headers counts, whether valid or not", async () => {
    const good = `Bearer ${shop.key}`;
    const bad = `Bearer ${newToken("mst_test_")}`;
    expect((await call({ path: "/customers", headers: { authorization: [good, bad] } })).status).toBe(200);
    expectError(await call({ path: "/customers", headers: { authorization: [bad, good] } }), "INVALID_API_KEY");
  });

  test("a repeated query parameter is refused", async () => {
    for (const [param, query] of Object.entries({
      limit: "limit=1&limit=2",
      q: "q=ana&q=eva",
      include_deleted: "include_deleted=true&include_deleted=true",
    })) {
      expectError(await call({ path: `/customers?${query}` }), "VALIDATION_ERROR", { param });
    }
  });
});

describe("while the service shuts down", () => {
  test("requests that still arrive on an open connection are answered", async () => {
    const closing = await service.sibling();
    const { port, host } = new URL(closing.baseUrl);
    const clock = await holdClock(service.deps, shop.accountId);
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    const answers = textOf(socket);
    const common = `Host: ${host}\r\nAuthorization: Bearer ${shop.key}\r\n`;
    const body = '{"name":"Ana"}';
    const write = `Idempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    socket.write(`POST ${root}/customers HTTP/1.1\r\n${common}${write}\r\n${body}`);
    await expect.poll(() => waitingSessions(service.deps)).toBe(1);
    const closed = closing[Symbol.asyncDispose]();
    socket.write(`GET ${root}/sales HTTP/1.1\r\n${common}\r\n`);
    await clock.release();
    expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 200"]);
    await closed;
  });

  test("a client that keeps its connection open does not delay the shutdown", async () => {
    const closing = await service.sibling();
    const clock = await holdClock(service.deps, shop.accountId);
    const busy = closing.client(bearer(shop.key)).post("/customers", { name: "Ana" });
    await expect.poll(() => waitingSessions(service.deps)).toBe(1);
    const closed = closing[Symbol.asyncDispose]();
    await clock.release();
    expect((await busy).status).toBe(201);
    // By default Node would wait for the 75 s of keep-alive.
    await closed;
  });
});

test("while the host's clock is wrong, writes to every API are told to retry and reads are answered", async () => {
  await using own = await service.sibling();
  own.deps.clock.isTrusted = () => false;
  expect((await own.client(bearer(shop.key)).get("/customers")).status).toBe(200);
  const { publicRoutes, portalRoutes, syncRoutes } = own.app;
  const routes = [publicRoutes, portalRoutes, syncRoutes].flatMap((table) => table.routes);
  const call = async (method: string, url: string) => {
    const answer = await fetch(own.baseUrl + url.replaceAll(/:\w+/g, randomUUID()), { method });
    return `${method} ${url}: ${answer.status} ${answer.headers.get("retry-after")}`;
  };
  const isRead = ({ method }: { method: string | string[] }) => ["GET", "HEAD"].includes(String(method));
  const writes = routes.filter((route) => !isRead(route));
  expect(writes.length).toBeGreaterThan(30);
  for (const { method, url } of writes)
    expect(await call(String(method), url)).toBe(`${String(method)} ${url}: 503 15`);
  for (const { method, url } of routes.filter(isRead)) expect(await call(String(method), url)).not.toContain(": 503");
});
