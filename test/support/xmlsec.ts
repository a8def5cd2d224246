import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ids = [
  "http://www.w3.org/2000/09/xmldsig#:KeyInfo",
  "http://uri.etsi.org/01903/v1.3.2#:SignedProperties",
  "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd:Timestamp",
  "http://www.w3.org/2005/08/addressing:To",
];

/** What xmlsec1, a program of others, says of signed files: whether all their references verify. */
export function xmlsecVerifies(files: readonly string[], keyPem?: string): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), "xmlsec-"));
  try {
    const key = join(folder, "key.pem");
    if (keyPem !== undefined) writeFileSync(key, keyPem);
    return files.map((file, i) => {
      const path = join(folder, `${i}.xml`);
      writeFileSync(path, file);
      const options = [
        ...["--verify", "--insecure", "--enabled-reference-uris", "empty,same-doc"],
        ...(keyPem === undefined ? [] : ["--pubkey-cert-pem", key, "--enabled-key-data", "rsa,key-name"]),
        ...ids.flatMap((id) => [`--id-attr:Id`, id]),
      ];
      return spawnSync("xmlsec1", [...options, path], { stdio: "pipe" }).status === 0;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
