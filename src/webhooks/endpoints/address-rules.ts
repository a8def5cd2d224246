import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether a webhook may be sent to this address: it must certainly be on the public internet. Unknown or oddly written
 * addresses and those with a zone are refused. ipaddr.js has its own list of special ranges: both must agree, so that an
 * update of either can close a hole and neither can open one.
 */
export function isPublicAddress(ip: string): boolean {
  // net.isIP accepts only the plain notation; ipaddr.js alone would also read 127.1, 0x7f.1 and 017700000001.
  if (isIP(ip) === 0 || ip.includes("%")) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6 ? isPublicV6(address) : !isIn(notPublicV4, address);
}

export type VettedAddress = { address: string; family: 4 | 6 };

/** Checks the addresses of one DNS lookup. A single private one refuses them all: DNS rebinding mixes good and bad ones. */
export function vetAddresses(addresses: readonly string[]): Vetting {
  const refused = addresses.find((address) => !isPublicAddress(address));
  if (refused !== undefined) return { ok: false, refused };
  if (addresses.length === 0) return { ok: false, refused: null };
  const distinct = [...new Set(addresses)];
  return { ok: true, addresses: distinct.map((address) => ({ address, family: isIP(address) as 4 | 6 })) };
}

/** `refused` is the first address that is not public, or null when there was none at all: a DNS failure. */
export type Vetting = { ok: true; addresses: VettedAddress[] } | { ok: false; refused: string | null };

/** Thrown before any connection is opened; `failure-classes.ts` recognizes it by its code. */
export class AddressNotPublicError extends Error {
  readonly code = "ADDRESS_NOT_PUBLIC";
  readonly address: string;
  constructor(address: string) {
    super(`the name resolves to ${address}, which is not a public address`);
    this.name = "AddressNotPublicError";
    this.address = address;
  }
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The IANA IPv4 special-purpose registry, globally reachable ranges included: no receiver is on AS112 or AMT. */
const notPublicV4: Range[] = [
  "0.0.0.0/8", // this network; 0.0.0.0 reaches loopback on Linux
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT, with Alibaba's metadata at 100.100.100.200
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host agent: inside public space, but each Azure machine reaches its own host there
  "169.254.0.0/16", // link-local, with the metadata of most clouds at 169.254.169.254
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments, with Oracle's metadata at 192.0.0.192
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // automatic multicast tunnelling
  "192.88.99.0/24", // 6to4 relays, deprecated
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
].map((range) => ipaddr.parseCIDR(range));

/**
 * Outside this range are loopback, unique local, link-local, site-local, multicast, discard-only, segment routing, and the
 * mapped, compatible, translated and NAT64 (64:ff9b::/96, 64:ff9b:1::/48) forms that hide an IPv4 address. Those are
 * refused whatever they hide: a public receiver publishes an A record instead.
 */
const globalUnicastV6: Range[] = [ipaddr.parseCIDR("2000::/3")];

const notPublicV6: Range[] = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone ids
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in the prefix
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // the 6bone, returned to IANA
  "3fff::/20", // documentation
].map((range) => ipaddr.parseCIDR(range));

function isPublicV6(address: ipaddr.IPv6): boolean {
  return isIn(globalUnicastV6, address) && !isIn(notPublicV6, address) && !isIsatap(address);
}

/** ISATAP hides an IPv4 address in the interface id ::0:5efe:a.b.c.d or ::200:5efe:a.b.c.d, under any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function isIn(ranges: Range[], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ranges.some((range) => address.match(range));
}
