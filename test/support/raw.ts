import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";

export interface RawRequest {
  method?: string;
  /** From the root, sent as it is. */
  path: string;
  /** A list sends the header once per value. */
  headers?: Record<string, string | string[]>;
  /** In chunks when it is a list, otherwise with its Content-Length. */
  body?: string | Buffer | (string | Buffer)[];
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would, without types
  body: any;
}

/** Sends what fetch cannot: repeated headers, odd paths and methods, chunks; and returns the raw bytes. */
export function raw(baseUrl: string, { method = "GET", path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const length =
      typeof body === "string" || Buffer.isBuffer(body) ? { "content-length": Buffer.byteLength(body) } : {};
    const sent = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes, body: parsed(bytes) });
        });
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    for (const chunk of body === undefined ? [] : [body].flat()) sent.write(chunk);
    sent.end();
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Raw requests to the public API, with the shop's key unless they bring headers of their own. */
export function rawClient(service: { baseUrl: string }, shop: { key: string }) {
  const authorization = () => ({ authorization: `Bearer ${shop.key}` });
  const call = (request: RawRequest) =>
    raw(service.baseUrl, { headers: authorization(), ...request, path: `/public/v1${request.path}` });
  /** A POST whose body is sent byte by byte as given. A header with the value "" is left out. */
  function post(path: string, body?: RawRequest["body"], headers: RawRequest["headers"] = {}): Promise<RawAnswer> {
    const json = { ...authorization(), "content-type": "application/json", "idempotency-key": randomUUID() };
    const all = Object.entries({ ...json, ...headers }).filter(([, value]) => value !== "");
    return call({ method: "POST", path, headers: Object.fromEntries(all), ...(body !== undefined && { body }) });
  }
  return { call, post };
}
