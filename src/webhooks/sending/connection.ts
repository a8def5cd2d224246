import { readFileSync } from "node:fs";
import { isIP, type LookupFunction } from "node:net";
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
import type { FixedAddress, ResolveHost } from "./resolve-host.ts";

/** How this process reaches receivers. */
export interface Network {
  resolve: ResolveHost;
  /** Names that a test installation maps to fixed addresses. Only these skip the address rules. */
  fixed: ReadonlyMap<string, FixedAddress>;
  secureContext: SecureContext;
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
          (socket) => {
            connection.remoteAddress = socket.remoteAddress ?? null;
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

async function connect(network: Network, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
  // net.connect skips the lookup for an address literal: refused here as in endpoint-url.ts.
  if (isIP(hostname) !== 0) throw new AddressNotPublicError(hostname);
  const fixed = network.fixed.get(hostname);
  const addresses = fixed ? [vetted(fixed.address)] : await vettedAddresses(network, hostname, signal);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: hostname,
      port: fixed?.port ?? 443,
      servername: hostname,
      // Node tries them in turn, and can connect to no other.
      lookup: ((_name, options, callback) =>
        options.all
          ? callback(null, addresses)
          : callback(null, addresses[0]!.address, addresses[0]!.family)) satisfies LookupFunction,
      autoSelectFamily: addresses.length > 1,
      secureContext: network.secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
    } as ConnectionOptions);
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
