import { gzipSync } from "node:zlib";
import type { Chance } from "../../simulator/chance.ts";
import { anyValue, nearlyValid, oddText, type Vocabulary, validValue } from "./schema-values.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is read as data
type Json = any;

/** A route under attack, with the schemas it validates by. */
export interface FuzzedRoute {
  method: string;
  /** From the root, with `:name` for a parameter. */
  path: string;
  query?: Json;
  body?: Json;
  /** Targets of the schemas' references. */
  root?: Json;
  /** How often it is chosen; 1 by default. */
  weight?: number;
  /** Existing ids for the path's parameters. */
  ids?: readonly string[];
}

export interface FuzzedRequest {
  method: string;
  target: string;
  /** A list, because a name may occur twice. */
  headers: [name: string, value: string][];
  body: Buffer | undefined;
}

export interface RequestOptions {
  /** The request's credentials. */
  credential: [name: string, value: string][];
  words: Vocabulary;
}

/** A request to a route: mostly valid, or with a mistake or two, or garbage in every part. */
export function fuzzedRequest(route: FuzzedRoute, chance: Chance, options: RequestOptions): FuzzedRequest {
  const { words } = options;
  const quality = chance.pick(["valid", "valid", "valid", "near", "near", "near", "garbage"] as const);
  const body = bodyOf(route, quality, chance, words);
  const headers = headersOf(route, body !== undefined, quality, chance, options);
  const request = { method: route.method, target: targetOf(route, quality, chance, words), headers, body };
  if (quality === "garbage" && chance.happens(0.15)) {
    request.method = chance.pick(["PUT", "DELETE", "PATCH", "POST", "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]);
  }
  if (quality === "valid" && route.method === "GET" && chance.happens(0.1)) request.method = "HEAD";
  return request;
}

type Quality = "valid" | "near" | "garbage";

function targetOf(route: FuzzedRoute, quality: Quality, chance: Chance, words: Vocabulary): string {
  const path = route.path.replace(/:\w+/g, () => {
    if (route.ids && chance.happens(quality === "valid" ? 0.8 : 0.4)) return chance.pick(route.ids);
    if (quality === "valid" || chance.happens(0.6)) return chance.pick(words.ids);
    return chance.pick([
      "123",
      "%00",
      "%ff%fe",
      "%",
      "..%2f..%2f",
      `${chance.pick(words.ids)}%20`,
      chance.pick(words.ids).slice(1),
      encodeURIComponent(oddText(chance).toWellFormed()),
      "x".repeat(300),
      "__proto__",
    ]);
  });
  const query = route.query ? (validValue(route.query, chance, words, route.root ?? route.query) as Json) : {};
  const given = Object.entries<unknown>(quality === "valid" ? query : spoiltQuery(query, quality, chance, words));
  // In an otherwise valid query too: another mistake would be reported first.
  const spoilt = chance.happens(0.15) && given.length > 0 ? chance.between(0, given.length - 1) : -1;
  const pairs = given.map(([name, value], i) => {
    const mark = i === spoilt ? chance.pick(["%00", "%ED%A0%80", "%"]) : "";
    return `${encodeURIComponent(name.toWellFormed())}=${queryValue(value, chance)}${mark}`;
  });
  if (quality === "garbage" && chance.happens(0.5)) {
    pairs.push(
      chance.pick([
        "%ff=1",
        "a=%",
        "limit=5&limit=6",
        "limit[]=3",
        "limit.a=3",
        "=",
        "&&&",
        "q=%00",
        "%00=a",
        "__proto__=1",
      ]),
    );
  }
  const target = pairs.length > 0 ? `${path}?${pairs.join("&")}` : path;
  if (quality === "garbage" && chance.happens(0.05)) {
    return chance.pick([
      `${target}/`,
      `/${target}`,
      `${target}/../x`,
      target.toUpperCase(),
      `${target};a=b`,
      `${target}#x`,
    ]);
  }
  return target;
}

function spoiltQuery(query: Json, quality: Quality, chance: Chance, words: Vocabulary): Json {
  if (quality === "garbage") return { ...query, [chance.pick(["limit", "q", "wait", "cursor"])]: oddText(chance) };
  const spoilt = nearlyValid(query, chance, words);
  return typeof spoilt === "object" && spoilt !== null ? spoilt : { [String(spoilt).slice(0, 50)]: "1" };
}

function queryValue(value: unknown, chance: Chance): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return encodeURIComponent((text ?? "").slice(0, chance.pick([300, 3000])).toWellFormed());
}

function bodyOf(route: FuzzedRoute, quality: Quality, chance: Chance, words: Vocabulary): Buffer | undefined {
  if (route.body === undefined && !(quality === "garbage" && chance.happens(0.2))) return undefined;
  const valid = route.body ? validValue(route.body, chance, words, route.root ?? route.body) : {};
  if (quality === "valid") return Buffer.from(JSON.stringify(valid));
  if (quality === "near") return Buffer.from(JSON.stringify(nearlyValid(valid, chance, words)) ?? "");
  return spoiltText(JSON.stringify(chance.happens(0.5) ? valid : anyValue(chance, words)) ?? "", chance);
}

/** Malformed JSON text: cut, doubled, deeply nested, not UTF-8, numbers beyond every type. */
export function spoiltText(json: string, chance: Chance): Buffer {
  switch (chance.between(0, 13)) {
    case 0:
      return Buffer.from(json.slice(0, chance.between(0, json.length)));
    case 1:
      return Buffer.from(json + json);
    case 2:
      return Buffer.from(deep("[", "]", chance.pick([50, 5000, 100_000]), json));
    case 3:
      return Buffer.from(deep('{"a":', "}", chance.pick([50, 5000, 30_000]), json));
    case 4:
      return Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from("}")]);
    case 5:
      return Buffer.from(`\ufeff${json}`, "utf8");
    case 6:
      return Buffer.from(json, "utf16le");
    case 7:
      return gzipSync(json);
    case 8:
      return Buffer.from(
        json.replace(/:\d+/g, `:${chance.pick(["1e999", "-1e999", "9".repeat(400), "01", "1.", "0x1", "-0"])}`),
      );
    case 9:
      return Buffer.from(json.replace(/"[^"]*"(?=[,}\]])/, `"\\u0000\\ud800"`));
    case 10:
      return Buffer.from(json.replace("{", '{"name":"a","name":"b","__proto__":{"isAdmin":true},'));
    case 11:
      return Buffer.from(`"${"x".repeat(chance.pick([1000, 70_000, 270_000]))}"`);
    case 12:
      return Buffer.from(json.replaceAll('"', "'"));
    default:
      return Buffer.alloc(chance.between(0, 200), chance.between(0, 255));
  }
}

export function deep(open: string, close: string, levels: number, inside: string): string {
  return open.repeat(levels) + inside + close.repeat(levels);
}

function headersOf(
  route: FuzzedRoute,
  hasBody: boolean,
  quality: Quality,
  chance: Chance,
  { credential, words }: RequestOptions,
): [string, string][] {
  const headers: [string, string][] = [...credential];
  if (hasBody) headers.push(["Content-Type", contentType(quality, chance)]);
  if (route.method === "POST") {
    const key = `fuzz-${chance.between(0, 1e9)}`;
    headers.push(["Idempotency-Key", chance.happens(0.1) ? `fuzz-${chance.between(0, 20)}` : key]);
  }
  const tags = (words.known.etag ?? ['"1-1"']) as string[];
  if (chance.happens(0.15)) {
    headers.push([
      chance.pick(["If-Match", "If-None-Match"]),
      chance.pick([...tags, "*", '"x"', 'W/"1-1"', "", '"a", "b"']),
    ]);
  }
  if (chance.happens(0.2)) {
    headers.push([
      "Accept-Encoding",
      chance.pick(["gzip", "br", "br;q=0, gzip", "*;q=0", "identity;q=0", "zstd", ",,;q", "gzip;q=1e9", "deflate"]),
    ]);
  }
  if (quality === "garbage") headers.push(...oddHeaders(chance));
  return headers;
}

function contentType(quality: Quality, chance: Chance): string {
  if (quality !== "garbage" || chance.happens(0.6)) return "application/json";
  return chance.pick([
    "application/json; charset=utf-16",
    "application/json;;;=",
    "APPLICATION/JSON ;x=y",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json, text/html",
    "application/jsonx",
    "/",
    "",
    "\u00e9\u00ff",
  ]);
}

function oddHeaders(chance: Chance): [string, string][] {
  const header = (): [string, string] =>
    chance.pick<[string, string]>([
      ["Content-Encoding", chance.pick(["gzip", "br", "zip"])],
      ["Origin", "https://otra.com"],
      ["Sec-Fetch-Site", "cross-site"],
      ["Authorization", "Bearer x"],
      ["Authorization", ""],
      ["Cookie", `mostrador_session=${"z".repeat(chance.pick([0, 43, 4000]))}`],
      ["Idempotency-Key", chance.pick(["", "a b", "x".repeat(256), "\u00e9", "../"])],
      ["X-Forwarded-For", "127.0.0.1, ::1, x"],
      ["X-HTTP-Method-Override", "DELETE"],
      ["Accept", chance.pick(["text/html", "application/xml", "*/*;q=0"])],
      ["Range", "bytes=0-1"],
      ["If-Modified-Since", "ayer"],
      ["Register-Version", "\u00ff".repeat(300)],
      ["Register-Capabilities", "a,".repeat(chance.pick([3, 1500]))],
      ["User-Agent", `\u0080${"\u00ff".repeat(400)}`],
      ["Forwarded", 'for="[::1]:x"'],
      ["Upgrade", "h2c"],
      ["Expect", "100-continue"],
    ]);
  return Array.from({ length: chance.between(1, 4) }, header);
}

/** The request as bytes. Its body has a length, or sometimes comes in chunks. */
export function toBytes({ method, target, headers, body }: FuzzedRequest, chance?: Chance): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const inChunks = body !== undefined && chance?.happens(0.1);
  if (inChunks) lines.push("Transfer-Encoding: chunked");
  else if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  if (body === undefined) return head;
  return Buffer.concat([head, inChunks ? chunked(body) : body]);
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 4096) {
    const part = body.subarray(at, at + 4096);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}
