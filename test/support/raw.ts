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
