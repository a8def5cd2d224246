import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fileNames } from "../../src/fiscal/authority/dian/envelope/file-name.ts";
import { soapRequest } from "../../src/fiscal/authority/dian/envelope/request.ts";
import { zipOf } from "../../src/fiscal/authority/dian/envelope/zip.ts";
import { canonical } from "../support/canonical-xml.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { isInstalled } from "../support/tools.ts";
import { securityProblems } from "../support/verify-soap.ts";
import { elementsIn, readXml, textOf } from "../support/xml-tree.ts";
import { xmlsecVerifies } from "../support/xmlsec.ts";

const { signer, own } = testCertificates();
const now = new Date("2026-11-17T04:59:59.123Z");
const endpoint = "https://vpfe-hab.dian.gov.co/WcfDianCustomerServices.svc";
const call = () =>
  soapRequest(
    "SendTestSetAsync",
    { fileName: "z.zip", contentFile: "UEs=", testSetId: "a&b" },
    { endpoint, signer, now },
  );

describe("a call", () => {
  test("has its time and address signed, in the order of the policy", async () => {
    const { body, headers } = await call();
    expect(securityProblems(readXml(body), endpoint, now)).toEqual([]);
    expect(headers["content-type"]).toBe(
      'application/soap+xml;charset=UTF-8;action="http://wcf.dian.colombia/IWcfDianCustomerServices/SendTestSetAsync"',
    );
    expect(canonical(readXml(body))).toBe(body);
  });

  test("asks with the parameters of the WSDL, in its order", async () => {
    const asked = elementsIn(readXml((await call()).body)).find(({ local }) => local === "SendTestSetAsync")!;
    expect(asked.uri).toBe("http://wcf.dian.colombia");
    expect(asked.children.map((one) => one.kind === "element" && [one.local, textOf(one)])).toEqual([
      ["fileName", "z.zip"],
      ["contentFile", "UEs="],
      ["testSetId", "a&b"],
    ]);
  });

  test("is refused with another address, after its time, or with another signature", async () => {
    const { body } = await call();
    const problems = (text: string, at = now) => securityProblems(readXml(text), endpoint, at);
    expect(problems(body.replace(">https://vpfe-hab", ">https://vpfe"))).toEqual(["address", "digest 1"]);
    expect(problems(body, new Date(now.getTime() + 3_600_000))).toEqual(["expired"]);
    expect(problems(body.replace("04:59:59.123Z", "05:59:59.123Z"))).toContain("digest 0");
    expect(problems(body.replace(/(<ds:SignatureValue>)./, "$1_"))).toContain("signature");
  });

  test.skipIf(!isInstalled("xmlsec1"))("verifies with xmlsec1 (skipped where it is not installed)", async () => {
    const { body } = await call();
    const changed = body.replace(">https://vpfe-hab", ">https://vpfe");
    expect(xmlsecVerifies([body, changed], own.toString())).toEqual([true, false]);
  });
});

describe("the archive", () => {
  const text = "<a>ñ</a>".repeat(1000);

  test("holds one file, packed, and is the same each time", () => {
    const zip = zipOf("fv09.xml", text);
    const [nameLength, size] = [zip.readUInt16LE(26), zip.readUInt32LE(18)];
    expect(zip.subarray(30, 30 + nameLength).toString()).toBe("fv09.xml");
    expect(inflateRawSync(zip.subarray(30 + nameLength, 30 + nameLength + size)).toString("utf8")).toBe(text);
    expect(zip.length).toBeLessThan(500);
    expect(zipOf("fv09.xml", text)).toEqual(zip);
  });

  test.skipIf(!isInstalled("python3"))(
    "is one to another program too (python3, skipped where it is not installed)",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "zip-"));
      writeFileSync(join(folder, "a.zip"), zipOf("fv09.xml", text));
      const code =
        "import zipfile,sys;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),z.namelist(),len(z.read('fv09.xml')))";
      const { stdout } = spawnSync("python3", ["-c", code, join(folder, "a.zip")], { encoding: "utf8" });
      rmSync(folder, { recursive: true });
      expect(stdout.trim()).toBe("None ['fv09.xml'] 9000");
    },
  );
});

test("files are named as the authority's own example, and as their number however often they are sent", () => {
  const at = new Date("2020-06-01T12:00:00Z");
  expect(fileNames("pos", "800197268", 1, at)).toEqual({
    xml: "ds08001972680002000000001.xml",
    zip: "z08001972680002000000001.zip",
  });
  expect(fileNames("pos_note", "800197268", 990000027, at).xml).toBe("ncs0800197268000203B02339B.xml");
  // On New Year's Eve in Bogotá it is next year in UTC.
  expect(fileNames("invoice", "900373923", 255, new Date("2027-01-01T04:00:00Z")).xml).toBe(
    "fv090037392300026000000FF.xml",
  );
});
