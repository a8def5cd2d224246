import { expect, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { start } from "../../src/operations/start/start.ts";
import { documentsOf, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { freePort } from "../support/process.ts";
import { startService } from "../support/service.ts";

test("a process that runs only workers gets documents decided and serves no API", async () => {
  await using service = await startService();
  const { accountId } = await fiscalBusiness(service);
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, 8_019)]);
  const [port, adminPort] = [await freePort(), await freePort()];
  const config = readConfig({
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: service.deps.config.secretKey,
    LOG_LEVEL: "silent",
  });
  const running = await start(config, { only: ["workers"] });
  try {
    await vi.waitFor(async () => expect((await documentsOf(service, accountId, sale!.id))[0]!.status).toBe("issued"), {
      timeout: 300_000,
    });
    await expect(fetch(`http://127.0.0.1:${port}/public/v1/sales`)).rejects.toThrow();
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(200);
  } finally {
    await running.stop();
  }
});
