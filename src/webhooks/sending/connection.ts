import { readFileSync } from "node:fs";
import { isIP, type LookupFunction, type Socket } from "node:net";
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { Client } from "undici";
import { AddressNotPublicError, type VettedAddress, vetAddresses } from "../endpoints/address-rules.ts";
import { type EgressProxy, EgressProxyError, tunnel } from "./egress-proxy.ts";
import type { FixedAddress, ResolveHost } from "./resolve-host.ts";

/** How this process reaches receivers. */
export interface Network {
  resolve: ResolveHost;
  /** Names that a test installation maps to fixed addresses. Only these skip the address rules. */
  fixed: ReadonlyMap<string, FixedAddress>;
  secureContext: SecureContext;
  /** Through which every connection goes; without one they leave from this machine. */
  proxy?: EgressProxy | undefined;
}

/** The public authorities, plus that of a test installation. Read once: creating a context takes 5 ms. */
export function trustedAuthorities(caFile: string | undefined): SecureContext {
  return createSecureContext(caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(caFile, "utf8")] });
}

/** A keep-alive connection to one endpoint, for one request at a time. */
export interface Connection {
  client: Client;
  /** The address last connected to. */
  remoteAddress: string | null;
  /** Closes it at once, in any phase. */
  destroy(error?: Error): void;
}

/**
 * Every connect applies the address rules: the name is resolved, each address is vetted, and only vetted addresses are
 * connected to. TLS checks the certificate against the name. No environment variable turns any of this off: undici's
 * clients ignore proxy settings, and rejectUnauthorized overrides NODE_TLS_REJECT_UNAUTHORIZED.
 */
export function openConnection(network: Network, origin: string): Connection {
  const { hostname } = new URL(origin);
  const stop = new AbortController();
  const connection: Connection = {
    client: new Client(origin, {
      pipelining: 1,
      // One deadline covers everything; undici's own timers are too coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Less than the 5 s after which Node and other servers close an idle connection.
      keepAliveTimeout: 4_000,
      allowH2: false,
      connect: (_options, callback) => {
        connect(network, hostname, stop.signal).then(
          ({ socket, address }) => {
            connection.remoteAddress = address;
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
    }),
    remoteAddress: null,
    destroy(error) {
      stop.abort(error);
      void connection.client.destroy(error ?? null).catch(() => {});
    },
  };
  return connection;
}

interface Connected {
  socket: TLSSocket;
  address: string | null;
}

async function connect(network: Network, hostname: string, signal: AbortSignal): Promise<Connected> {
  // net.connect skips the lookup for an address literal: refused here as in endpoint-url.ts.
  if (isIP(hostname) !== 0) throw new AddressNotPublicError(hostname);
  const fixed = network.fixed.get(hostname);
  const addresses = fixed ? [vetted(fixed.address)] : await vettedAddresses(network, hostname, signal);
  signal.throwIfAborted();
  const port = fixed?.port ?? 443;
  const common = {
    servername: hostname,
    secureContext: network.secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  };
  if (network.proxy) {
    const { socket, address } = await tunnelToOne(network.proxy, addresses, port, signal);
    return { socket: await secured({ ...common, socket }, signal), address };
  }
  const direct = {
    ...common,
    host: hostname,
    port,
    // Node tries them in turn, and can connect to no other.
    lookup: ((_name, options, callback) =>
      options.all
        ? callback(null, addresses)
        : callback(null, addresses[0]!.address, addresses[0]!.family)) satisfies LookupFunction,
    autoSelectFamily: addresses.length > 1,
  };
  const socket = await secured(direct as ConnectionOptions, signal);
  return { socket, address: socket.remoteAddress ?? null };
}

/** The first of the addresses that the proxy reaches. */
async function tunnelToOne(
  proxy: EgressProxy,
  addresses: readonly VettedAddress[],
  port: number,
  signal: AbortSignal,
): Promise<{ socket: Socket; address: string }> {
  let last: unknown;
  for (const one of addresses) {
    try {
      return { socket: await tunnel(proxy, one, port, signal), address: one.address };
    } catch (error) {
      if (error instanceof EgressProxyError || signal.aborted) throw error;
      last = error;
    }
  }
  throw last;
}

function secured(options: ConnectionOptions, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls(options);
    const abort = () => socket.destroy(signal.reason as Error);
    signal.addEventListener("abort", abort);
    const settle = () => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail).off("secureConnect", succeed).off("close", closed);
    };
    const fail = (error: Error) => {
      settle();
      socket.on("error", () => {}).destroy();
      reject(error);
    };
    const closed = () => fail(Object.assign(new Error("closed during the handshake"), { code: "ECONNRESET" }));
    const succeed = () => {
      settle();
      resolve(socket.setNoDelay(true));
    };
    socket.on("error", fail).on("secureConnect", succeed).on("close", closed);
  });
}

async function vettedAddresses(network: Network, hostname: string, signal: AbortSignal): Promise<VettedAddress[]> {
  const vetting = vetAddresses(await network.resolve(hostname, signal));
  if (vetting.ok) return vetting.addresses;
  if (vetting.refused !== null) throw new AddressNotPublicError(vetting.refused);
  throw Object.assign(new Error(`no address for ${hostname}`), { code: "ENODATA" });
}

function vetted(address: string): VettedAddress {
  return { address, family: isIP(address) as 4 | 6 };
}
