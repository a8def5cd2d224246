import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { kindOf } from "../../src/fiscal/authority/dian/document/kinds.ts";
import { writeDocument } from "../../src/fiscal/authority/dian/document/write-document.ts";
import { signDocument } from "../../src/fiscal/authority/dian/signature/sign-document.ts";
import { chance } from "../../src/operations/demo/random.ts";
import { randomSamples, testIssuance } from "../support/dian.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { isInstalled } from "../support/tools.ts";
import { xmlsecVerifies } from "../support/xmlsec.ts";

/**
 * The authority's own schemas, which are not ours to hand on: DIAN_XSD is the folder of its toolbox in which `maindoc`
 * and `common` stand.
 */
const schemas = process.env.DIAN_XSD;
const structures = "maindoc/DIAN_UBL_Structures.xsd";

function whyNot(): string {
  if (!schemas) return "DIAN_XSD is the folder with the schemas of the authority's toolbox";
  if (!existsSync(join(schemas, structures))) return `there is no ${structures} in ${schemas}`;
  return isInstalled("xmllint") ? "" : "xmllint is not installed (libxml2-utils)";
}
const reason = whyNot();
const baskets = Number(process.env.DIAN_BASKETS ?? 150);

const folder = mkdtempSync(join(tmpdir(), "dian-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** One schema that brings the authority's own parts and the signature's, which the documents' schemas do not name. */
function wrapper(root: string): string {
  const parts = {
    "dian:gov:co:facturaelectronica:Structures-2-1": structures,
    "http://uri.etsi.org/01903/v1.3.2#": "common/UBL-XAdESv132-2.1.xsd",
    [`urn:oasis:names:specification:ubl:schema:xsd:${root}-2`]: `maindoc/UBL-${root}-2.1.xsd`,
  };
  const imports = Object.entries(parts).map(
    ([namespace, file]) =>
      `<xs:import namespace="${namespace}" schemaLocation="${pathToFileURL(join(schemas!, file)).href}"/>`,
  );
  const path = join(folder, `${root}.xsd`);
  writeFileSync(path, `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join("")}</xs:schema>`);
  return path;
}

/**
 * The schema lists kinds of identification where every accepted document has the check digit: two errors for each
 * document that is right. Nothing else is let through.
 */
const falseAlarm = /(ProviderID|AuthorizationProviderID)', attribute 'schemeID': \[facet 'enumeration'\]/;

test.skipIf(reason !== "")(
  `${baskets} baskets and their notes follow the authority's schemas, but for the false alarm, and xmlsec1 verifies them${reason && ` (skipped: ${reason})`}`,
  { timeout: 3_600_000 },
  async () => {
    const files = new Map<string, string[]>();
    for (let seed = 1; seed <= baskets; seed++)
      for (const [i, { kind, document }] of randomSamples(chance(seed), seed).entries()) {
        const { root } = kindOf(kind);
        const path = join(folder, `${kind}-${seed}-${i}.xml`);
        const unsigned = writeDocument(document, testIssuance(kind), kind);
        writeFileSync(path, await signDocument(unsigned, testCertificates().signer, new Date(document.issued_at)));
        files.set(root, [...(files.get(root) ?? []), path]);
      }
    for (const [root, paths] of files) {
      const { stderr } = spawnSync("xmllint", ["--nonet", "--noout", "--schema", wrapper(root), ...paths], {
        encoding: "utf8",
        maxBuffer: 256 * 1024 * 1024,
      });
      const lines = stderr.split("\n").filter((line) => line !== "" && !/ (validates|fails to validate)$/.test(line));
      expect(lines.filter((line) => !falseAlarm.test(line)).slice(0, 5), root).toEqual([]);
      // It was judged at all.
      expect(lines.length, root).toBe(2 * paths.length);
    }
    const all = [...files.values()].flat();
    if (isInstalled("xmlsec1")) {
      const verified = xmlsecVerifies(all.map((path) => readFileSync(path, "utf8")));
      expect(verified.every(Boolean)).toBe(true);
    }
  },
);
