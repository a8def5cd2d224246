import ipaddr from "ipaddr.js";

/** A range of addresses of either kind, as read from its text. */
export type AddressRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** More than any system that calls has. */
export const maxRanges = 20;

/** `190.24.7.12`, `190.24.7.0/24`, `2001:db8::/32`; undefined for any other text. */
export function readRange(text: string): AddressRange | undefined {
  const written = text.trim();
  try {
    if (written.includes("/")) return ipaddr.parseCIDR(written);
    if (!ipaddr.isValid(written) || !/[.:].*[.:]/.test(written)) return undefined;
    const address = ipaddr.process(written);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    return undefined;
  }
}

/** An IPv4 address that arrived over IPv6 counts as what it is. */
export function isWithin(ip: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some(([first, bits]) => {
    if (address instanceof ipaddr.IPv4) return first instanceof ipaddr.IPv4 && address.match(first, bits);
    return first instanceof ipaddr.IPv6 && address.match(first, bits);
  });
}
