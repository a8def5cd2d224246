import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { ensureDemo } from "../src/operations/demo/ensure-demo.ts";
import { demoKey } from "../src/operations/demo/identity.ts";
import { start } from "../src/operations/start/start.ts";
import { freePort } from "../test/support/process.ts";

export interface ServedDemo extends AsyncDisposable {
  /** The public API's root. */
  url: string;
  key: string;
}

/** The demo shop on free ports, with a database of its own and no limit of requests, for a foreign tool to call. */
export async function serveDemo(): Promise<ServedDemo> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-tools-"));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    LOG_LEVEL: "error",
    RATE_LIMIT_PER_SECOND: "0",
    SECRET_KEY: randomBytes(32).toString("hex"),
  });
  const running = await start(config, { prepare: async (deps) => void (await ensureDemo(deps, () => {})) });
  return {
    url: `${config.publicUrl}/public/v1`,
    key: demoKey(config.secretKey),
    async [Symbol.asyncDispose]() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
