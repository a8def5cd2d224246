import { describe } from "vitest";
import { conformance } from "../support/conformance.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();

describe("TypeScript", () => {
  conformance(service, { command: [process.execPath, "test/conformance/runner.ts"], hasErrorTypes: false });
});
