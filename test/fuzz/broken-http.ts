import type { Chance } from "../../simulator/chance.ts";
import { type FuzzedRequest, toBytes } from "./requests.ts";

/** A request with malformed HTTP, made from a valid one. */
export function brokenHttp(request: FuzzedRequest, chance: Chance): Buffer {
  const { method, target, headers } = request;
  const whole = toBytes(request);
  const withHeaders = (...more: string[]) =>
    Buffer.concat([
      Buffer.from(
        `${[`${method} ${target} HTTP/1.1`, "Host: a", ...headers.map(([name, value]) => `${name}: ${value}`), ...more].join("\r\n")}\r\n\r\n`,
        "latin1",
      ),
      request.body ?? Buffer.alloc(0),
    ]);
  const length = request.body?.length ?? 0;
  switch (chance.between(0, 21)) {
    case 0:
      return whole.subarray(0, chance.between(0, whole.length - 1));
    case 1: {
      const spoilt = Buffer.from(whole);
      for (let i = chance.between(1, 8); i > 0; i--)
        spoilt[chance.between(0, spoilt.length - 1)] = chance.between(0, 255);
      return spoilt;
    }
    case 2:
      return withHeaders(`Content-Length: ${length}`, `Content-Length: ${length + 1}`);
    case 3:
      return withHeaders(`Content-Length: ${length + chance.between(1, 50)}`);
    case 4:
      return withHeaders(`Content-Length: ${Math.max(0, length - 3)}`);
    case 5:
      return withHeaders(
        chance.pick(["Content-Length: -1", "Content-Length: x", "Content-Length: 1e3", "Content-Length: +5"]),
      );
    case 6:
      return withHeaders("Transfer-Encoding: chunked", `Content-Length: ${length}`);
    case 7:
      return withHeaders(
        chance.pick(["Transfer-Encoding: gzip", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: x"]),
      );
    case 8:
      return Buffer.concat([withHeaders("Transfer-Encoding: chunked"), Buffer.from("zz\r\nabc\r\n0\r\n\r\n")]);
    case 9:
      return withHeaders(`X-Huge: ${"h".repeat(chance.pick([17_000, 100_000]))}`);
    case 10:
      return withHeaders(...Array.from({ length: chance.pick([150, 2500]) }, (_, i) => `X-${i}: ${i}`));
    case 11:
      return withHeaders(`X-Nul: a\0b`);
    case 12:
      return withHeaders("Bad Header: x", ": empty", "no colon");
    case 13:
      return withHeaders("Folded: a\r\n b");
    case 14:
      return Buffer.from(`${method} ${target} HTTP/1.1\r\n\r\n`);
    case 15:
      return Buffer.from(
        `${method} ${target} HTTP/${chance.pick(["1.0", "2.0", "0.9", "9.9", "x"])}\r\nHost: a\r\n\r\n`,
      );
    case 16:
      return Buffer.from(
        `${chance.pick(["get", "BREW", "\x00", "CONNECT", "PRI", "G ET", ""])} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
      );
    case 17:
      return Buffer.from(
        `${method} ${chance.pick(["*", "http://otra.com/public/v1/sales", "//x", "customers", "/\u0001", "/ñ", `/${"a".repeat(20_000)}`])} HTTP/1.1\r\nHost: a\r\n\r\n`,
        "latin1",
      );
    case 18:
      return Buffer.concat([whole, whole.subarray(0, chance.between(1, whole.length)), Buffer.from("\r\n\r\nGET")]);
    case 19:
      return withHeaders(`Expect: ${chance.pick(["100-continue", "200-ok"])}`, `Content-Length: ${length}`);
    case 20:
      return withHeaders("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13");
    default:
      return Buffer.from(Array.from({ length: chance.between(0, 400) }, () => chance.between(0, 255)));
  }
}
