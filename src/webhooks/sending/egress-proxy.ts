import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Socket } from "node:net";
import type { VettedAddress } from "../endpoints/address-rules.ts";

/** A proxy through which deliveries leave, so that receivers see its address and no other. */
export interface EgressProxy {
  host: string;
  port: number;
  isTls: boolean;
  /** What it is told of who we are; undefined where it asks nobody. */
  authorization: string | undefined;
}

export function egressProxy(setting: string | undefined): EgressProxy | undefined {
  if (setting === undefined) return undefined;
  const { protocol, hostname, port, username, password } = new URL(setting);
  const isTls = protocol === "https:";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    isTls,
    authorization: username === "" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}

/** The proxy failed, not the receiver: `classify` knows no class for it, so the attempt does not count. */
export class EgressProxyError extends Error {
  readonly code = "EGRESS_PROXY";
}

/** The proxy could not reach the receiver, as we could not without it. */
class UnreachableError extends Error {
  readonly code = "EHOSTUNREACH";
}

/** What a proxy answers when the other side does not. */
const unreachable: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/**
 * A connection through the proxy to an address that we have vetted: it is asked for the address and not for the name, which it could
 * resolve to another.
 */
export function tunnel(
  proxy: EgressProxy,
  { address, family }: VettedAddress,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const target = `${family === 6 ? `[${address}]` : address}:${port}`;
  return new Promise((resolve, reject) => {
    const request = (proxy.isTls ? tlsRequest : plainRequest)({
      host: proxy.host,
      port: proxy.port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(proxy.authorization && { "proxy-authorization": proxy.authorization }) },
      agent: false,
      signal,
    });
    request.on("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(
        unreachable.has(statusCode)
          ? new UnreachableError(`the proxy answered ${statusCode} for ${target}`)
          : new EgressProxyError(`the proxy refused ${target} with ${statusCode}`),
      );
    });
    // Without its cause: that the proxy is away says nothing of the receiver.
    request.on("error", ({ message }) =>
      reject(signal.aborted ? (signal.reason as Error) : new EgressProxyError(`the proxy does not answer: ${message}`)),
    );
    request.end();
  });
}
