import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** A response from the socket, parsed only as far as the checks need. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * A client that sends bytes as they are: a correct HTTP client cannot send malformed requests.
 * Connections are kept alive, as an integrator's are.
 */
export interface Wire {
  /** One well-framed request; the response to a HEAD has no body whatever its headers say. */
  send(bytes: Buffer, isHead: boolean): Promise<WireAnswer>;
  /** Sends any bytes and ends: returns every response until the server closed the connection, perhaps none. */
  shout(bytes: Buffer): Promise<WireAnswer[]>;
  close(): void;
}

export function wire(baseUrl: string): Wire {
  const { hostname, port } = new URL(baseUrl);
  const idle: Socket[] = [];
  const open = () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on("error", () => {});
    return socket;
  };

  async function attempt(socket: Socket, bytes: Buffer, isHead: boolean): Promise<WireAnswer | undefined> {
    let received: Buffer = Buffer.alloc(0);
    socket.write(bytes);
    return new Promise((resolve) => {
      const finish = (answer: WireAnswer | undefined, mayKeep: boolean) => {
        socket.removeAllListeners("data").removeAllListeners("close");
        if (mayKeep) idle.push(socket);
        else socket.destroy();
        resolve(answer);
      };
      socket.on("data", (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const read = readAnswer(received, isHead, false);
        if (read)
          finish(read.answer, read.answer.headers.get("connection") !== "close" && read.end === received.length);
      });
      socket.on("close", () => finish(readAnswer(received, isHead, true)?.answer, false));
    });
  }

  return {
    async send(bytes, isHead) {
      for (let kept = idle.pop(); kept; kept = idle.pop()) {
        if (kept.destroyed || kept.readableEnded) continue;
        const answer = await attempt(kept, bytes, isHead);
        if (answer) return answer;
        // A reused connection may be closed at that very moment; a new one must answer.
        break;
      }
      const answer = await attempt(open(), bytes, isHead);
      if (!answer) throw new Error("the connection was closed without an answer");
      return answer;
    },
    shout(bytes) {
      const socket = open();
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.end(bytes);
      return new Promise((resolve, reject) => {
        socket.on("close", () => {
          try {
            resolve(readAll(Buffer.concat(chunks)));
          } catch (error) {
            reject(error as Error);
          }
        });
      });
    },
    close() {
      for (const socket of idle.splice(0)) socket.destroy();
    },
  };
}

function readAll(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const read = readAnswer(rest, false, true);
    // It was accepted, and then stayed silent.
    if (!read && /^HTTP\/1\.1 1\d\d /.test(rest.toString("latin1"))) break;
    if (!read) throw new Error(`not an HTTP answer: ${JSON.stringify(rest.toString("latin1").slice(0, 200))}`);
    answers.push(read.answer);
    rest = rest.subarray(read.end);
  }
  return answers;
}

/** The first response in the bytes and where it ends; undefined while it is incomplete. */
function readAnswer(
  bytes: Buffer,
  isHead: boolean,
  hasEnded: boolean,
): { answer: WireAnswer; end: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) throw new Error(`not an HTTP answer: ${first}`);
  const bodyStart = headEnd + 4;
  if (status < 200) {
    const next = readAnswer(bytes.subarray(bodyStart), isHead, hasEnded);
    return next && { answer: next.answer, end: bodyStart + next.end };
  }
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const done = (body: Buffer, end: number) => ({ answer: { status, headers, text: textOf(body, headers) }, end });
  if (isHead || status === 204 || status === 304) return done(Buffer.alloc(0), bodyStart);
  const length = headers.get("content-length");
  if (length !== null) {
    const end = bodyStart + Number(length);
    return bytes.length >= end ? done(bytes.subarray(bodyStart, end), end) : undefined;
  }
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes, bodyStart, done);
  return hasEnded ? done(bytes.subarray(bodyStart), bytes.length) : undefined;
}

function readChunks<T>(bytes: Buffer, start: number, done: (body: Buffer, end: number) => T): T | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return done(Buffer.concat(parts), next);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

function textOf(body: Buffer, headers: Headers): string {
  if (body.length === 0) return "";
  const encoding = headers.get("content-encoding");
  if (encoding === "br") return brotliDecompressSync(body).toString("utf8");
  return (encoding === "gzip" ? gunzipSync(body) : body).toString("utf8");
}
