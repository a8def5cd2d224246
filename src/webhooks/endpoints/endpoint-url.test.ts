import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEndpointUrl, maxUrlLength, type UrlRefusal } from "./endpoint-url.ts";

const accepted: [string, string][] = [
  ["https://tienda.com.co/webhooks", "https://tienda.com.co/webhooks"],
  ["https://tienda.com.co", "https://tienda.com.co/"],
  ["HTTPS://Tienda.COM.co/Webhooks", "https://tienda.com.co/Webhooks"],
  ["https://hooks.example.com/a", "https://hooks.example.com/a"],
  ["https://example.org", "https://example.org/"],
  ["https://example.com:443/a", "https://example.com/a"],
  ["https://example.com./a", "https://example.com/a"],
  ["https://example.com.:443/a", "https://example.com/a"],
  ["https://example.com。/a", "https://example.com/a"],
  ["https://example.com?token=a&b=%20c", "https://example.com/?token=a&b=%20c"],
  ["https://example.com/@user", "https://example.com/@user"],
  ["https://example.com/a:8080", "https://example.com/a:8080"],
  ["https://example.com/?next=http://127.0.0.1/", "https://example.com/?next=http://127.0.0.1/"],
  ["https://example.com/a/../b", "https://example.com/b"],
  ["https://example.com/%23", "https://example.com/%23"],
  ["https://example.com/años", "https://example.com/a%C3%B1os"],
  ["https://panadería.co/hooks", "https://xn--panadera-i2a.co/hooks"],
  ["https://xn--panadera-i2a.co/hooks", "https://xn--panadera-i2a.co/hooks"],
  ["https://ｅｘａｍｐｌｅ.com/", "https://example.com/"],
  ["https://кафе.рф/", "https://xn--80akn5b.xn--p1ai/"],
  // Names that resolve to private addresses pass here: the addresses are refused when the delivery is sent.
  ["https://127.0.0.1.nip.io/", "https://127.0.0.1.nip.io/"],
  ["https://localtest.me/", "https://localtest.me/"],
  ["https://mi-tienda.github.io/hook", "https://mi-tienda.github.io/hook"],
  ["https://abc.ngrok-free.app/", "https://abc.ngrok-free.app/"],
  ["https://123.com/", "https://123.com/"],
  ["https://a--b.com/", "https://a--b.com/"],
];

test.each(accepted)("%s is accepted as %s", (text, url) => {
  expect(checkEndpointUrl(text)).toEqual({ ok: true, url, hostname: new URL(url).hostname });
});

const label63 = "a".repeat(63);
const listed = (text: string) => text.trim().split(/\s+/);
const refused: Record<UrlRefusal, string[]> = {
  scheme: listed(`
    http://example.com/ http://example.com:443/ HTTP://example.com/ ftp://example.com/ ws://example.com/
    wss://example.com/ file:///etc/passwd javascript:alert(1) data:text/plain,a gopher://example.com/
    blob:https://example.com/1 view-source:https://example.com/ jar:https://example.com/ httpss://example.com/
    localhost:3000 example.com:443/hook
  `),
  not_a_url: [
    ...listed(`
      example.com //example.com/ /hook https https: https:// https:/// https:example.com https:/example.com
      https:///example.com https://?a=b https://:443/ https://1.2.3.4.5/ https://256.1.1.1/ https://1.2.3.08/
      https://4294967296/ https://example.0x7f/ https://exam<ple.com/ https://exam^ple.com/
      https://exam|ple.com/ https://example.com／.evil.org/ https://example.com＃.evil.org/
      https://example.com：8443/ https://user＠example.com/ ｈttps://example.com/
    `),
    "",
  ],
  user_info: listed(`
    https://user@example.com/ https://user:pass@example.com/ https://:pass@example.com/ https://@example.com/
    https://:@example.com/ https://example.com@127.0.0.1/ https://example.com:443@localhost/
    https://a@b@example.com/ https://user%40@example.com/ https://127.0.0.1@example.com#a
  `),
  fragment: listed(`
    https://example.com/# https://example.com/#a https://example.com#a https://example.com#@127.0.0.1/
    https://example.com/?a=b#c https://example.com/a?#
  `),
  port: listed(`
    https://example.com:80/ https://example.com:8443/ https://example.com:0/ https://example.com:/
    https://example.com:0443/ https://example.com:443:443/ https://example.com:443a/ https://example.com:-443/
    https://example.com:65979/ https://example.com:99999999999/ https://example.com:４４３/ https://127.0.0.1:22/
    https://::1/
  `),
  ip_address: listed(`
    https://127.0.0.1/ https://127.0.0.1./ https://127.0.0.1:443/ https://8.8.8.8/ https://0.0.0.0/ https://0/
    https://1/ https://127.1/ https://127.0.1/ https://10.1/ https://2130706433/ https://017700000001/
    https://0x7f000001/ https://0x7f.0.0.1/ https://0X7F.1/ https://0177.0.0.1/ https://0177.1/
    https://0x7f.0x0.0x0.0x1/ https://0x/ https://192.168.0x1/ https://169.254.169.254/latest/meta-data/
    https://2852039166/ https://0xa9fea9fe/ https://0xA9.254.0251.254/ https://１２７.０.０.１/ https://127。0。0。1/
    https://127．0．0．1/ https://127｡0｡0｡1/ https://①②⑦.⓪.⓪.①/ https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/ https://０ｘ７ｆ.1/
    https://²130706433/ https://[::1]/ https://[::]/ https://[::1]:443/ https://[::ffff:127.0.0.1]/
    https://[::ffff:7f00:1]/ https://[0:0:0:0:0:0:0:1]/ https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/
    https://[fe80::1%25eth0]/ https://[fd00:ec2::254]/ https://[2606:4700:4700::1111]/ https://[v1.fe80::a]/
    https://[127.0.0.1]/ https://[
  `),
  characters: [
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/\n",
    "https://exam\tple.com/",
    "https://exam\nple.com/",
    "ht\ttps://example.com/",
    "https://example.com/a\r\nHost: localhost",
    "https://example.com\\@127.0.0.1/",
    "https:\\\\example.com\\",
    "https://example.com/a\\b",
    "https://example.com/a b",
    "https://example.com/\u0000",
    "\u0000https://example.com/",
    "https://example.com/\u007f",
    "https://example.com/\u0085",
    "https://example.com/\u00a0",
    "https://example.com/\u2028",
    "https://exam\u3000ple.com/",
    "https://exa\u00admple.com/",
    "https://exa\u200bmple.com/",
    "https://127.0\u200d.0.1/",
    "https://local\u2060host/",
    "https://exa\ufe0fmple.com/",
    "https://exa\u034fmple.com/",
    "https://exa\u180bmple.com/",
    "\ufeffhttps://example.com/",
    "https://example.com/\u202emoc",
    "https://example.com/\ud800",
    "https://exa\ue000mple.com/",
  ],
  hostname: [
    ...listed(`
      https://%31%32%37.0.0.1/ https://%6c%6fcalhost/ https://example%2ecom/ https://example.com%2f.evil.org/
      https://example.com%40127.0.0.1/ https://example.com%00.evil.org/ https://a..com/ https://.example.com/
      https://example.com../ https://127.0.0.1../ https://localhost../ https://./ https://../
      https://a_b.example.com/ https://-a.com/ https://a-.com/ https://a*b.com/ https://*.example.com/
      https://exa!mple.com/ https://a,b.com/ https://a;b.com/ https://{host}.com/ https://xn--a.com/
      https://xn--0.com/ https://xn--example-.com/
    `),
    "https://exa$mple.com/",
    `https://${label63}a.com/`,
    `https://${[label63, label63, label63, label63].join(".")}.com/`,
  ],
  internal_name: listed(`
    https://localhost/ https://localhost./ https://LOCALHOST/ https://ｌｏｃａｌｈｏｓｔ/ https://ⓛocalhost/
    https://tienda.localhost/ https://localhost.localdomain/ https://intranet/ https://router/ https://com/
    https://com./ https://co/ https://impresora.local/ https://impresora.local./ https://impresora。local/
    https://metadata.google.internal/ https://instance-data.ec2.internal/ https://caja.lan/ https://caja.home/
    https://caja.home.arpa/ https://caja.corp/ https://caja.intranet/ https://caja.private/ https://caja.test/
    https://caja.example/ https://caja.invalid/ https://caja.alt/ https://caja.domain/
    https://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/ https://1.0.0.127.in-addr.arpa/
    https://e164.arpa/ https://kubernetes.default.svc/ https://kubernetes.default.svc.cluster.local/
    https://host.docker.internal/
  `),
  not_public: listed(`
    https://com.co/ https://co.uk/ https://b.ck/ https://tienda.comm/ https://tienda.mail/
    https://tienda.router/ https://tienda.dhcp/ https://tienda.consul/ https://tienda.cluster/
    https://tienda.gateway.docker/ https://tienda.xn--kgbechtv/ https://tienda.ñandú/
  `),
  too_long: [
    `https://example.com/${"a".repeat(maxUrlLength)}`,
    `https://example.com/${"ñ".repeat(500)}`,
    `https://example.com/${"a/../".repeat(500)}`,
  ],
};

describe.each(Object.entries(refused))("refused as %s", (reason, urls) => {
  test.each(urls.map((url) => [JSON.stringify(url).slice(0, 80), url]))("%s", (_shown, url) => {
    expect(checkEndpointUrl(url)).toMatchObject({
      ok: false,
      reason,
      message: expect.stringMatching(/^[A-ZÁÉÍÓÚ].+\.$/),
    });
  });
});

test("a URL of exactly 2048 characters is accepted", () => {
  const url = "https://example.com/".padEnd(maxUrlLength, "a");
  expect(checkEndpointUrl(url)).toMatchObject({ ok: true, url });
  expect(checkEndpointUrl(`${url}a`)).toMatchObject({ ok: false, reason: "too_long" });
});

const nastyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "https://",
        "example.com",
        "localhost",
        "127.0.0.1",
        ".",
        ":",
        "443",
        "@",
        "#",
        "/",
        "?",
        "\\",
        "%",
      ),
      fc.constantFrom("[", "]", "::1", "。", "１", "xn--", "-", "_", "\t", "co", "0x7f", "ñ", "\u00ad"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

test("whatever the text, an accepted URL is canonical and follows every rule", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nastyText,
        nastyText.map((text) => `https://example.com${text}`),
        fc.webUrl(),
      ),
      (text) => {
        const check = checkEndpointUrl(text);
        if (!check.ok) return;
        const url = new URL(check.url);
        expect(checkEndpointUrl(check.url)).toEqual(check);
        expect(url).toMatchObject({ protocol: "https:", port: "", username: "", password: "", hash: "" });
        expect(url.hostname).toBe(check.hostname);
        expect(isIP(check.hostname)).toBe(0);
        expect(check.hostname).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]+[a-z0-9]$/);
        expect(check.url).toMatch(/^[\x21-\x7e]{1,2048}$/);
        expect(check.url).not.toMatch(/[@#\\]/.test(text.slice(0, 8)) ? /./ : /#/);
      },
    ),
    { numRuns: 5000 },
  );
});

test("no IPv4 address is accepted in any base, length or script", () => {
  const inBase = (part: number, base: number) =>
    base === 16 ? `0x${part.toString(16)}` : base === 8 ? `0${part.toString(8)}` : String(part);
  const base = fc.constantFrom(8, 10, 16);
  fc.assert(
    fc.property(
      fc.nat(0xffffffff),
      fc.integer({ min: 1, max: 4 }),
      fc.tuple(base, base, base, base),
      fc.boolean(),
      (ip, size, bases, wide) => {
        // The last part holds the bytes that the parts before it do not.
        const bytes = [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255);
        const rest = bytes.slice(size - 1).reduce((sum, byte) => sum * 256 + byte, 0);
        const dotted = [...bytes.slice(0, size - 1), rest].map((part, i) => inBase(part, bases[i]!)).join(".");
        const written = wide ? dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : dotted;
        expect(checkEndpointUrl(`https://${written}/`)).toMatchObject({ ok: false, reason: "ip_address" });
      },
    ),
  );
});
