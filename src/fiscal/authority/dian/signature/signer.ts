import { constants, createPrivateKey, type KeyObject, sign as signWith, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { bogotaDate } from "../../../../taxes/bogota-time.ts";

/** What signs: a key, here or in a device elsewhere, and its certificate with those that vouch for it. */
export interface Signer {
  /** The signer's own certificate first, then each issuer's, as far as they are known. */
  chain: readonly X509Certificate[];
  /** RSA with SHA-256 (PKCS #1 v1.5) of these bytes. */
  sign(bytes: Buffer): Promise<Buffer>;
}

export class CertificateError extends Error {
  override name = "CertificateError";
}

const signAsync = promisify(signWith);

/** Signs in a thread of the pool, so that many documents at once use more than one core. */
export function signerOf(key: KeyObject, certificates: readonly X509Certificate[]): Signer {
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (!own) throw new CertificateError("El archivo no trae el certificado de su clave privada.");
  return {
    chain: chainFrom(own, certificates),
    sign: (bytes) => signAsync("sha256", bytes, { key, padding: constants.RSA_PKCS1_PADDING }),
  };
}

/** A file may hold its certificates in any order, the authority's first. */
function chainFrom(own: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own];
  for (let last = own; !last.checkIssued(last); ) {
    const issuer = certificates.find((one) => !chain.includes(one) && last.checkIssued(one));
    if (!issuer) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}

/** Reads the file (.p12, .pfx) in which certification bodies hand out keys, old ciphers included. */
export async function readP12(file: Buffer, password: string): Promise<Signer> {
  const { default: forge } = await import("node-forge");
  let bags: import("node-forge").pkcs12.Bag[];
  try {
    const contents = forge.asn1.fromDer(forge.util.createBuffer(file.toString("binary")));
    const { safeContents } = forge.pkcs12.pkcs12FromAsn1(contents, false, password);
    bags = safeContents.flatMap(({ safeBags }) => safeBags);
  } catch {
    throw new CertificateError("El archivo no es un certificado .p12, o su contraseña es otra.");
  }
  const keyBag = bags.find(({ key }) => key);
  if (!keyBag?.key) throw new CertificateError("El archivo no trae una clave privada RSA.");
  const key = createPrivateKey(forge.pki.privateKeyToPem(keyBag.key));
  const certificates = bags
    .filter(({ type }) => type === forge.pki.oids.certBag)
    .map(({ cert, asn1 }) => forge.asn1.toDer(cert ? forge.pki.certificateToAsn1(cert) : asn1).getBytes())
    .map((der) => new X509Certificate(Buffer.from(der, "binary")));
  return signerOf(key, certificates);
}

const leastBits = 2048;

/** Why the authority would refuse what this signs, for a person to read; undefined when nothing is known against it. */
export function certificateProblem({ chain }: Signer, nit: string, now: Date): string | undefined {
  const own = chain[0]!;
  const [from, until] = [new Date(own.validFrom), new Date(own.validTo)];
  if (now > until) return `El certificado de firma venció el ${bogotaDate(until)}. Suba el nuevo.`;
  if (now < from) return `El certificado de firma empieza a valer el ${bogotaDate(from)}.`;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = own.publicKey;
  if (type !== "rsa" || (details?.modulusLength ?? 0) < leastBits)
    return `El certificado de firma debe tener una clave RSA de ${leastBits} bits o más.`;
  // Certification bodies put it into different fields.
  if (!own.subject.includes(nit)) return `El certificado de firma no es del NIT ${nit}. Suba el del negocio.`;
  return undefined;
}
