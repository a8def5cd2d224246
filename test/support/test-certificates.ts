import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { type Signer, signerOf } from "../../src/fiscal/authority/dian/signature/signer.ts";

/** A certification body for tests, with a root, a subordinate and a business's certificate under it. */
export interface TestCertificates {
  root: X509Certificate;
  subordinate: X509Certificate;
  own: X509Certificate;
  signer: Signer;
  /** As a file, under a cipher of today or of twenty years ago, with the certificates in an unhelpful order. */
  p12: (password: string, algorithm: "aes256" | "3des") => Buffer;
}

interface Options {
  nit?: string;
  from?: Date;
  until?: Date;
  bits?: number;
}

let made: TestCertificates | undefined;

/** The usual ones, made once for each process: keys take a while. */
export function testCertificates(): TestCertificates {
  made ??= makeCertificates();
  return made;
}

export function makeCertificates({
  nit = "900373923",
  from = new Date("2026-01-01T00:00:00Z"),
  until = new Date("2028-01-01T00:00:00Z"),
  bits = 2048,
}: Options = {}): TestCertificates {
  const period = { from, until };
  const root = certificate({ name: names("Raíz de Pruebas, S.A."), serial: "01", bits: 2048, ...period });
  const subordinate = certificate({
    ...{ name: names('Subordinada "Ñ" <1>'), serial: "00ff00ff00ff00ff00ff", bits: 2048, issuer: root, ...period },
  });
  const subject = [...names("Tienda + Café; La Ñapa"), attribute("2.5.4.5", nit)];
  const own = certificate({ name: subject, serial: "7b", bits, issuer: subordinate, ...period });
  const all = [root, subordinate, own];
  const files = all.map(({ cert }) => new X509Certificate(forge.pki.certificateToPem(cert)));
  const key = createPrivateKey(forge.pki.privateKeyToPem(own.key));
  return {
    ...{ root: files[0]!, subordinate: files[1]!, own: files[2]!, signer: signerOf(key, files) },
    p12: (password, algorithm) => {
      const certs = all.map(({ cert }) => cert);
      const asn1 = forge.pkcs12.toPkcs12Asn1(own.key, certs, password, { algorithm, generateLocalKeyId: false });
      return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "binary");
    },
  };
}

interface Made {
  cert: forge.pki.Certificate;
  key: forge.pki.rsa.PrivateKey;
}

function certificate(of: {
  name: forge.pki.CertificateField[];
  serial: string;
  bits: number;
  from: Date;
  until: Date;
  issuer?: Made;
}): Made {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: of.bits });
  const cert = forge.pki.createCertificate();
  const key = forge.pki.privateKeyFromPem(String(privateKey.export({ type: "pkcs1", format: "pem" })));
  cert.publicKey = forge.pki.publicKeyFromPem(String(publicKey.export({ type: "spki", format: "pem" })));
  cert.serialNumber = of.serial;
  cert.validity.notBefore = of.from;
  cert.validity.notAfter = of.until;
  cert.setSubject(of.name);
  cert.setIssuer(of.issuer ? of.issuer.cert.subject.attributes : of.name);
  cert.setExtensions([
    { name: "basicConstraints", cA: true },
    { name: "keyUsage", digitalSignature: true, nonRepudiation: true, keyCertSign: true },
  ]);
  cert.sign(of.issuer?.key ?? key, forge.md.sha256.create());
  return { cert, key };
}

/** What a name may hold: commas, quotes, accents, and an address of mail, which has no short name in a signature. */
function names(common: string): forge.pki.CertificateField[] {
  return [
    attribute("2.5.4.6", "CO"),
    attribute("2.5.4.10", "Certificación de Pruebas, S.A."),
    attribute("1.2.840.113549.1.9.1", "firma@example.com"),
    attribute("2.5.4.3", common),
  ];
}

function attribute(type: string, value: string): forge.pki.CertificateField {
  return { type, value, valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class };
}
