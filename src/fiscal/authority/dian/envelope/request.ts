import { createHash } from "node:crypto";
import { minute } from "../../../../lib/clock.ts";
import { must } from "../../../../lib/must.ts";
import { algorithms, sha256 } from "../signature/sign-document.ts";
import type { Signer } from "../signature/signer.ts";
import { apex, element, group, leaf, namespaceDeclarations, type Xml } from "../xml/write-xml.ts";
import { actionOf, type Operation, operationBody, type ParametersOf } from "./operations.ts";

const oasis = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss";
const namespaces = {
  ds: "http://www.w3.org/2000/09/xmldsig#",
  soap: "http://www.w3.org/2003/05/soap-envelope",
  wcf: "http://wcf.dian.colombia",
  wsa: "http://www.w3.org/2005/08/addressing",
  wsse: `${oasis}-wssecurity-secext-1.0.xsd`,
  wsu: `${oasis}-wssecurity-utility-1.0.xsd`,
} as const;
const x509 = `${oasis}-x509-token-profile-1.0#X509v3`;
const base64 = `${oasis}-soap-message-security-1.0#Base64Binary`;

/** How long a request may be on its way. */
const lifetimeMs = 5 * minute;

export interface SoapRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * A call in SOAP 1.2 with WS-Security: the time and the address are signed with the business's certificate, which
 * travels with them. The parts are hashed as exclusive canonical form takes them out of the envelope: with the
 * namespaces that their own names use.
 */
export async function soapRequest<O extends Operation>(
  operation: O,
  parameters: ParametersOf<O>,
  { endpoint, signer, now }: { endpoint: string; signer: Signer; now: Date },
): Promise<SoapRequest> {
  const action = actionOf(operation);
  const body = operationBody(operation, parameters);
  const id = createHash("sha256").update(body).update(now.toISOString()).digest("hex").slice(0, 32);
  const timestamp = element(
    "wsu:Timestamp",
    { "wsu:Id": `TS-${id}` },
    leaf("wsu:Created", now.toISOString()),
    leaf("wsu:Expires", new Date(now.getTime() + lifetimeMs).toISOString()),
  );
  const to = leaf("wsa:To", endpoint, { "wsu:Id": `TO-${id}` });
  const signedInfo = group(
    "ds:SignedInfo",
    element("ds:CanonicalizationMethod", { Algorithm: algorithms.exclusive }),
    element("ds:SignatureMethod", { Algorithm: algorithms.rsaSha256 }),
    reference(`TS-${id}`, apex(timestamp, using("wsu"))),
    reference(`TO-${id}`, apex(to, using("wsa", "wsu"))),
  );
  const value = await signer.sign(Buffer.from(apex(signedInfo, using("ds")), "utf8"));
  const envelope = group(
    "soap:Envelope",
    group(
      "soap:Header",
      element(
        "wsse:Security",
        { "soap:mustUnderstand": "1" },
        timestamp,
        certificateToken(`X509-${id}`, signer),
        group(
          "ds:Signature",
          signedInfo,
          leaf("ds:SignatureValue", value.toString("base64")),
          group(
            "ds:KeyInfo",
            group("wsse:SecurityTokenReference", element("wsse:Reference", { URI: `#X509-${id}`, ValueType: x509 })),
          ),
        ),
      ),
      leaf("wsa:Action", action),
      to,
    ),
    group("soap:Body", body),
  );
  return {
    headers: { "content-type": `application/soap+xml;charset=UTF-8;action="${action}"` },
    body: apex(envelope, namespaceDeclarations(namespaces)),
  };
}

function using(...prefixes: (keyof typeof namespaces)[]): Xml {
  return namespaceDeclarations(Object.fromEntries(prefixes.map((prefix) => [prefix, namespaces[prefix]])));
}

function reference(id: string, canonical: Xml): Xml {
  return element(
    "ds:Reference",
    { URI: `#${id}` },
    group("ds:Transforms", element("ds:Transform", { Algorithm: algorithms.exclusive })),
    element("ds:DigestMethod", { Algorithm: algorithms.sha256 }),
    leaf("ds:DigestValue", sha256(canonical)),
  );
}

function certificateToken(id: string, { chain }: Signer): Xml {
  const own = must(chain[0], "A signer has a certificate");
  return leaf("wsse:BinarySecurityToken", own.raw.toString("base64"), {
    EncodingType: base64,
    ValueType: x509,
    "wsu:Id": id,
  });
}
