import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMetrics } from "../../src/lib/metrics.ts";
import { buildAdmin } from "../../src/operations/start/admin.ts";
import { sharedService } from "../support/fixtures.ts";
import { liveSettings, type Service } from "../support/service.ts";

const service = sharedService();

/** Sends these bytes; returns the status and the body of what comes back. */
async function send(baseUrl: string, ...lines: string[]): Promise<{ status: number; body: string }> {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  const [head = "", ...body] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), body: body.join("\r\n\r\n") };
}

const twice = [
  ["Host: 127.0.0.1", "Host: 127.0.0.1"],
  ["Host: 127.0.0.1", "host: malo.example"],
  ["HOST: malo.example", "X-Otra: 1", "Host: 127.0.0.1"],
];
const odd = [
  "127.0.0.1, malo.example",
  "127.0.0.1 malo.example",
  "yo@127.0.0.1",
  "127.0.0.1/docs",
  "127.0.0.1:puerto",
  "a?b",
  "[::1",
];

describe.each(["test", "live"])("on the port that serves, in %s", (environment) => {
  let served: Service;
  beforeAll(async () => {
    served = environment === "test" ? service : await service.sibling(liveSettings());
  });
  afterAll(async () => {
    if (served !== service) await served[Symbol.asyncDispose]();
  });

  test.each(["/public/v1/customers", "/portal/api/session", "/sync/v1/changes", "/docs", "/caja/", "/nada"])(
    "two Host headers, or one that is no host, are refused at %s",
    async (path) => {
      const asked = [...twice, ...odd.map((host) => [`Host: ${host}`])];
      for (const headers of asked) {
        const { status, body } = await send(served.baseUrl, `GET ${path} HTTP/1.1`, ...headers);
        expect([headers, status]).toEqual([headers, 400]);
        expect(JSON.parse(body).error).toMatchObject({ code: "VALIDATION_ERROR", param: "Host" });
      }
    },
  );

  test("one of them is served", async () => {
    expect((await send(served.baseUrl, "GET /docs HTTP/1.1", "Host: 127.0.0.1:3000")).status).toBe(200);
  });
});

test("HTTP/1.0 may come without Host in test, as before, and names of containers and addresses in brackets are hosts", async () => {
  expect((await send(service.baseUrl, "GET /docs HTTP/1.0")).status).toBe(200);
  for (const host of ["api_1:3000", "[::1]:3000", "localhost", "Tienda.Example."])
    expect([host, (await send(service.baseUrl, "GET /docs HTTP/1.1", `Host: ${host}`)).status]).toEqual([host, 200]);
});

test("the admin port refuses them too, and answers whatever name it is asked by", async () => {
  const always = {
    listening: () => true,
    serving: () => true,
    draining: () => false,
    newerSchema: () => [],
    nodesAway: () => [],
  };
  const clock = () => ({ state: "right" as const, message: "" });
  const admin = buildAdmin({ ...service.deps, metrics: newMetrics() }, { ...always, clock });
  const url = await admin.listen({ host: "127.0.0.1", port: 0 });
  try {
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      for (const headers of [...twice, ...odd.map((host) => [`Host: ${host}`])])
        expect([headers, (await send(url, `GET ${path} HTTP/1.1`, ...headers)).status]).toEqual([headers, 400]);
      expect((await send(url, `GET ${path} HTTP/1.1`, "Host: mostrador-1:3001")).status).toBe(200);
    }
  } finally {
    await admin.close();
  }
});
