import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FixedAddress } from "../../src/webhooks/resolve-host.ts";
import { type Certificate, selfSigned } from "../../src/webhooks/self-signed.ts";
import { deliveryOf, type Hooks, startHooks } from "../support/webhooks.ts";

/** What a receiver does with an open TLS connection once it has heard something. */
type Malice = (socket: TLSSocket, raw: Socket) => void;

interface Case {
  failure: string;
  status?: number | null;
  /** The longest the attempt may take. */
  withinMs?: number;
  malice?: Malice;
  /** Instead of `malice`: a server of its own. */
  listen?: () => TcpServer;
  certificate?: () => Promise<Certificate>;
}

const ok = "HTTP/1.1 200 OK\r\n";
const drip = (socket: TLSSocket, byte: string) => {
  const timer = setInterval(() => socket.write(byte), 200);
  socket.on("close", () => clearInterval(timer));
};

const cases: Record<string, Case> = {
  "drips its head, a byte at a time": {
    failure: "timeout",
    malice: (socket) => {
      socket.write(`${ok}x: `);
      drip(socket, "y");
    },
  },
  "drips its body, a byte at a time": {
    failure: "timeout",
    status: 200,
    malice: (socket) => {
      socket.write(`${ok}content-length: 16000\r\n\r\n`);
      drip(socket, "x");
    },
  },
  "answers 200 after 10.5 s": {
    failure: "timeout",
    malice: (socket) => {
      const timer = setTimeout(() => socket.end(`${ok}content-length: 0\r\n\r\n`), 10_500);
      socket.on("close", () => clearTimeout(timer));
    },
  },
  "never answers": { failure: "timeout", malice: () => {} },
  "sends one interim answer after the other": {
    failure: "timeout",
    malice: (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
  },
  "sends a gigabyte": {
    failure: "response",
    status: 200,
    withinMs: 5_000,
    malice: (socket) => {
      socket.write(`${ok}content-length: 1000000000\r\n\r\n`);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", pour);
      pour();
    },
  },
  "sends an endless chunked body": {
    failure: "response",
    status: 200,
    withinMs: 5_000,
    malice: (socket) => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`);
      const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", pour);
      pour();
    },
  },
  "resets the connection instead of answering": {
    failure: "response",
    malice: (_socket, raw) => raw.resetAndDestroy(),
  },
  "closes the connection instead of answering": { failure: "response", malice: (socket) => socket.end() },
  "closes in the middle of its body": {
    failure: "response",
    status: 200,
    malice: (socket) => socket.end(`${ok}content-length: 100\r\n\r\nhalf`),
  },
  "answers something that is not HTTP": {
    failure: "response",
    malice: (socket) => socket.end("SSH-2.0-OpenSSH_9.7\r\n"),
  },
  "answers with 100 KB of headers": {
    failure: "response",
    malice: (socket) => socket.end(`${ok}x: ${"y".repeat(100_000)}\r\n\r\n`),
  },
  "answers with a broken chunk": {
    failure: "response",
    status: 200,
    malice: (socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`),
  },
  "accepts and never shakes hands": { failure: "timeout", listen: () => createTcpServer(() => {}) },
  "resets during the handshake": {
    failure: "connect",
    listen: () => createTcpServer((socket) => socket.resetAndDestroy()),
  },
  "speaks plain HTTP on the port": {
    failure: "tls",
    listen: () => createTcpServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\n\r\n")),
  },
  "presents a certificate of another name": {
    failure: "tls",
    malice: () => {},
    certificate: () => selfSigned(["otra.example.org"]),
  },
  "presents a certificate that nobody vouches for": {
    failure: "tls",
    malice: () => {},
    certificate: () => selfSigned(["*.example.com"]),
  },
  "presents an expired certificate": {
    failure: "tls",
    malice: () => {},
    certificate: () => selfSigned(["*.example.com"], -2),
  },
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status): [string, Case] => [
      `redirects with ${status}`,
      {
        failure: "redirect",
        status,
        malice: (socket) =>
          socket.end(
            `HTTP/1.1 ${status} Moved\r\nlocation: https://hooks.example.com/target\r\ncontent-length: 0\r\n\r\n`,
          ),
      },
    ]),
  ),
  "refuses with a gigabyte to follow": {
    failure: "status",
    status: 500,
    withinMs: 5_000,
    malice: (socket) => socket.write("HTTP/1.1 500 No\r\ncontent-length: 1000000000\r\n\r\nno"),
  },
};

let hooks: Hooks;
const servers: TcpServer[] = [];
const fixed = new Map<string, FixedAddress>();
const hostOf = (i: number) => `malo-${i}.example.com`;
const results = new Map<string, Promise<Awaited<ReturnType<typeof deliveryOf>>>>();

beforeAll(async () => {
  hooks = await startHooks({ network: {} });
  const { certificate, port } = hooks.receiver;
  fixed.set("hooks.example.com", { address: "127.0.0.1", port });
  for (const [i, one] of Object.values(cases).entries()) {
    const server = one.listen?.() ?? maliciousServer(one.malice!, (await one.certificate?.()) ?? certificate);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    fixed.set(hostOf(i), { address: "127.0.0.1", port: (server.address() as AddressInfo).port });
  }
  // A port that nobody listens on.
  const closed = createTcpServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  fixed.set("cerrado.example.com", { address: "127.0.0.1", port: (closed.address() as AddressInfo).port });
  closed.close();
  await hooks.restart({ fixed });
  // All of them at once: the slow ones take their 10 s side by side, as in life.
  for (const [i, name] of Object.keys(cases).entries()) results.set(name, attemptAt(hostOf(i)));
});
afterAll(async () => {
  for (const server of servers) server.close();
  await hooks[Symbol.asyncDispose]();
});

async function attemptAt(host: string) {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { host, types: ["customer.created"] });
  await business.api.post("/customers", { name: "Ana" });
  return deliveryOf(hooks.service, endpoint.id, "pending", (found) => found.attempts.length === 1);
}

function maliciousServer(malice: Malice, certificate: Certificate): TcpServer {
  const raws = new Map<number | undefined, Socket>();
  return createTlsServer(certificate, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => malice(socket, raws.get(socket.remotePort)!));
  })
    .on("connection", (raw: Socket) => raws.set(raw.remotePort, raw))
    .on("tlsClientError", () => {});
}

describe("a receiver that", () => {
  test.each(Object.keys(cases))("%s", async (name) => {
    const { failure, status = null, withinMs = 10_400 } = cases[name]!;
    const [attempt] = (await results.get(name)!).attempts;
    expect(attempt).toMatchObject({ failure, status });
    expect(attempt!.duration_ms).toBeLessThan(withinMs);
    if (failure === "timeout") expect(attempt!.duration_ms).toBeGreaterThanOrEqual(9_990);
  });

  test("is not there fails to connect", async () => {
    expect((await attemptAt("cerrado.example.com")).attempts[0]).toMatchObject({ failure: "connect", status: null });
  });
});

test("no redirect was followed, and the worker goes on as if nothing had been", async () => {
  await Promise.all(results.values());
  expect(hooks.receiver.received.filter(({ path }) => path === "/target")).toEqual([]);
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  await business.api.post("/customers", { name: "Ana" });
  await hooks.receiver.arrivals(endpoint.path, 1, 3_000);
});
