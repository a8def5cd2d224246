import ipaddr from "ipaddr.js";

/**
 * Whom a limit per address counts: an IPv4 address or an IPv6 /64, of which the smallest customer has 2⁶⁴ addresses. An IPv4
 * address that comes wrapped in an IPv6 one (mapped, or through NAT64) is that IPv4 address.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.range() === "rfc6052") return new ipaddr.IPv4(address.toByteArray().slice(12)).toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
