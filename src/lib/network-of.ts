import ipaddr from "ipaddr.js";

/**
 * The unit that limits per address count: an IPv4 address or an IPv6 /64, because even the smallest customer has a whole /64.
 * An IPv4 address embedded in an IPv6 one (mapped, or through NAT64) counts as that IPv4 address.
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
