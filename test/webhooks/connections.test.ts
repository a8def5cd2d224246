import { once } from "node:events";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { type Network, trustedAuthorities } from "../../src/webhooks/sending/connection.ts";
import { openSender, type SendLimits } from "../../src/webhooks/sending/send.ts";
import { eventually } from "../support/eventually.ts";
import { shared } from "../support/fixtures.ts";
import { startReceiver } from "../support/receiver.ts";

const ok = "HTTP/1.1 200 OK\r\n";
const drip = (socket: TLSSocket, byte: string) => {
  const timer = setInterval(() => socket.write(byte), 200);
  socket.on("close", () => clearInterval(timer));
};

const servers: TcpServer[] = [];
const receiver = shared(() => startReceiver());
afterAll(() => {
  for (const server of servers) server.close();
});

describe("the connection of a 2xx", () => {
  const request = { headers: {}, body: "{}" };

  /** A sender to a receiver of its own, which counts the connections it has seen and has open. */
  async function sendTo(answer: (socket: TLSSocket) => void, limits: Partial<SendLimits> = {}) {
    const connections = { opened: 0, open: 0 };
    const server = createTlsServer(receiver.certificate, (socket) => {
      connections.opened += 1;
      connections.open += 1;
      socket.on("error", () => {}).on("close", () => (connections.open -= 1));
      socket.on("data", () => answer(socket));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    const host = "prueba.example.com";
    const { port } = server.address() as AddressInfo;
    const network: Network = {
      resolve: async () => [],
      fixed: new Map([[host, { address: "127.0.0.1", port }]]),
      secureContext: trustedAuthorities(receiver.caFile),
    };
    return { connections, sender: openSender(network, `https://${host}/`, limits) };
  }

  test("is reused when its body comes with the status", async () => {
    const { connections, sender } = await sendTo((socket) => socket.write(`${ok}content-length: 2\r\n\r\nok`));
    for (let i = 0; i < 20; i++) expect((await sender.send(request)).outcome).toEqual({ delivered: true, status: 200 });
    expect(connections.opened).toBe(1);
    sender.close();
  });

  test("is reused when its small body ends after the status", async () => {
    const { connections, sender } = await sendTo((socket) => {
      socket.write(`${ok}content-length: 2\r\n\r\n`);
      setImmediate(() => socket.write("ok"));
    });
    await eventually(async () => {
      const before = connections.opened;
      expect((await sender.send(request)).outcome?.delivered).toBe(true);
      return connections.opened === before;
    });
    sender.close();
  });

  test("is closed when its body does not end, and only a few wait for that at a time", async () => {
    const { connections, sender } = await sendTo((socket) => socket.write(`${ok}content-length: 9\r\n\r\nhalf`), {
      restMs: 60_000,
    });
    for (let i = 0; i < 30; i++) expect((await sender.send(request)).outcome?.delivered).toBe(true);
    await eventually(() => connections.opened === 30 && connections.open === 8);
    sender.close();
    await eventually(() => connections.open === 0);
  });

  test("is closed soon when its body drips", async () => {
    const { connections, sender } = await sendTo((socket) => {
      socket.write(`${ok}content-length: 16000\r\n\r\n`);
      drip(socket, "x");
    });
    expect((await sender.send(request)).outcome?.delivered).toBe(true);
    await eventually(() => connections.open === 0);
    sender.close();
  });
});
