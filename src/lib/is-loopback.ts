import ipaddr from "ipaddr.js";

/** Whether a host name or address, as it stands in a URL or in HOST, means this machine and is reached from nowhere else. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback";
}
