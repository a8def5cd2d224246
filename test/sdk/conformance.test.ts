import { describe } from "vitest";
import { conformance } from "../support/conformance.ts";
import { sharedService } from "../support/fixtures.ts";
import { guzzle, php, python, withoutGuzzle, withoutPhp, withoutPython } from "../support/languages.ts";

const service = sharedService();

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
