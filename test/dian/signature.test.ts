import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { writeDocument } from "../../src/fiscal/authority/dian/document/write-document.ts";
import { issuerAndSerial } from "../../src/fiscal/authority/dian/signature/read-name.ts";
import { signDocument } from "../../src/fiscal/authority/dian/signature/sign-document.ts";
import { certificateProblem, readP12 } from "../../src/fiscal/authority/dian/signature/signer.ts";
import type { Xml } from "../../src/fiscal/authority/dian/xml/write-xml.ts";
import { chance } from "../../src/operations/demo/random.ts";
import { randomSamples, type Sample, testIssuance } from "../support/dian.ts";
import { makeCertificates, testCertificates } from "../support/test-certificates.ts";
import { isInstalled } from "../support/tools.ts";
import { signatureProblems } from "../support/verify-signature.ts";
import { xmlsecVerifies } from "../support/xmlsec.ts";

const { signer, own, subordinate, root, p12 } = testCertificates();
const signedAt = new Date("2026-11-16T15:04:05.678Z");
const signed = ({ kind, document }: Sample, at = signedAt) =>
  signDocument(writeDocument(document, testIssuance(kind), kind), signer, at);

/** LONG=1 takes 3 000 baskets, which are more than 10 000 documents. */
const baskets = process.env.LONG ? 3_000 : 40;

describe("a signed document", () => {
  test(`${baskets} baskets: our own judge and xmlsec1 find nothing against any of their documents`, {
    timeout: 3_600_000,
  }, async () => {
    const files: string[] = [];
    for (let seed = 1; seed <= baskets; seed++)
      for (const sample of randomSamples(chance(seed), seed)) {
        const file = await signed(sample);
        expect(signatureProblems(file, { at: signedAt }), `basket ${seed}, ${sample.kind}`).toEqual([]);
        files.push(file);
      }
    if (isInstalled("xmlsec1")) {
      const asked = process.env.LONG ? files : files.slice(0, 60);
      expect(xmlsecVerifies(asked)).toEqual(asked.map(() => true));
    }
  });

  test("one byte changed anywhere is refused", async () => {
    const sample = randomSamples(chance(3), 3)[0]!;
    const bytes = Buffer.from(await signed(sample), "utf8");
    const any = chance(7);
    // Every byte of what holds the signature together, and any of the others.
    const from = bytes.indexOf("<ds:Signature ");
    const until = bytes.indexOf("</ds:Signature>") + 15;
    const step = process.env.LONG ? 1 : 9;
    const places = [
      ...Array.from({ length: Math.floor((until - from) / step) }, (_, i) => from + i * step),
      ...Array.from({ length: process.env.LONG ? 3_000 : 250 }, () => any.between(0, bytes.length - 1)),
    ];
    const free = places.filter((place) => {
      const changed = Buffer.from(bytes);
      changed[place] = changed[place]! ^ any.pick([1, 2, 4, 16, 32]);
      return signatureProblems(changed.toString("utf8")).length === 0;
    });
    expect(free.map((place) => bytes.subarray(place - 20, place + 20).toString())).toEqual([]);
  });

  test.skipIf(!isInstalled("xmlsec1"))(
    "xmlsec1 refuses another amount, key or time (skipped where it is not installed)",
    async () => {
      const file = await signed(randomSamples(chance(3), 3)[0]!);
      const changed = [
        file.replace(/(<cbc:PayableAmount[^>]*>)\d/, "$18"),
        file.replace(/(<ds:X509Certificate>.{300})./, (all, head: string) => `${head}${all.endsWith("A") ? "B" : "A"}`),
        file.replace("<xades:SigningTime>2026", "<xades:SigningTime>2027"),
      ];
      expect(changed.every((one) => one !== file)).toBe(true);
      expect(xmlsecVerifies([file, ...changed])).toEqual([true, false, false, false]);
      for (const one of changed) expect(signatureProblems(one)).not.toEqual([]);
    },
  );

  test("is signed in Bogotá's time: late in the evening its day is the document's", async () => {
    const late = new Date("2026-11-17T04:59:59Z");
    const [{ kind, document }] = randomSamples(chance(5), 5) as [Sample];
    const file = await signed({ kind, document: { ...document, issued_at: late.toISOString() } }, late);
    expect(file).toContain("<xades:SigningTime>2026-11-16T23:59:59-05:00</xades:SigningTime>");
    expect(file).toContain("<cbc:IssueDate>2026-11-16</cbc:IssueDate>");
    expect(signatureProblems(file)).toEqual([]);
  });

  test("is the same, byte for byte, when it is signed again at the same time", async () => {
    const sample = randomSamples(chance(3), 3)[0]!;
    expect(await signed(sample)).toBe(await signed(sample));
  });

  test("names the signer's certificate and each that vouches for it, the signer's first", async () => {
    const file = await signed(randomSamples(chance(3), 3)[0]!);
    const serials = [...file.matchAll(/<ds:X509SerialNumber>(\d+)</g)].map(([, serial]) => serial);
    expect(serials).toEqual(["123", String(0xff00ff00ff00ff00ffn), "1"]);
  });

  test("needs one place for the signature, no more and no less", async () => {
    const place = "<ext:ExtensionContent></ext:ExtensionContent>";
    for (const text of ["<a></a>", `<a>${place}${place}</a>`])
      await expect(signDocument(text as Xml, signer, signedAt)).rejects.toThrow("one place");
  });
});

test("an issuer's name is written backwards, escaped, and what has no short name by its number", () => {
  expect(issuerAndSerial(own.raw)).toEqual({
    issuer:
      'CN=Subordinada \\"Ñ\\" \\<1\\>,1.2.840.113549.1.9.1=#0c116669726d61406578616d706c652e636f6d,O=Certificación de Pruebas\\, S.A.,C=CO',
    serial: "123",
  });
  expect(issuerAndSerial(root.raw).serial).toBe("1");
  expect(issuerAndSerial(subordinate.raw).issuer).toContain("CN=Raíz de Pruebas\\, S.A.,");
});

test.skipIf(!isInstalled("openssl"))("openssl writes the same name (skipped where it is not installed)", () => {
  const options = ["x509", "-noout", "-issuer", "-nameopt", "RFC2253,-esc_msb,utf8"];
  const told = execFileSync("openssl", options, { input: own.toString(), encoding: "utf8" }).trim();
  // It knows a name for an address of mail, which RFC 2253 has not.
  expect(
    told.replace("emailAddress=firma@example.com", "1.2.840.113549.1.9.1=#0c116669726d61406578616d706c652e636f6d"),
  ).toBe(`issuer=${issuerAndSerial(own.raw).issuer}`);
});

describe("a .p12", () => {
  test.each(["aes256", "3des"] as const)(
    "is read whatever its cipher and the order of its certificates: %s",
    async (algorithm) => {
      const read = await readP12(p12("secreta ñ", algorithm), "secreta ñ");
      expect(read.chain.map(({ serialNumber }) => serialNumber)).toEqual(
        signer.chain.map(({ serialNumber }) => serialNumber),
      );
      expect(read.chain.length).toBe(3);
      const bytes = Buffer.from("texto");
      expect(await read.sign(bytes)).toEqual(await signer.sign(bytes));
    },
  );

  test("with another password, or that is none, says so", async () => {
    const file = p12("secreta", "aes256");
    await expect(readP12(file, "otra")).rejects.toThrow("su contraseña es otra");
    await expect(readP12(Buffer.from("hola"), "secreta")).rejects.toThrow("no es un certificado .p12");
    await expect(readP12(Buffer.alloc(0), "secreta")).rejects.toThrow("no es un certificado .p12");
  });
});

test("a certificate that ended, has not begun, is weak or somebody else's is told", () => {
  const problem = (of: { signer: typeof signer }, now: string) =>
    certificateProblem(of.signer, "900373923", new Date(now));
  expect(problem({ signer }, "2026-11-16T12:00:00Z")).toBeUndefined();
  expect(problem({ signer }, "2028-01-02T12:00:00Z")).toContain("venció el 2027-12-31");
  expect(problem({ signer }, "2025-11-16T12:00:00Z")).toContain("empieza a valer");
  expect(problem(makeCertificates({ nit: "800197268" }), "2026-11-16T12:00:00Z")).toContain("no es del NIT 900373923");
  expect(problem(makeCertificates({ bits: 1024 }), "2026-11-16T12:00:00Z")).toContain("2048 bits");
  expect(own instanceof X509Certificate).toBe(true);
});
