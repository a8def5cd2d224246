import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../lib/is-loopback.ts";

const ofProxies =
  /^(x-forwarded|x-real-ip|x-original|x-scheme|x-arr-|x-envoy|cf-|cdn-|fly-|tailscale-|true-client|forwarded$|via$)|(client|connecting)-ip$/;

/** From this machine, by its name. A tunnel or a proxy that nobody told us about gives itself away by what it passes on. */
export function isFromHere({ headers, hostname }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => ofProxies.test(name));
  return !isForwarded && isLoopback(hostname);
}
