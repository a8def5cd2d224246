import { createHash, createVerify, X509Certificate } from "node:crypto";
import { canonical } from "./canonical-xml.ts";
import { at, attribute, childrenOf, elementsIn, readXml, textOf, type XmlElement } from "./xml-tree.ts";

const ds = "http://www.w3.org/2000/09/xmldsig#";
const policyHash = "dMoMvtcG5aIzgYo0tIsSQeVJBDnUnfSOfBpxXrmor0Y=";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>';

/**
 * What is wrong with the signature of a document, judged from the standards (XML Signature, XAdES, the authority's
 * policy) and by none of the code that signs. Empty: nothing. Stricter than a signature must be in one point: the bytes
 * are canonical form as they stand, so that no byte at all is free.
 */
export function signatureProblems(file: string, { at: now }: { at?: Date } = {}): string[] {
  if (!file.startsWith(declaration)) return ["the declaration"];
  let root: XmlElement;
  try {
    root = readXml(file);
  } catch (error) {
    return [(error as Error).message];
  }
  try {
    return judge(file, root, now);
  } catch (error) {
    return [`unreadable: ${(error as Error).message}`];
  }
}

function judge(file: string, root: XmlElement, now: Date | undefined): string[] {
  const problems: string[] = [];
  const check = (isRight: boolean, name: string) => void (isRight || problems.push(name));
  check(declaration + canonical(root) === file, "canonical form");

  const signatures = elementsIn(root).filter(({ local, uri }) => local === "Signature" && uri === ds);
  check(signatures.length === 1, "one signature");
  const signature = signatures[0]!;
  const last = childrenOf(childrenOf(root, "UBLExtensions")[0]!).at(-1)!;
  check(signature.parent?.parent === last && childrenOf(signature.parent!).length === 1, "place");
  check(
    childrenOf(signature)
      .map(({ local }) => local)
      .join() === "SignedInfo,SignatureValue,KeyInfo,Object",
    "parts",
  );

  const [signedInfo, value, keyInfo] = childrenOf(signature) as [XmlElement, XmlElement, XmlElement];
  const qualifying = childrenOf(childrenOf(signature, "Object")[0]!, "QualifyingProperties")[0]!;
  const properties = childrenOf(qualifying, "SignedProperties")[0]!;
  check(attribute(qualifying, "Target") === `#${attribute(signature, "Id")}`, "target");
  const ids = elementsIn(root)
    .map((one) => attribute(one, "Id"))
    .filter((one) => one !== undefined);
  check(new Set(ids).size === ids.length, "ids are unique");

  check(
    algorithmOf(signedInfo, "CanonicalizationMethod") === "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
    "c14n",
  );
  check(algorithmOf(signedInfo, "SignatureMethod") === "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "method");
  const references = childrenOf(signedInfo, "Reference");
  check(references.length === 3, "three references");
  const targets = [
    { uri: "", text: canonical(root, { without: signature }) },
    { uri: `#${attribute(keyInfo, "Id")}`, text: canonical(keyInfo) },
    { uri: `#${attribute(properties, "Id")}`, text: canonical(properties) },
  ];
  targets.forEach(({ uri, text }, i) => {
    const reference = references[i]!;
    check(attribute(reference, "URI") === uri, `reference ${i}`);
    check(isDigest(reference, text), `digest ${i}`);
  });
  const transforms = references.map((one) => elementsIn(one).filter(({ local }) => local === "Transform"));
  check(transforms.map(({ length }) => length).join() === "1,0,0", "transforms");
  check(attribute(transforms[0]![0]!, "Algorithm") === `${ds}enveloped-signature`, "enveloped");
  check(attribute(references[2]!, "Type") === "http://uri.etsi.org/01903#SignedProperties", "type");

  const bytes = Buffer.from(textOf(value), "base64");
  check(bytes.toString("base64") === textOf(value), "base64");
  const own = new X509Certificate(Buffer.from(at(keyInfo, "X509Data/X509Certificate")!, "base64"));
  check(createVerify("sha256").update(canonical(signedInfo)).verify(own.publicKey, bytes), "signature value");
  return [...problems, ...propertyProblems(properties, own, now, `${at(root, "IssueDate")}`)];
}

function propertyProblems(
  properties: XmlElement,
  own: X509Certificate,
  now: Date | undefined,
  issueDate: string,
): string[] {
  const problems: string[] = [];
  const check = (isRight: boolean, name: string) => void (isRight || problems.push(name));
  const signed = childrenOf(properties, "SignedSignatureProperties")[0]!;
  const order = "SigningTime,SigningCertificate,SignaturePolicyIdentifier,SignerRole";
  check(
    childrenOf(signed)
      .map(({ local }) => local)
      .join() === order,
    "properties",
  );
  const time = at(signed, "SigningTime")!;
  check(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-05:00$/.test(time), "time in Bogotá");
  check(time.startsWith(issueDate), "FAD09e");
  if (now) check(Math.abs(new Date(time).getTime() - now.getTime()) < 1000, "time");
  const policy = "SignaturePolicyIdentifier/SignaturePolicyId";
  check(at(signed, `${policy}/SigPolicyHash/DigestValue`) === policyHash, "policy");
  check(
    at(signed, `${policy}/SigPolicyId/Identifier`)!.endsWith("/politicadefirma/v2/politicadefirmav2.pdf"),
    "policy",
  );
  check(at(signed, "SignerRole/ClaimedRoles/ClaimedRole") === "supplier", "role");
  const certs = childrenOf(childrenOf(signed, "SigningCertificate")[0]!, "Cert");
  const digest = createHash("sha256").update(own.raw).digest("base64");
  check(at(certs[0]!, "CertDigest/DigestValue") === digest, "signing certificate");
  check(at(certs[0]!, "IssuerSerial/X509SerialNumber") === BigInt(`0x${own.serialNumber}`).toString(), "serial");
  return problems;
}

function algorithmOf(of: XmlElement, local: string): string | undefined {
  return attribute(childrenOf(of, local)[0]!, "Algorithm");
}

function isDigest(reference: XmlElement, text: string): boolean {
  return (
    algorithmOf(reference, "DigestMethod") === "http://www.w3.org/2001/04/xmlenc#sha256" &&
    at(reference, "DigestValue") === createHash("sha256").update(text, "utf8").digest("base64")
  );
}
