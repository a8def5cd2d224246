import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { newSecret, signatureHeader, verifySignature } from "./signature.ts";

const { webhooks } = new Stripe("sk_test_unused");
const body = JSON.stringify({ id: "e1", type: "customer.created", data: { object: { name: "Panadería Ñandú ☕" } } });
const now = 1_790_000_000;
const [newest, oldest, foreign] = ["whsec_new", "whsec_old", "whsec_foreign"];
const sign = (secrets: string[], at = now) => signatureHeader(body, secrets, at);
/** An independent verifier; its clock is its last argument, in milliseconds. */
const stripeAccepts = (raw: string | Buffer, header: string, secret: string, atSeconds = now) => {
  try {
    return webhooks.constructEvent(raw, header, secret, undefined, undefined, atSeconds * 1000).id === "e1";
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
};

test("the complete secret signs `<t>.<raw body>`, in lowercase hexadecimal", () => {
  // Computed with openssl: printf '1700000000.{"id":"e1"}' | openssl dgst -sha256 -hmac whsec_abc
  expect(signatureHeader('{"id":"e1"}', ["whsec_abc"], 1_700_000_000)).toBe(
    "t=1700000000,v1=4671fd6e72be2b3c1fead12a3f59f85bcbf307fd5450617573c04b26802d4479",
  );
  const byHand = createHmac("sha256", newest).update(`${now}.${body}`).digest("hex");
  expect(sign([newest])).toBe(`t=${now},v1=${byHand}`);
});

test("during a rotation there are two v1 values, the new secret's first", () => {
  const v1 = (secret: string) => sign([secret]).split("v1=")[1];
  expect(sign([newest, oldest])).toBe(`t=${now},v1=${v1(newest)},v1=${v1(oldest)}`);
});

test("text and bytes get the same signature", () => {
  expect(signatureHeader(Buffer.from(body), [newest], now)).toBe(sign([newest]));
});

test("stripe verifies one and two signatures, and refuses another secret and a changed body", () => {
  expect(stripeAccepts(body, sign([newest]), newest)).toBe(true);
  expect(stripeAccepts(Buffer.from(body), sign([newest, oldest]), newest)).toBe(true);
  expect(stripeAccepts(body, sign([newest, oldest]), oldest)).toBe(true);
  expect(stripeAccepts(body, sign([newest, oldest]), foreign)).toBe(false);
  expect(stripeAccepts(body.replace("e1", "e2"), sign([newest]), newest)).toBe(false);
});

test("after 300 s a delivery is accepted, after 301 s refused, by stripe and by us", () => {
  for (const verify of [stripeAccepts, verifySignature]) {
    expect(verify(body, sign([newest]), newest, now + 300)).toBe(true);
    expect(verify(body, sign([newest]), newest, now + 301)).toBe(false);
  }
});

test("a time in the future has the same 300 s limit, which stripe does not check", () => {
  expect(verifySignature(body, sign([newest]), newest, now - 300)).toBe(true);
  expect(verifySignature(body, sign([newest]), newest, now - 301)).toBe(false);
  expect(verifySignature(body, sign([newest]), newest, Number.NaN)).toBe(false);
});

test("a narrower tolerance is honoured", () => {
  expect(verifySignature(body, sign([newest]), newest, now + 10, 10)).toBe(true);
  expect(verifySignature(body, sign([newest]), newest, now + 11, 10)).toBe(false);
});

const valid = sign([newest]);
const hex = valid.split("v1=")[1]!;
test.each([
  ["missing", undefined],
  ["empty", ""],
  ["without t", `v1=${hex}`],
  ["without v1", `t=${now}`],
  ["with another scheme only", `t=${now},v0=${hex}`],
  ["with two times", `t=${now},${valid}`],
  ["with a negative time", `t=-${now},v1=${hex}`],
  ["with another time", `t=${now + 1},v1=${hex}`],
  ["in capitals", `t=${now},v1=${hex.toUpperCase()}`],
  ["cut short", valid.slice(0, -1)],
  ["with more digits", `${valid}00`],
  ["with no value", `t=${now},v1=`],
  ["with no equals sign", `t${now}v1${hex}`],
  ["that is no hexadecimal", `t=${now},v1=${"z".repeat(64)}`],
])("a header %s is refused", (_what, header) => {
  expect(verifySignature(body, header, newest, now)).toBe(false);
});

test.each(["", `0${now}`, `${now}.0`, ` ${now}`, "179e7", "0x6ab13680"])(
  "a time written %j is refused, even if signed",
  (t) => {
    const v1 = createHmac("sha256", newest).update(`${t}.${body}`).digest("hex");
    expect(verifySignature(body, `t=${t},v1=${v1}`, newest, Number(t))).toBe(false);
  },
);

test("a receiver that lost its secret accepts nothing", () => {
  const v1 = createHmac("sha256", "").update(`${now}.${body}`).digest("hex");
  expect(verifySignature(body, `t=${now},v1=${v1}`, "", now)).toBe(false);
});

test("an unknown scheme beside a valid v1 is ignored", () => {
  expect(verifySignature(body, `t=${now},v0=abc,v1=${"0".repeat(64)},v1=${hex},v2=x`, newest, now)).toBe(true);
});

test("a delivery without a secret, with an empty one or without a whole second cannot be signed", () => {
  expect(() => signatureHeader(body, [], now)).toThrow(RangeError);
  expect(() => signatureHeader(body, [newest, ""], now)).toThrow(RangeError);
  for (const bad of [1.5, Number.NaN, -1, Infinity])
    expect(() => signatureHeader(body, [newest], bad)).toThrow(RangeError);
});

test("a new secret is whsec_ and 256 random bits", () => {
  expect(newSecret((size) => Buffer.alloc(size, 0xab))).toBe(`whsec_${"ab".repeat(32)}`);
  expect(newSecret(randomBytes)).toMatch(/^whsec_[0-9a-f]{64}$/);
});

test("any body and any secrets: each secret verifies, any other or any flipped bit does not", () => {
  const secret = fc.string({ minLength: 1 });
  const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1 }),
      secrets,
      secret,
      fc.nat(2 ** 32),
      fc.nat(),
      (raw, ours, other, at, bit) => {
        const header = signatureHeader(raw, ours, at);
        for (const one of ours) expect(verifySignature(raw, header, one, at)).toBe(true);
        // HMAC pads a short key with zero bytes, so keys that differ only in trailing NULs are one key.
        const isSame = ours.some((one) => one.replace(/\0+$/, "") === other.replace(/\0+$/, ""));
        expect(verifySignature(raw, header, other, at)).toBe(isSame);
        const flipped = raw.with(bit % raw.length, raw[bit % raw.length]! ^ (1 << (bit % 8)));
        expect(verifySignature(flipped, header, ours[0]!, at)).toBe(false);
      },
    ),
  );
});
