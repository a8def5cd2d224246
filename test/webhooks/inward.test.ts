import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Network, trustedAuthorities } from "../../src/webhooks/sending/connection.ts";
import { dnsResolver } from "../../src/webhooks/sending/resolve-host.ts";
import { openSender } from "../../src/webhooks/sending/send.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { shared } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { startService } from "../support/service.ts";
import { deliveryOf, startHooks } from "../support/webhooks.ts";

/** Addresses that lead into the operator's own network, or nowhere. */
const inwardAddresses = [
  ..."0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.254 127.0.0.1 127.0.0.2".split(
    " ",
  ),
  ..."127.0.0.53 127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.253 169.254.169.254 169.254.170.2".split(" "),
  ..."172.16.0.1 172.17.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1".split(
    " ",
  ),
  ..."192.168.0.1 192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9".split(
    " ",
  ),
  ..."224.0.0.1 239.255.255.250 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255".split(" "),
  ..."::1 :: ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8".split(" "),
  ..."::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 100::1".split(" "),
  ..."2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe::1".split(" "),
  ..."2002:808:808::1 2606:4700::5efe:127.0.0.1 2620:4f:8000::1 3ffe::1 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254".split(
    " ",
  ),
  ..."fd20:ce::254 fdff::1 fe80::1 fe80::5efe:10.0.0.1 fec0::1 feff::1 ff02::1 ff0e::1".split(" "),
];
const publicAddresses = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"];

/** URLs that a business, or somebody with its password, might enter. */
const inwardUrls =
  `http://tienda.com.co/ https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/
  https://0x7f.1/ https://[::1]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[fd00::1]/ https://10.0.0.1/
  https://169.254.169.254/latest/meta-data/ https://192.168.1.1/ https://１２７.０.０.１/ https://127。0。0。1/ https://localhost/
  https://localhost./ https://LOCALHOST/ https://a.localhost/ https://caja.local/ https://nas.lan/ https://erp.corp/
  https://db.internal/ https://metadata.google.internal/ https://router.home/ https://x.test/ https://x.example/ https://x.invalid/
  https://x.onion/ https://1.0.0.127.in-addr.arpa/ https://intranet/ https://kubernetes.default.svc/ https://user@tienda.com.co/
  https://user:clave@tienda.com.co/ https://tienda.com.co@127.0.0.1/ https://127.0.0.1@tienda.com.co/ https://tienda.com.co:8443/
  https://tienda.com.co:80/ https://tienda.com.co/#a https://tienda.com.co/a#b https://tienda.com.co\\@127.0.0.1/ https:\\\\127.0.0.1/
  https://127.0.0.1%2f.tienda.com.co/ https://tienda.com.co%00.local/ https://xn--a/ https://a..co/ https://-a.com/ https://a_b.com/
  https://com.co/ https://co/ https://0/ https://0.0.0.0/ https://[::]/ https://[fe80::1%25eth0]/ https://localhost.localdomain/
  https://①②⑦.⓪.⓪.①/ gopher://tienda.com.co/ file:///etc/passwd https:///tienda.com.co https:tienda.com.co //tienda.com.co/ tienda.com.co`
    .split(/\s+/)
    .filter((url) => url !== "");

test("the list is as long as documented", () => {
  const cases = inwardUrls.length + inwardAddresses.length * 3;
  expect(cases).toBeGreaterThanOrEqual(150);
});

describe("a name that resolves to", () => {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  beforeAll(() => diagnostics.subscribe("net.client.socket", onSocket));
  afterAll(() => void diagnostics.unsubscribe("net.client.socket", onSocket));

  const sendTo = (addresses: string[]) => {
    const network: Network = {
      resolve: async () => addresses,
      fixed: new Map(),
      secureContext: trustedAuthorities(undefined),
    };
    return openSender(network, "https://tienda.com.co/").send({
      headers: {},
      body: "{}",
    });
  };

  test.each(inwardAddresses)("%s, alone or beside public addresses, is never connected to", async (address) => {
    for (const answer of [[address], [...publicAddresses, address], [address, ...publicAddresses]]) {
      expect(await sendTo(answer)).toMatchObject({
        outcome: { delivered: false, failure: "address" },
        remoteAddress: null,
      });
    }
    expect(sockets).toEqual([]);
  });

  test("nothing at all is a DNS failure", async () => {
    expect(await sendTo([])).toMatchObject({ outcome: { failure: "dns" }, remoteAddress: null });
    expect(sockets).toEqual([]);
  });

  test("something that is not an address is refused", async () => {
    for (const answer of ["localhost", "127.1", "0x7f000001", "fe80::1%eth0", ""])
      expect(await sendTo([answer])).toMatchObject({ outcome: { failure: "address" } });
    expect(sockets).toEqual([]);
  });
});

describe("with a real DNS server", () => {
  const dns = shared(() => startDnsServer());
  const hooks = shared(() => startHooks({ network: { resolve: dnsResolver([dns.address]) } }));

  const inwards = ["127.0.0.1", "169.254.169.254", "10.0.0.8", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"];

  test.each(inwards)("a name that changes to %s between saving and sending gets no connection", async (address) => {
    const name = `rebind-${inwards.indexOf(address)}.example.com`;
    dns.records.set(name, ["93.184.216.34"]);
    expect(await dnsResolver([dns.address])(name, new AbortController().signal)).toEqual(["93.184.216.34"]);
    const business = await hooks.service.business();
    const endpoint = await hooks.endpoint(business, { host: name, types: ["customer.created"] });
    const before = hooks.receiver.connections;

    dns.records.set(name, ["93.184.216.34", address]);
    await business.api.post("/customers", { name: "Ana" });
    const [attempt] = (await attempted(endpoint.id)).attempts;
    expect(attempt).toMatchObject({ failure: "address", status: null, remote_address: null });
    expect(hooks.receiver.connections).toBe(before);
    expect(dns.questions).toContain(`A ${name}`);
  });

  test("a name that does not exist, or whose server is silent, fails as dns or timeout and delays no other delivery", async () => {
    dns.records.set("mudo.example.com", null);
    const business = await hooks.service.business();
    const missing = await hooks.endpoint(business, { host: "no-existe.example.com", types: ["customer.created"] });
    const silent = await hooks.endpoint(business, { host: "mudo.example.com", types: ["customer.created"] });
    const sane = await hooks.endpoint(business, { types: ["customer.created"] });
    await business.api.post("/customers", { name: "Ana" });
    await hooks.receiver.arrivals(sane.path, 1, 8_000);
    expect((await attempted(missing.id)).attempts[0]).toMatchObject({ failure: "dns" });
    const [attempt] = (await attempted(silent.id)).attempts;
    expect(["dns", "timeout"]).toContain(attempt!.failure);
  });

  async function attempted(endpointId: string) {
    const pending = await deliveryOf(hooks.service, endpointId, "pending", (found) => found.attempts.length === 1);
    return pending;
  }
});

test("no URL that leads inward can be saved, whatever its notation", async () => {
  await using service = await startService();
  const portal = await openPortal(service);
  for (const url of inwardUrls) {
    const answer = await portal.post("/webhook-endpoints", { url, event_types: ["sale.created"] });
    expect([url, answer.status, answer.body.error?.param]).toEqual([url, 400, "url"]);
  }
});
