import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stripe } from "stripe";
import { type Certificate, selfSigned } from "../../src/webhooks/sending/self-signed.ts";

/** A delivery as a receiver got it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver reads JSON
  body: any;
  deliveryId: string;
}

export type Responder = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver extends AsyncDisposable {
  port: number;
  certificate: Certificate;
  caFile: string;
  server: Server;
  /** Everything that arrived, in order. */
  received: Received[];
  connections: number;
  /** How a path answers; with 200 by default. */
  answers: Map<string, Responder>;
  /** The secrets of each path, with which the stripe package verifies every delivery. */
  secrets: Map<string, string[]>;
  /** Resolves once `count` deliveries reached the path. */
  arrivals(path: string, count: number, withinMs?: number): Promise<Received[]>;
  on(path: string): Received[];
}

export const receiverHost = "hooks.example.com";
const stripe = new Stripe("sk_test_unused");

/** A real HTTPS server with its own certificate. `now` is the sender's clock, by which signatures are checked. */
export async function startReceiver(options: { now?: () => Date; names?: string[] } = {}): Promise<Receiver> {
  const names = options.names ?? [receiverHost, "*.example.com"];
  const certificate = await selfSigned(names);
  const folder = await mkdtemp(join(tmpdir(), "mostrador-receiver-"));
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, certificate.cert);
  const problems: string[] = [];
  const waiting = new Set<() => void>();

  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const path = request.url!;
      const received: Received = {
        path,
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString()),
        deliveryId: String(request.headers["service-delivery-id"]),
      };
      problems.push(...verify(received));
      receiver.received.push(received);
      const answer = receiver.answers.get(path);
      if (answer) answer(received, response, request);
      else response.writeHead(200).end("ok");
      for (const check of waiting) check();
    });
  });
  server.on("connection", () => receiver.connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  /** Each of the path's current secrets must verify, as in a rotation, and stripe must agree. */
  function verify({ path, raw, headers }: Received): string[] {
    const secrets = receiver.secrets.get(path);
    if (!secrets) return [`nobody may sign for ${path}`];
    return secrets.flatMap((secret) => {
      try {
        const nowSeconds = Math.floor((options.now?.() ?? new Date()).getTime() / 1000);
        const header = String(headers["service-signature"]);
        stripe.webhooks.constructEvent(raw, header, secret, 300, undefined, nowSeconds * 1000);
        return [];
      } catch (error) {
        return [`${path}: ${(error as Error).message}`];
      }
    });
  }

  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    certificate,
    caFile,
    server,
    received: [],
    connections: 0,
    answers: new Map(),
    secrets: new Map(),
    on: (path) => receiver.received.filter((one) => one.path === path),
    arrivals(path, count, withinMs = 120_000) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = receiver.on(path);
          if (found.length < count) return;
          waiting.delete(check);
          clearTimeout(deadline);
          resolve(found);
        };
        const deadline = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${receiver.on(path).length} of ${count} deliveries reached ${path} in ${withinMs} ms`));
        }, withinMs);
        waiting.add(check);
        check();
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
      if (problems.length > 0) throw new Error(`signatures that stripe refuses:\n${problems.join("\n")}`);
    },
  };
  return receiver;
}
