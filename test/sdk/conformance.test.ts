import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cases, conformance } from "../support/conformance.ts";
import { sharedService } from "../support/fixtures.ts";
import { guzzle, php, python, withoutGuzzle, withoutPhp, withoutPython } from "../support/languages.ts";

const service = sharedService();

test("what every client of ours must do stands in cases with names of their own and steps that the README explains", () => {
  const names = cases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const explained = readFileSync(new URL("../conformance/README.md", import.meta.url), "utf8");
  const steps = new Set(cases.flatMap((one) => one.steps.map((step) => step.do)));
  expect([...steps].filter((step) => !new RegExp(`^\\| .*\`${step}\``, "m").test(explained))).toEqual([]);
});

describe("that is done by the client of", () => {
  describe("TypeScript", () => {
    conformance(service, { command: [process.execPath, "test/conformance/runner.ts"], hasErrorTypes: false });
  });

  describe.skipIf(!python)(`Python${python ? "" : `: ${withoutPython}`}`, () => {
    const env = { PYTHONPATH: "sdk-python/src", PYTHONDONTWRITEBYTECODE: "1" };
    const command = [python!, "-X", "dev", "-W", "error", "test/conformance/runner.py"];
    describe("that waits", () => conformance(service, { command, env, hasErrorTypes: true }));
    describe("that does not wait", () =>
      conformance(service, { command: [...command, "--async"], env, hasErrorTypes: true }));
  });

  describe.skipIf(!php)(`PHP${php ? "" : `: ${withoutPhp}`}`, () => {
    conformance(service, { command: [php!, "test/conformance/runner.php"], hasErrorTypes: true });
  });

  describe.skipIf(!guzzle)(`PHP over a client of PSR-18${guzzle ? "" : `: ${withoutGuzzle}`}`, () => {
    const command = [php!, "test/conformance/runner.php", "--psr"];
    conformance(service, { command, env: { GUZZLE: guzzle! }, hasErrorTypes: true });
  });
});
