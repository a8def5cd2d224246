import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Business, Service } from "./service.ts";

/** What the front does with one request, before or instead of handing it on. */
export interface Fault {
  /** Requests of the test's own, made first. */
  first?: { post?: string; patch?: string; body: object }[];
  /** The connection ends before anything was handed on. */
  cut?: boolean;
  /** It is handed on, and the answer is lost. */
  lose?: boolean;
  /** It is handed on, and the answer ends after so many bytes. */
  keep_bytes?: number;
  /** No answer comes, or it stops after its beginning. */
  hang?: "before" | "within";
  /** Answered in the service's place. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Seen {
  method: string;
  key: string | undefined;
  at: number;
}

export interface Faulty {
  url: string;
  seen: Seen[];
}

export interface Front extends AsyncDisposable {
  /** An address of its own, where the first requests meet these faults and the others the service. */
  open(shop: Business, faults: readonly Fault[]): Faulty;
}

interface Place extends Faulty {
  shop: Business;
  faults: readonly Fault[];
}

/** Stands before a service as a bad network does. */
export async function openFront(service: Service): Promise<Front> {
  const places: Place[] = [];
  const server = createServer((request, response) => {
    const [, number, path] = /^\/(\d+)(\/.*)$/.exec(request.url!)!;
    void pass(service, places[Number(number)]!, path!, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    open(shop, faults) {
      const place = { shop, faults, url: `http://127.0.0.1:${port}/${places.length}`, seen: [] };
      places.push(place);
      return place;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function pass(
  service: Service,
  { seen, faults, shop }: Place,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fault = faults[seen.length] ?? {};
  const key = request.headers["idempotency-key"] as string | undefined;
  seen.push({ method: request.method!, key, at: performance.now() });
  const body = Buffer.concat(await request.toArray());
  for (const { post, patch, body: fields } of fault.first ?? [])
    await (post ? shop.api.post(post, fields) : shop.api.patch(patch!, fields));
  if (fault.cut) return void request.socket.destroy();
  if (fault.hang === "before") return;
  if (fault.status !== undefined) return void response.writeHead(fault.status, fault.headers).end(fault.body);
  const answer = await fetch(service.baseUrl + path, {
    method: request.method!,
    headers: handedOn(request),
    ...(body.length > 0 && { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (fault.lose) return void request.socket.destroy();
  const type = answer.headers.get("content-type") ?? "";
  const part = fault.keep_bytes ?? (fault.hang === "within" ? 10 : undefined);
  if (part === undefined) return void response.writeHead(answer.status, { "content-type": type }).end(bytes);
  response.writeHead(answer.status, { "content-type": type });
  response.write(bytes.subarray(0, part), () => fault.hang ?? response.destroy());
}

function handedOn({ headers }: IncomingMessage): Record<string, string> {
  const own = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "expect"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) as Record<string, string>;
}
