import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { egressProxy } from "../../src/webhooks/sending/egress-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { shared } from "../support/fixtures.ts";
import type { Business } from "../support/service.ts";
import { deliveryOf, sharedHooks } from "../support/webhooks.ts";

/** A proxy that does what CONNECT asks, unless it is told to answer something else. */
interface TestProxy extends AsyncDisposable {
  url: string;
  asked: { target: string; authorization: string | undefined }[];
  answer: number;
}

async function startProxy(): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const proxy: TestProxy = {
    ...{ url: "", asked: [], answer: 200 },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server: Server = createServer((_request, response) => response.writeHead(400).end());
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", ({ url: target = "", headers }, client: Socket) => {
    proxy.asked.push({ target, authorization: headers["proxy-authorization"] });
    client.on("error", () => {});
    if (proxy.answer !== 200) {
      client.end(`HTTP/1.1 ${proxy.answer} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${target}`);
    const there = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(client).pipe(there);
    });
    sockets.add(there);
    there.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://ana:s%3Acreto@127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

const proxy = shared(startProxy);
const hooks = sharedHooks();
const shop = shared((): Promise<Business> => hooks.service.business());
beforeAll(() => hooks.restart({ proxy: egressProxy(proxy.url) }));

test("deliveries leave through the proxy, to the address that was vetted, still encrypted to the receiver", async () => {
  const endpoint = await hooks.endpoint(shop, { types: ["customer.created"] });
  await shop.api.post("/customers", { name: "Ana" });
  const [arrived] = await hooks.receiver.arrivals(endpoint.path, 1);
  expect(arrived?.body.data.object.name).toBe("Ana");
  const expected = { target: `127.0.0.1:${hooks.receiver.port}`, authorization: `Basic ${btoa("ana:s:creto")}` };
  expect(proxy.asked).toEqual([expected]);
  const { attempts } = await deliveryOf(hooks.service, endpoint.id, "delivered");
  expect(attempts.at(-1)).toMatchObject({ status: 200, remote_address: "127.0.0.1" });
});

test("a proxy that refuses or is away counts against no endpoint, and its deliveries go when it is back", async () => {
  const endpoint = await hooks.endpoint(shop, { types: ["product.created"] });
  await hooks.restart({ proxy: egressProxy(proxy.url) });
  proxy.answer = 407;
  const before = proxy.asked.length;
  await shop.api.post("/products", { name: "Pan", base_price: 500 });
  await eventually(() => proxy.asked.length > before);
  const [waiting] = await hooks.deliveries(endpoint);
  expect(waiting?.attempts).toEqual([]);
  proxy.answer = 200;
  await hooks.receiver.arrivals(endpoint.path, 1);
});

test("a receiver that the proxy cannot reach has failed", async () => {
  const endpoint = await hooks.endpoint(shop, { types: ["customer.updated"] });
  const { body } = await shop.api.post("/customers", { name: "Berta" });
  await hooks.restart({ proxy: egressProxy(proxy.url) });
  proxy.answer = 502;
  await shop.api.patch(`/customers/${body.id}`, { name: "Berta Inés" });
  await eventually(async () => {
    const [delivery] = await hooks.deliveries(endpoint);
    return delivery?.attempts.some(({ failure }) => failure === "connect") ?? false;
  });
  proxy.answer = 200;
});
