import { createHash, type X509Certificate } from "node:crypto";
import { must } from "../../../../lib/must.ts";
import { bogotaIso } from "../../../../taxes/bogota-time.ts";
import { signaturePlace } from "../document/extensions.ts";
import { apex, element, group, leaf, type Xml } from "../xml/write-xml.ts";
import { issuerAndSerial } from "./read-name.ts";
import type { Signer } from "./signer.ts";

export const algorithms = {
  canonical: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
  exclusive: "http://www.w3.org/2001/10/xml-exc-c14n#",
  enveloped: "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
  rsaSha256: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  sha256: "http://www.w3.org/2001/04/xmlenc#sha256",
} as const;

/** The authority's policy of signatures, version 2. The hash is that of its PDF. */
const policy = {
  address: "https://facturaelectronica.dian.gov.co/politicadefirma/v2/politicadefirmav2.pdf",
  description: "Política de firma para facturas electrónicas de la República de Colombia.",
  hash: "dMoMvtcG5aIzgYo0tIsSQeVJBDnUnfSOfBpxXrmor0Y=",
} as const;

/** Who signs its own documents; a provider would be "third party". */
const role = "supplier";

/**
 * A document of ours with its signature (XAdES-EPES) in the place that was left for it. It is put in by cutting the
 * text, and what is hashed is the text itself: nothing is read and written again. The parts of the signature are hashed
 * as canonical form takes them out of the document, with all the namespaces of its root. The same document, time and
 * key give the same bytes.
 */
export async function signDocument(document: Xml, signer: Signer, at: Date): Promise<string> {
  const parts = document.split(signaturePlace);
  const [before, after] = parts;
  if (parts.length !== 2 || before === undefined || after === undefined)
    throw new RangeError("a document has one place for its signature");
  const namespaces = namespacesOf(document);
  const digest = sha256(document);
  const id = `xmldsig-${createHash("sha256").update(digest).update(bogotaIso(at)).digest("hex").slice(0, 32)}`;

  const keyInfo = keyInfoOf(`${id}-keyinfo`, signer.chain[0]!);
  const properties = signedProperties(`${id}-signedprops`, signer.chain, at);
  const signedInfo = group(
    "ds:SignedInfo",
    element("ds:CanonicalizationMethod", { Algorithm: algorithms.canonical }),
    element("ds:SignatureMethod", { Algorithm: algorithms.rsaSha256 }),
    reference(
      { Id: `${id}-ref0`, URI: "" },
      digest,
      group("ds:Transforms", element("ds:Transform", { Algorithm: algorithms.enveloped })),
    ),
    reference({ URI: `#${id}-keyinfo` }, sha256(apex(keyInfo, namespaces))),
    reference(
      { Type: "http://uri.etsi.org/01903#SignedProperties", URI: `#${id}-signedprops` },
      sha256(apex(properties, namespaces)),
    ),
  );
  const value = await signer.sign(Buffer.from(apex(signedInfo, namespaces), "utf8"));
  const signature = element(
    "ds:Signature",
    { Id: id },
    signedInfo,
    leaf("ds:SignatureValue", value.toString("base64")),
    keyInfo,
    group("ds:Object", element("xades:QualifyingProperties", { Target: `#${id}` }, properties)),
  );
  const place = group("ext:ExtensionContent", signature);
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>${before}${place}${after}`;
}

/** All of them are declared on the root. */
function namespacesOf(document: Xml): Xml {
  return must(/^<\w+((?: xmlns(?::\w+)?="[^"]*")+)/.exec(document)?.[1], "A document declares its namespaces") as Xml;
}

function reference(attributes: Readonly<Record<string, string>>, digest: string, transforms?: Xml): Xml {
  return element("ds:Reference", attributes, transforms, ...digestOf(digest));
}

function digestOf(digest: string): Xml[] {
  return [element("ds:DigestMethod", { Algorithm: algorithms.sha256 }), leaf("ds:DigestValue", digest)];
}

function keyInfoOf(id: string, certificate: X509Certificate): Xml {
  return element(
    "ds:KeyInfo",
    { Id: id },
    group("ds:X509Data", leaf("ds:X509Certificate", certificate.raw.toString("base64"))),
  );
}

function signedProperties(id: string, chain: readonly X509Certificate[], at: Date): Xml {
  return element(
    "xades:SignedProperties",
    { Id: id },
    group(
      "xades:SignedSignatureProperties",
      // In Bogotá: its day must be the document's, and near midnight UTC has another one.
      leaf("xades:SigningTime", `${bogotaIso(at).slice(0, 19)}-05:00`),
      group("xades:SigningCertificate", ...chain.map(certificateReference)),
      group(
        "xades:SignaturePolicyIdentifier",
        group(
          "xades:SignaturePolicyId",
          group(
            "xades:SigPolicyId",
            leaf("xades:Identifier", policy.address),
            leaf("xades:Description", policy.description),
          ),
          group("xades:SigPolicyHash", ...digestOf(policy.hash)),
        ),
      ),
      group("xades:SignerRole", group("xades:ClaimedRoles", leaf("xades:ClaimedRole", role))),
    ),
  );
}

function certificateReference({ raw }: X509Certificate): Xml {
  const { issuer, serial } = issuerAndSerial(raw);
  return group(
    "xades:Cert",
    group("xades:CertDigest", ...digestOf(sha256(raw))),
    group("xades:IssuerSerial", leaf("ds:X509IssuerName", issuer), leaf("ds:X509SerialNumber", serial)),
  );
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64");
}
