import { createHash, createVerify, X509Certificate } from "node:crypto";
import { canonical } from "./canonical-xml.ts";
import { attribute, childrenOf, elementsIn, textOf, type XmlElement } from "./xml-tree.ts";

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";

/** What is wrong with the WS-Security of a call, judged from the policy in the authority's WSDL. */
export function securityProblems(envelope: XmlElement, endpoint: string, now: Date): string[] {
  const problems: string[] = [];
  const check = (isRight: boolean, name: string) => void (isRight || problems.push(name));
  const security = elementsIn(envelope).find(({ local }) => local === "Security");
  const to = elementsIn(envelope).find(({ local }) => local === "To");
  if (!security || !to) return ["no security, or no address"];
  check(
    childrenOf(security)
      .map(({ local }) => local)
      .join() === "Timestamp,BinarySecurityToken,Signature",
    "layout",
  );
  const [timestamp, token, signature] = childrenOf(security) as [XmlElement, XmlElement, XmlElement];
  check(textOf(to) === endpoint, "address");
  const [created, expires] = childrenOf(timestamp).map((one) => new Date(textOf(one)).getTime());
  check(created! <= now.getTime() + 1000 && now.getTime() < expires!, "expired");

  const [signedInfo, value, keyInfo] = childrenOf(signature) as [XmlElement, XmlElement, XmlElement];
  const reference = elementsIn(keyInfo).find(({ local }) => local === "Reference")!;
  check(attribute(reference, "URI") === `#${attribute(token, "Id")}`, "key");
  const references = childrenOf(signedInfo, "Reference");
  const signed = [timestamp, to];
  check(references.length === signed.length, "references");
  references.forEach((one, i) => {
    check(attribute(one, "URI") === `#${attribute(signed[i]!, "Id")}`, `reference ${i}`);
    const transform = elementsIn(one).find(({ local }) => local === "Transform");
    check(transform !== undefined && attribute(transform, "Algorithm") === exclusive, `transform ${i}`);
    const digest = createHash("sha256")
      .update(canonical(signed[i]!, { isExclusive: true }))
      .digest("base64");
    check(textOf(childrenOf(one, "DigestValue")[0]!) === digest, `digest ${i}`);
  });
  const { publicKey } = new X509Certificate(Buffer.from(textOf(token), "base64"));
  const text = canonical(signedInfo, { isExclusive: true });
  check(createVerify("sha256").update(text).verify(publicKey, textOf(value), "base64"), "signature");
  return problems;
}
