import { BlockList, isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress, vetAddresses } from "./address-rules.ts";

test.each([
  ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ["168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "190.26.1.1"],
  ["191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0"],
  ["198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"],
  ["2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111"],
  ["2620:4f:7fff::1", "2620:4f:8001::1", "2800:3f0::1", "2a00:1450::1", "3ffd::1", "2606:4700::5efe:7f00:1:1"],
])("%s and its row are public", (...addresses) => {
  for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

const listed = (text: string) => text.split(" ");
const notPublic: Record<string, string[]> = {
  "this network": ["0.0.0.0", "0.0.0.1", "0.255.255.255"],
  private: ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  "carrier-grade NAT": ["100.64.0.0", "100.127.255.255"],
  loopback: ["127.0.0.0", "127.0.0.1", "127.0.0.53", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
  "link-local": ["169.254.0.0", "169.254.255.255", "fe80::", "fe80::1", "febf::1"],
  "cloud metadata": listed(
    "169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 fd20:ce::254",
  ),
  "protocol assignments": ["192.0.0.0", "192.0.0.9", "192.0.0.171", "192.0.0.255", "2001:1::1", "2001:1ff:ffff::1"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff::1", "3fff:fff:ffff::1"],
  "AS112 and AMT": ["192.31.196.1", "192.52.193.1", "192.175.48.1", "2001:3::1", "2001:4:112::1", "2620:4f:8000::1"],
  "6to4 relay": ["192.88.99.0", "192.88.99.1", "192.88.99.255"],
  benchmarking: ["198.18.0.0", "198.19.255.255", "2001:2::1", "2001:2:0:ffff::1"],
  multicast: listed("224.0.0.0 224.0.0.1 239.255.255.255 ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  "reserved and broadcast": ["240.0.0.0", "250.1.2.3", "255.255.255.254", "255.255.255.255"],
  unspecified: ["::", "0::0", "::0.0.0.0"],
  "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:10.0.0.1", "0:0:0:0:0:ffff:a9fe:a9fe", "::ffff:8.8.8.8"],
  "IPv4-compatible": ["::127.0.0.1", "::7f00:1", "::a9fe:a9fe", "::8.8.8.8", "::2"],
  "IPv4-translated": ["::ffff:0:127.0.0.1", "::ffff:0:a9fe:a9fe", "::ffff:0:8.8.8.8"],
  NAT64: listed(
    "64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 64:ff9b:1:ffff::1 64:ff9b:2::1",
  ),
  "6to4": ["2002::", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2002:ffff:ffff::"],
  Teredo: ["2001::", "2001::1", "2001:0:7f00:1::80ff:fffe", "2001:0:808:808::"],
  ISATAP: ["2606:4700::5efe:127.0.0.1", "2606:4700::5efe:a9fe:a9fe", "2a00::200:5efe:10.0.0.1", "fe80::5efe:10.0.0.1"],
  "ORCHID and drone ids": ["2001:10::1", "2001:1f::1", "2001:20::1", "2001:2f::1", "2001:30::1", "2001:3f::1"],
  "unique local": ["fc00::", "fc00::1", "fd00::1", "fdff:ffff::1"],
  "site-local": ["fec0::", "fec0::1", "feff::1"],
  "discard, segment routing, 6bone": ["100::", "100::1", "100:0:0:1::1", "5f00::1", "3ffe::1"],
  "outside 2000::/3": ["200::1", "400::1", "1000::1", "1fff::1", "4000::1", "8000::1", "c000::1", "e000::1", "fe00::1"],
  "with a zone": ["fe80::1%eth0", "2606:4700::1%eth0", "2606:4700::1%1", "::1%lo", "2606:4700::1%"],
  "other notations": listed("127.1 2130706433 0x7f000001 0x8.8.8.8 010.8.8.8 08.8.8.8 8.8.8 8.8.8.8. １.1.1.1"),
  "not an address": [
    "",
    " ",
    "8.8.8.8 ",
    " 8.8.8.8",
    "8.8.8.8\n",
    "8.8.8.8/32",
    "8.8.8.8:443",
    "[2606:4700::1]",
    "example.com",
    "256.1.1.1",
    ":::1",
    "2606::4700::1",
    "null",
  ],
};

test.each(
  Object.entries(notPublic).flatMap(([kind, addresses]) => addresses.map((address) => [kind, address] as const)),
)("%s: %j is not public", (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("every address must be public, and there must be one", () => {
  expect(vetAddresses(["8.8.8.8", "2606:4700::1", "8.8.8.8"])).toEqual({
    ok: true,
    addresses: [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ],
  });
  expect(vetAddresses(["8.8.8.8", "::ffff:10.0.0.1", "127.0.0.1"])).toEqual({ ok: false, refused: "::ffff:10.0.0.1" });
  expect(vetAddresses([])).toEqual({ ok: false, refused: null });
});

test("one private address refuses any list, wherever it stands", () => {
  const notPublicAddress = fc.constantFrom(...Object.values(notPublic).flat());
  fc.assert(
    fc.property(fc.array(fc.ipV4()), notPublicAddress, fc.array(fc.ipV6()), (before, bad, after) => {
      expect(vetAddresses([...before, bad, ...after]).ok).toBe(false);
    }),
  );
});

/**
 * The IANA registries in Node's own matcher: a test oracle that shares no code and no table with the rules. One list
 * per family, because Node takes every IPv4 address as a mapped one, which ::/3 contains.
 */
const registryV4 =
  registry(`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`);
const registryV6 = registry(
  `::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20`,
);

function registry(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(/\s+/)) {
    const [net, prefix] = range.split("/");
    list.addSubnet(net!, Number(prefix), isIPv6(net!) ? "ipv6" : "ipv4");
  }
  return list;
}

const dotted = (ip: number) => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join(".");
// Half of the samples start with an octet that has a special range; uniform ones would rarely hit one.
const ipv4 = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(100, 168, 169, 172, 192, 198, 203), fc.nat(0xffffff))
    .map(([first, rest]) => first * 2 ** 24 + rest),
);

test("IPv4: an address is public when no registry entry contains it", () => {
  fc.assert(
    fc.property(ipv4.map(dotted), (address) => {
      expect(isPublicAddress(address)).toBe(!registryV4.check(address, "ipv4"));
    }),
    { numRuns: 5000 },
  );
});

test("IPv6: an address is public when no registry entry contains it, except ISATAP", () => {
  const group = fc.nat(0xffff).map((bits) => bits.toString(16));
  const first = fc.constantFrom("2000", "2001", "2002", "2620", "3ffe", "3fff", "2606", "64", "0", "fe80");
  const second = fc.constantFrom("0", "1", "1ff", "200", "db8", "4f", "fff", "1000", "ff9b");
  const rest = fc.array(group, { minLength: 6, maxLength: 6 }).filter((groups) => groups[3] !== "5efe");
  fc.assert(
    fc.property(fc.oneof(first, group), fc.oneof(second, group), rest, (a, b, others) => {
      const address = [a, b, ...others].join(":");
      expect(isPublicAddress(address)).toBe(!registryV6.check(address, "ipv6"));
    }),
    { numRuns: 5000 },
  );
});

test("no IPv4 address embedded in an IPv6 one is public", () => {
  fc.assert(
    fc.property(ipv4, fc.nat(0xffff), (ip, any) => {
      const [high, low] = [(ip >>> 16).toString(16), (ip & 0xffff).toString(16)];
      const [flippedHigh, flippedLow] = [((ip >>> 16) ^ 0xffff).toString(16), ((ip & 0xffff) ^ 0xffff).toString(16)];
      const x = any.toString(16);
      const hidden = [`::ffff:${dotted(ip)}`, `::${dotted(ip)}`, `::ffff:0:${dotted(ip)}`, `64:ff9b::${dotted(ip)}`];
      hidden.push(`64:ff9b:1:${x}::${dotted(ip)}`, `2002:${high}:${low}:${x}::1`, `2001:0:${high}:${low}::${x}`);
      hidden.push(`2001:0:${x}:1::${flippedHigh}:${flippedLow}`, `2606:4700:${x}::5efe:${dotted(ip)}`);
      hidden.push(`2606:4700:${x}::200:5efe:${high}:${low}`);
      for (const address of hidden) expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }),
  );
});
